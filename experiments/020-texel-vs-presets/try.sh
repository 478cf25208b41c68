#!/bin/sh
# Fit weights from each published table as start, and let each pass the gate over each table.
# The fits that are kept here are not made again; remove them to do so, and give in RUNS the three
# folders of self-play that 024-learned-table/selfplay.sh makes. GAMES=4, a limit for each budget,
# tries whether all of it works.
set -e
OUT=$(realpath -m "${OUT:-runs/020}")
cd "$(dirname "$0")"
mkdir -p "$OUT"
for start in s0; do
    test -f tuned-$start.toml ||
        gomoku-lab fit ${RUNS:?folders of the self-play, by their full paths} --model weights --base $start.toml --out tuned-$start.toml --quiet
done
for start in s0; do
    for table in s0 s1 s4; do
        code=0
        gomoku-lab accept tuned-$start.toml --over $table.toml --seed 20 --jobs 1 --quiet ${GAMES:+--games "$GAMES"} \
            --run "$OUT/$start-over-$table" > "$OUT/$start-over-$table.txt" || code=$?
        test "$code" -le 5  # 1 rejected, 5 undecided: results, too
    done
done
