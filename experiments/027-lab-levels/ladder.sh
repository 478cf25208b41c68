#!/bin/sh
# Each level of lab against the one below. The clock decides the moves of lab/9: keep the cores free for the last match.
: "${OUT:=runs/027}"
: "${PAIRINGS:=2:500 3:500 4:500 5:400 6:300 7:200 8:120 9:60}"
: "${JOBS:=2}"
mkdir -p "$OUT"
for pairing in $PAIRINGS; do
  upper=${pairing%:*}
  lower=$((upper - 1))
  gomoku-lab match "lab/$upper" "lab/$lower" --games "${pairing#*:}" --seed 1 --jobs "$JOBS" \
    --out "$OUT/$upper-over-$lower" --quiet
done
