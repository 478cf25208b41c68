#!/bin/sh
# Sequential tests of each device by itself, 0 against 30 normalised Elo: lab/max against lab/max without it, from balanced
# openings. The clock decides the games at 100 ms: keep the cores free.
: "${OUT:=runs/028}"
: "${BUDGETS:=nodes=50000,time_ms=0 time_ms=100}"
mkdir -p "$OUT"
python experiments/028-reductions/balanced.py > "$OUT/balanced.txt"
for budget in $BUDGETS; do
  for without in extension=false reduction=0 keep_table=false extension=false,reduction=0,keep_table=false; do
    name=$(echo "$without-$budget" | tr -c 'a-z0-9\n' '-')
    gomoku-lab match "lab/max:$budget" "lab/max:$budget,$without" --sprt 0,30 --games 700 --seed 11 --jobs 2 \
      --openings "$OUT/balanced.txt" --out "$OUT/$name" --quiet
  done
done
