#!/bin/sh
# The study and its gate. Fewer PAIRS and a limit of GAMES a budget try whether all of it works.
set -e
here=experiments/021-spsa-after-texel
base=experiments/020-texel-vs-presets/tuned-s0.toml
cd "$(dirname "$0")/../.."
: "${OUT:=runs/021}"
mkdir -p "$OUT"
gomoku-lab tune $base --nodes 1000 -k 'weights.open_*' -k weights.four -k weights.three -k weights.two -k defence \
    --pairs "${PAIRS:-4000}" --seed 21 --quiet --out "$OUT/study"
code=0
gomoku-lab accept "$OUT/study/candidate.toml" --over $base --seed 21 --quiet ${GAMES:+--games "$GAMES"} --run "$OUT/gate" || code=$?
echo "the study and the gate that are kept: $here/tuning.json, $here/gate.txt"
test "$code" -eq 1 || test "$code" -eq 5 || exit "$code"  # 1 rejected, 5 undecided: results, too
