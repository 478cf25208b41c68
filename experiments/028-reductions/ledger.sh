#!/bin/sh
# Sequential tests of each device by itself, 0 against 30 normalised Elo: lab/max against lab/max without it, from balanced
# openings. The clock decides the games at 100 ms: keep the cores free.
: "${OUT:=runs/028}"
: "${JOBS:=2}"
: "${BUDGETS:=nodes=50000,time_ms=0 time_ms=100}"
: "${WITHOUT:=futility=0 extension=false reduction=0 late_threats=0 fail_high=0 keep_table=false move_order=hand defence_nodes=0}"
mkdir -p "$OUT"
[ -f "$OUT/balanced.txt" ] || python experiments/028-reductions/balanced.py > "$OUT/balanced.txt"
for budget in $BUDGETS; do
  for without in $WITHOUT; do
    name=$(echo "$without-$budget" | tr -c 'a-z0-9\n' '-')
    gomoku-lab match "lab/max:$budget" "lab/max:$budget,$without" --sprt 0,30 --games 1000 --seed 11 --jobs "$JOBS" \
      --openings "$OUT/balanced.txt" --out "$OUT/$name" --quiet
  done
done
