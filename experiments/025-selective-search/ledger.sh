#!/bin/sh
# Sequential tests of each device by itself, 0 against 30 normalised Elo: lab/max against lab/max without it.
# The clock decides the games at 50 ms: keep the cores free.
: "${OUT:=runs/025}"
: "${BUDGETS:=nodes=10000,time_ms=0 time_ms=50}"
mkdir -p "$OUT"
for budget in $BUDGETS; do
  for without in futility=0 selective=false,futility=0,extension=false,reduction=0 move_order=hand evaluation=self-22k defence_nodes=0; do
    name=$(echo "$without-$budget" | tr -c 'a-z0-9\n' '-')
    gomoku-lab match "lab/max:$budget" "lab/max:$budget,$without" --sprt 0,30 --games 2000 --seed 11 --jobs 2 \
      --out "$OUT/$name" --quiet
  done
done
