"""Positions of renju for the tests, and a maker of random ones where black lines cross.

Marks stand on empty points: 6 overline, 4 double four, 3 double three; ? is what a test asks about.
"""

from gomoku_lab.game.renju import Prohibition

MARKS = {
    "6": Prohibition.OVERLINE,
    "4": Prohibition.DOUBLE_FOUR,
    "3": Prohibition.DOUBLE_THREE,
}
STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))
NEAR = (-4, -3, -2, -1, 1, 2, 3, 4)


def read(drawing):
    """Return the cells, the size and {point: mark} of a drawing."""
    rows = [line.split() for line in drawing.strip().splitlines()]
    symbols = [symbol for row in rows for symbol in row]
    cells = bytearray({".": 0, "X": 1, "O": 2}.get(symbol, 0) for symbol in symbols)
    return cells, len(rows), {i: s for i, s in enumerate(symbols) if s not in ".XO"}


def crossing(random, size):
    """Return cells with black stones on several lines through a few points, and some white ones.

    Now and then one of these points lies where a line through another is extended.
    """
    cells = bytearray(size * size)
    row, col = random.randrange(size), random.randrange(size)
    centres = []
    for _ in range(random.randint(1, 4)):
        centres.append((row, col))
        for d_row, d_col in random.sample(STEPS, random.randint(2, 4)):
            stones = random.sample(NEAR, random.choice((2, 2, 2, 3, 3, 4)))
            put(cells, size, [(row + d_row * k, col + d_col * k) for k in stones], 1)
        near = [(row + random.randint(-5, 5), col + random.randint(-5, 5)) for _ in range(3)]
        put(cells, size, near[: random.randint(0, 3)], 2)
        if random.random() < 0.7:
            (d_row, d_col), far = random.choice(STEPS), random.choice((-3, -2, -1, 1, 2, 3))
            row, col = row + d_row * far, col + d_col * far
        else:
            row, col = random.randrange(size), random.randrange(size)
    for row, col in centres:
        if 0 <= row < size and 0 <= col < size:
            cells[row * size + col] = 0
    return cells


def put(cells, size, points, colour):
    """Put stones on those of some points that are empty points of the board."""
    for row, col in points:
        if 0 <= row < size and 0 <= col < size and not cells[row * size + col]:
            cells[row * size + col] = colour


FORBIDDEN = {
    "two threes": """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . X X . 3 . . .
        . . . . . X . . .
        . . . . . X . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
    """,
    "two threes on the diagonals": """
        . . . . . . . . .
        . . . . . . . . .
        . . X . . . . . .
        . . . X . . . . .
        . . . . 3 . . . .
        . . . . . . . . .
        . . X . . . . . .
        . X . . . . . . .
        . . . . . . . . .
    """,
    "a three with six points of room": """
        . . . . . . . . .
        . . . . . . . . .
        O . X X . 3 . O .
        . . . . . X . . .
        . . . . . X . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
    """,
    "a four does not excuse two threes": """
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . X . . . . .
        . . . . . X . . . . .
        . O X X X 3 . . . . .
        . . . . . . X . . . .
        . . . . . . . X . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
    """,
    "neither does a straight four": """
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . X . . . . .
        . . . . . X . . . . .
        . . X X X 3 . . . . .
        . . . . . . X . . . .
        . . . . . . . X . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
    """,
    "two closed fours": """
        . . . . . . . . .
        . . . . . . . . .
        . O X X X 4 . . .
        . . . . . X . . .
        . . . . . X . . .
        . . . . . X . . .
        . . . . . O . . .
        . . . . . . . . .
        . . . . . . . . .
    """,
    "two fours in one line, in all ways": """
        . . . . . . . . .
        . X . X 4 X . X .
        . . . . . . . . .
        X . X X 4 . X . .
        . . . . 3 . . . .
        X X . X 4 . X X .
        . . . . . . . . .
        X X X . 4 . X X X
        . . . . . . . . .
    """,
    "overlines": """
        . . . . . . . . .
        . X X X 6 X X . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . X X 6 X X X X .
        . . . . . . . . .
        O O O O . O O O O
        X X X X 6 X X X X
    """,
    "five in a line beside that of six": """
        . . . . . . . . .
        . . . . . . . . .
        . O X X X X 6 X X
        . . . . 3 X . . .
        . . . 3 3 3 X . .
        . . X X X 6 X X X
        . . . . . . X . .
        . . . . . . X . .
        . . . . . . . . .
    """,
}

ALLOWED = {
    "a four and a three": """
        . . . . . . . . .
        . . . . . . . . .
        . O X X X ? . . .
        . . . . . X . . .
        . . . . . X . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
    """,
    "a straight four and a three": """
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . X X X ? . . . . .
        . . . . . . X . . . .
        . . . . . . . X . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
    """,
    "a three that white has stopped": """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . O X X . ? . . .
        . . . . . X . . .
        . . . . . X . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
    """,
    "a three with five points of room": """
        . . . . . . . . .
        . . . . . . . . .
        O . X X . ? O . .
        . . . . . X . . .
        . . . . . X . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
    """,
    "a three whose four an own stone would lengthen": """
        . . . . . . . . .
        . . . . . . . . .
        X . X X . ? . O .
        . . . . . X . . .
        . . . . . X . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
    """,
    "a four with one five and one six": """
        . . . . . . . . .
        . . . . . . . . .
        X . X X X ? . X .
        . . . . . X . . .
        . . . . . X . . .
        . . . . . X . . .
        . . . . . . . . .
        . . . . . X . . .
        . . . . . . . . .
    """,
    "five beats two fours": """
        . . . . . . . . .
        . . . . . . . . .
        . O X X X ? . . .
        . . . . . X X . .
        . . . . . X . X .
        . . . . . X . . X
        . . . . . X . . .
        . . . . . . . . .
        . . . . . . . . .
    """,
    "five beats an overline": """
        . . . . . . . . .
        . . . . . . . . .
        . . X X X ? X X .
        . . . . . X . . .
        . . . . . X . . .
        . . . . . X . . .
        . . . . . X . . .
        . . . . . . . . .
        . . . . . . . . .
    """,
}

STUCK = """
    X X X 6 X X X
    O O X O O X O
    X X O X X O X
    O O X O O X O
    X X O X X O X
    O O X O O X O
    X X O X X O X
"""

# How far one must look, the kind ("" for allowed), and the drawing with its one point.
RECURSIVE = (
    (
        1,
        "",
        """
        . . . . . . . . . . .
        . . . . . . . . X . .
        . . . . . . . . X X .
        . . . . . . . . . . .
        . . . . . X . X ? . .
        . . . . . . X . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        """,
    ),
    (
        1,
        "",
        """
        . . . . . . . . . . .
        X . . . . . . . . . .
        . . . . . . . . . . .
        . . X . X . . . . . .
        . . . X . . . . . . .
        . X ? X . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        """,
    ),
    (
        2,
        "double three",
        """
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . X . X . . .
        . . . . . X X . ? . .
        . . . . . . . . . . .
        . . . . . . X X . . .
        . . . . . X . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        """,
    ),
    (
        2,
        "double three",
        """
        . . . . . . . . . . .
        . . . . X . . . . . .
        . X X . . . . . . . .
        . . . X X . . . . . .
        . X X . . . . . . . .
        . ? . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        """,
    ),
    (
        3,
        "",
        """
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . X . X . . . . .
        . . X . X . . . . . .
        . . . . X ? . . . . .
        . . . X . X . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        """,
    ),
    (
        3,
        "",
        """
        . . . . . . . . . . .
        . . . . . . X X . . .
        . . . . X ? . X . . .
        . . . . . . X . . . .
        . . . . X . . X . . .
        . . . . . . . X . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        """,
    ),
    (
        3,
        "",
        """
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . X . X X . . . . .
        . . . X . ? X . . . .
        . . . X . . X . . . .
        . . . . X . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        """,
    ),
    (
        4,
        "double three",
        """
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . X X . .
        . . . . . . X . X . .
        . . . . X . X . . . .
        . . . . . X . X ? . .
        . . . . . X . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        """,
    ),
    (
        4,
        "double three",
        """
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . X X ? . . . .
        . . . . . X X . . . .
        . . . X . X . . . . .
        . . O . X . X . . . .
        . . . . . . . . . . .
        . . . . . . . . O . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        """,
    ),
    (
        4,
        "double three",
        """
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . X . ? X . . .
        . . . X . . X . . . .
        . . . X X . . . . . .
        . X X . . . X . X . .
        . . . . O . . X . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        """,
    ),
)
