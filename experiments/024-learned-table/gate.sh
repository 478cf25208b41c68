#!/bin/sh
# The gates that are kept here. The clock decides the games at 100 ms: keep the cores free.
set -e
cd "$(dirname "$0")"
: "${OUT:=again}"
gomoku-lab accept lab/v1:evaluation=self-22k --over lab/v1 --seed 1 --jobs 2 --run "$OUT/preset"
gomoku-lab accept lab/max --over tuned.toml --nodes 10000 --time-ms 100 --seed 2 --jobs 2 --run "$OUT/gate"
gomoku-lab accept lab/max --over ../020-texel-vs-presets/tuned-s0.toml --nodes 10000 --time-ms 100 --seed 2 --jobs 2 --run "$OUT/gate-s0"
