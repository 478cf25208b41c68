#!/bin/sh
# Sequential tests of each device by itself, 0 against 30 normalised Elo: lab/max against lab/max without it, from balanced
# openings. Where the clock decides the games, keep the cores free.
: "${OUT:=runs/034}"
: "${JOBS:=2}"
: "${GAMES:=1000}"
: "${BUDGETS:=nodes=20000,time_ms=0 time_ms=30}"
: "${WITHOUT:=evaluation=self-30k move_order=hand futility=0 extension=false reduction=0 late_threats=0 answers=0 fail_high=0 keep_table=false vcf_nodes=0 vct_nodes=0 defence_nodes=0}"
mkdir -p "$OUT"
for budget in $BUDGETS; do
  for without in $WITHOUT; do
    name=$(echo "$without-$budget" | tr -c 'a-z0-9\n' '-')
    gomoku-lab match "lab/max:$budget" "lab/max:$budget,$without" --sprt 0,30 --games "$GAMES" --seed 11 --jobs "$JOBS" \
      --openings experiments/032-second-table/gate.txt --out "$OUT/$name" --quiet
  done
done
