"""Renju's forbidden points a second time, read off lines of text: nothing is shared with the rules.

`levels` bounds the recursion, to find positions that need it: with 0 every three counts that has
an empty point to make a straight four on, with 1 that point must be allowed by level 0, and so on.
"""

import re

STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))
DEEP = 99


def lines(cells, size, move):
    """Return the four whole lines through a point, as (text, points, place of the point)."""
    row, col = divmod(move, size)
    found = []
    for d_row, d_col in STEPS:
        span = [(row + d_row * k, col + d_col * k) for k in range(-size, size + 1)]
        points = [r * size + c for r, c in span if 0 <= r < size and 0 <= c < size]
        found.append(("".join(".XO"[cells[p]] for p in points), points, points.index(move)))
    return found


def runs_over(text, place, pattern):
    """List the matches of a pattern, overlapping ones too, that cover a place."""
    found = (re.compile(pattern).match(text, start) for start in range(len(text)))
    return [match for match in found if match and match.start() <= place < match.end()]


def fives_and_longer(text, place):
    """Return the length of the run of black stones over a place."""
    (run,) = (m for m in re.finditer("X+", text) if m.start() <= place < m.end())
    return len(run.group())


def fours(text, place):
    """Return the sets of four stones, the placed one among them, that one more makes a five."""
    shapes = "|".join("X" * k + r"\." + "X" * (4 - k) for k in range(5))
    return {
        frozenset(m.start() + i for i, cell in enumerate(m.group()) if cell == "X")
        for m in runs_over(text, place, rf"(?<!X)(?:{shapes})(?!X)")
        if text[place] == "X"
    }


def straight_four_over(text, place, other):
    """Tell whether a straight four covers both places."""
    found = re.finditer(r"(?<!X)\.(?=XXXX\.(?!X))", text)
    return any(m.end() <= min(place, other) and max(place, other) < m.end() + 4 for m in found)


def prohibition(cells, size, move, levels=DEEP):
    """Return why Black may not play on an empty point, "" if he may."""
    board = bytearray(cells)
    board[move] = 1
    through = lines(board, size, move)
    lengths = [fives_and_longer(text, place) for text, _, place in through]
    if 5 in lengths:
        return ""
    if max(lengths) > 5:
        return "overline"
    if sum(len(fours(text, place)) for text, _, place in through) >= 2:
        return "double four"
    threes = sum(is_three(board, size, line, levels) for line in through)
    return "double three" if threes >= 2 else ""


def is_three(board, size, line, levels):
    """Tell whether the placed stone makes a three that counts in a line."""
    text, points, place = line
    for other, point in enumerate(points):
        if text[other] != "." or abs(other - place) > 3:
            continue
        after = text[:other] + "X" + text[other + 1 :]
        if straight_four_over(after, place, other):
            stones = bytearray(board)
            stones[point] = 1
            five = any(fives_and_longer(t, i) == 5 for t, _, i in lines(stones, size, point))
            if levels == 0 or (not five and not prohibition(board, size, point, levels - 1)):
                return True
    return False


def prohibitions(cells, size, levels=DEEP):
    """Return {point: why} of all forbidden points."""
    found = {m: prohibition(cells, size, m, levels) for m in range(size * size) if not cells[m]}
    return {move: why for move, why in found.items() if why}
