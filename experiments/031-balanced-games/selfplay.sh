#!/bin/sh
# The self-play that `balanced-22k` is fitted to, and the fit: 20 minutes on two cores, 30 MB.
# BALANCED=300 BOOK=300 try whether all of it works. Each of the balanced openings is played twice, which gives the same game
# twice; the games that the table learned from were played when a kept table hung on earlier games, so that some differed.
set -e
: "${OUT:=runs/031}"
: "${BALANCED:=13072}"
: "${BOOK:=9000}"
player=lab/max:evaluation=self-30k,answers=0,futility=500,fail_high=500,time_ms=0,nodes=8000,table_bits=16
play() { gomoku-lab tournament --format selfplay --quiet -p "$player" "$@"; }
mkdir -p "$OUT"
play --openings experiments/031-balanced-games/openings.txt --random-moves 0 --games "$BALANCED" --seed 1 --out "$OUT/balanced"
play --openings book --random-moves 2 --games "$BOOK" --seed 2 --out "$OUT/book"
gomoku-lab fit "$OUT/balanced" "$OUT/book" --model table --base lab/max --out "$OUT/table.json"
