#!/bin/sh
# The gates that are kept here. The clock decides the games at 100 ms: keep the cores free.
# GAMES=4, a limit for each budget, tries whether all of it works.
set -e
OUT=$(realpath -m "${OUT:-runs/024}")
cd "$(dirname "$0")"
gate() {
    code=0
    gomoku-lab accept "$@" --jobs 2 ${GAMES:+--games "$GAMES"} || code=$?
    test "$code" -le 1 || test "$code" -eq 5  # 1 rejected, 5 undecided: results, too
}
gate lab/v1:evaluation=self-22k --over lab/v1 --seed 1 --run "$OUT/preset"
gate lab/v1:evaluation=self-22k --over tuned.toml --nodes 10000 --time-ms 100 --seed 2 --run "$OUT/gate"
hand=../020-texel-vs-presets/tuned-s0.toml
gate lab/v1:evaluation=self-22k --over "$hand" --nodes 10000 --time-ms 100 --seed 2 --run "$OUT/gate-s0"
gate "$hand:evaluation=self-30k" --over "$hand" --nodes 10000 --time-ms 100 --seed 2 --run "$OUT/gate-30k"
search=selective=true,move_order=order-8k,defence_nodes=20000
gate "$hand:$search,futility=800,evaluation=self-30k" --over "$hand:$search,futility=800000" \
    --nodes 10000 --time-ms 100 --seed 2 --run "$OUT/gate-selective"
