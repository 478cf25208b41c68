#!/bin/sh
# The self-play that the table and the tuned weights are fitted to, about 22 MB, and both fits.
# 22,000 games at 3,000 nodes a move took two cores some 17 minutes, each fit about one.
# GAMES=300 tries whether all of it works; 10,000 are what was played.
set -e
: "${GAMES:=10000}"
: "${OUT:=runs/024}"
here=$(cd "$(dirname "$0")" && pwd)
player=lab/v1:time_ms=0,nodes=3000,vcf_nodes=3000,table_bits=16
play() { gomoku-lab tournament --format selfplay --quiet "$@"; }
mkdir -p "$OUT"
cd "$OUT"
play -p "$player" --games $((GAMES / 5)) --seed 1 --out self-2k
play -p "$player" --games "$GAMES" --seed 2 --out self-10k
gomoku-lab fit self-2k self-10k --model table --base lab/v1 --out first.json
play -p "$player,evaluation=first.json" --games "$GAMES" --seed 3 --out self-b
gomoku-lab fit self-2k self-10k self-b --model table --base lab/v1 --out table.json
gomoku-lab fit self-2k self-10k self-b --model weights --base lab/v1 --out tuned.toml
echo "the shipped table: self-22k; the tuned weights: $here/tuned.toml"
