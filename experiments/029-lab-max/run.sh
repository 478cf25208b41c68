#!/bin/sh
# lab/max against the strongest level of `layered` and against the first lab/max, at equal nodes and at equal time, from
# balanced openings. The clock decides the games at 100 ms: keep the cores free.
: "${OUT:=runs/029}"
: "${JOBS:=2}"
mkdir -p "$OUT"
[ -f "$OUT/balanced.txt" ] || python experiments/028-reductions/balanced.py > "$OUT/balanced.txt"
for budget in nodes=20000,time_ms=0 time_ms=100; do
  for match in layered/master:400 lab/v1:200; do
    other=${match%:*}
    name=$(echo "$other-$budget" | tr -c 'a-z0-9\n' '-')
    gomoku-lab match "lab/max:$budget" "$other:$budget" --games "${match#*:}" --seed 29 --jobs "$JOBS" \
      --openings "$OUT/balanced.txt" --out "$OUT/$name" --quiet
  done
done
