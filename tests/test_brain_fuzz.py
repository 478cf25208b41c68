"""Ten thousand lines of sense and nonsense against a naive model of what has to be answered.

The model knows the protocol, not the brain: which lines want an answer, of which form, and which
moves are legal. Every line is answered exactly as often as it has to be, and never in another form.
"""

import re
from random import Random

import pytest
import stub_players  # noqa: F401 - adds the family
from hypothesis import given, settings

from gomoku_lab.game.board import Board
from gomoku_lab.players.brain import GOMOCUP, YIXIN, Brain
from gomoku_lab.players.registry import resolve
from tests.strategies import seeds

LINES = 200
EXAMPLES = 50
KEPT = "lab/max:time_ms=0,nodes=150,vcf_nodes=150,table_bits=10"
"""It keeps its table from move to move, whatever is taken back, told anew or begun in between."""

POINT = re.compile(r"\d+,\d+")
TRIPLE = re.compile(r"\d+,\d+ \d+,\d+ \d+,\d+")
FORMS = {
    "ok": re.compile("OK"),
    "error": re.compile("ERROR .+"),
    "unknown": re.compile("UNKNOWN .+"),
    "about": re.compile('name="gomoku_lab .*", version=".+", author=".+", country=".+"'),
    "move": POINT,
    "three": TRIPLE,
    "side": re.compile(rf"SWAP|{POINT.pattern}"),
    "forbid": re.compile(r"FORBID (\d{4})*\."),
}
WORDS = [
    *("START", "RECTSTART", "RESTART", "BEGIN", "TURN", "PLAY", "TAKEBACK"),
    *("INFO", "ABOUT", "BOARD", "SWAP2BOARD"),
]
YIXIN_WORDS = ["YXBOARD", "YXSHOWFORBID", "YXSTOP", "YXHASHCLEAR"]
OWN, OPPONENT, MARKED = 1, 2, 3


class Model:
    """What a manager knows: the board as it has been told and answered."""

    def __init__(self, dialect: str) -> None:
        self.yixin = dialect == YIXIN
        self.words = {*WORDS, *(YIXIN_WORDS if self.yixin else [])}
        self.size = 0
        self.rule: str | None = "freestyle"
        self.stones: dict[tuple[int, int], int] = {}
        self.block: tuple[str, list[str]] | None = None
        self.after: dict[tuple[int, int], int] = {}  # the stones if the answer is a move
        self.chosen = True  # the answer is the brain's own

    def expects(self, line: str) -> str | None:
        """Return the form of the answer to `line`, None if there must not be any."""
        words = line.split()
        if not words:
            return None
        word, rest = words[0].upper(), " ".join(words[1:])
        if self.block is not None:
            kind, lines = self.block
            if word == "DONE":
                self.block = None
                return self.ends_block(kind, lines)
            if word not in self.words:
                lines.append(line)
                return None
            if word != "INFO":
                self.block = None
        if word not in self.words:
            return "unknown"
        return getattr(self, f"wants_{word.lower()}")(rest)

    def new_game(self, size: int) -> str:
        if not 5 <= size <= 20:
            return "error"
        self.size, self.stones = size, {}
        return "ok"

    def wants_start(self, rest: str) -> str:
        numbers = [number(text) for text in rest.split()]
        if self.yixin and len(numbers) == 2 and numbers[0] == numbers[1]:
            numbers.pop()
        return self.new_game(numbers[0]) if len(numbers) == 1 else "error"

    def wants_rectstart(self, rest: str) -> str:
        found = point(rest)
        return self.new_game(found[0]) if found and found[0] == found[1] else "error"

    def wants_restart(self, _: str) -> str:
        return self.new_game(self.size)

    def wants_begin(self, _: str) -> str:
        return self.move({}) if self.size and not self.stones else "error"

    def wants_turn(self, rest: str) -> str:
        found = point(rest)
        return self.move({**self.stones, found: OPPONENT}) if self.is_free(found) else "error"

    def wants_play(self, rest: str) -> str:
        found = point(rest)
        if not self.is_free(found):
            return "error"
        self.after, self.chosen = dict(self.stones), False
        return "move"

    def wants_takeback(self, rest: str) -> str:
        return "ok" if self.size and self.stones.pop(point(rest), 0) else "error"

    def wants_info(self, rest: str) -> None:
        key, _, value = rest.partition(" ")
        code = number(value)
        if key.lower() == "rule" and code != -999:
            self.rule = {0: "freestyle", 1: "standard", 4: "renju"}.get(code)
            if self.yixin and code == 2:
                self.rule = "renju"

    def wants_about(self, _: str) -> str:
        return "about"

    def opens(self, kind: str) -> None:
        self.block = kind, []

    def wants_board(self, _: str) -> None:
        self.opens("BOARD")

    def wants_swap2board(self, _: str) -> None:
        self.opens("SWAP2BOARD")

    def wants_yxboard(self, _: str) -> None:
        self.opens("YXBOARD")

    def wants_yxshowforbid(self, _: str) -> str:
        return "forbid" if self.size and self.board(self.stones) is not None else "error"

    def wants_yxstop(self, _: str) -> None:
        return None

    wants_yxhashclear = wants_yxstop

    def ends_block(self, kind: str, lines: list[str]) -> str | None:
        stones: dict[tuple[int, int], int] = {}
        for at, line in enumerate(lines):
            text, field = line, str(OWN if at % 2 else OPPONENT)
            if kind != "SWAP2BOARD":
                text, _, field = line.rpartition(",")
            found = point(text)
            if self.rule == "renju" and found and number(field) == MARKED:
                continue
            free = found is not None and 0 <= min(found) and max(found) < self.size
            if not free or found in stones or number(field) not in (OWN, OPPONENT):
                return "error"
            stones[found] = number(field)
        if not self.size:
            return "error"
        if kind == "YXBOARD":
            self.stones = stones
            return None
        if kind == "BOARD":
            return self.move(stones)
        if len(stones) not in (0, 3, 5) or self.move(stones) == "error":
            return "error"
        return "side" if stones else "three"

    def move(self, stones: dict[tuple[int, int], int]) -> str:
        """Expect a move on `stones`, if one can be made."""
        board = self.board(stones)
        if board is None or not board.legal_points():
            return "error"
        self.after, self.chosen = stones, True
        return "move"

    def is_free(self, found: tuple[int, int] | None) -> bool:
        on_board = found is not None and 0 <= min(found) and max(found) < self.size
        return on_board and found not in self.stones

    def board(self, stones: dict[tuple[int, int], int]) -> Board | None:
        """Return the board, ours black, under renju the first stone; None where there is none."""
        if self.rule is None:
            return None
        ours = 1
        if self.rule == "renju" and next(iter(stones.values()), OWN) == OPPONENT:
            ours = 2
        sides = ([y * self.size + x for (x, y), own in stones.items() if own == side]
                 for side in ((OWN, OPPONENT) if ours == 1 else (OPPONENT, OWN)))  # fmt: skip
        try:
            return Board.from_stones(
                *sides, size=self.size, rule=self.rule, to_move=ours, balanced=False
            )
        except ValueError:
            return None  # five of both

    def learns(self, form: str, answer: str) -> None:
        """Take in an answer, which must be legal."""
        points = [tuple(map(int, text.split(","))) for text in POINT.findall(answer)]
        if form == "move" and self.chosen:
            self.board(self.after).check_move(points[0][1] * self.size + points[0][0])
        if form == "move" or (form == "side" and points):
            self.stones = self.after
        elif form == "side":
            self.stones = {at: OWN + OPPONENT - side for at, side in self.after.items()}
        elif form == "three":
            self.stones = {}
        if form in ("move", "side", "three"):
            for at, found in enumerate(points):
                assert self.is_free(found), f"illegal: {answer} on {self.stones}"
                self.stones[found] = OPPONENT if at % 2 else OWN


def number(text: str) -> int:
    """Return the number, or one that nothing accepts."""
    return int(text) if re.fullmatch(r"[+-]?[0-9]{1,18}", text.strip(), re.ASCII) else -999


def point(text: str) -> tuple[int, int] | None:
    parts = text.split(",")
    found = tuple(map(number, parts))
    return None if len(found) != 2 or -999 in found else found


def spoken(random: Random, model: Model) -> str:
    """Return a line that a manager might write, in good order or not."""
    size = model.size or 9
    span = (0, size - 1) if random.random() < 0.95 else (-2, size + 1)
    x, y = random.randint(*span), random.randint(*span)
    gap = random.choice(["", "", "", " ", "\t"])
    here = f"{x}{gap},{y}"
    if model.block is not None:
        longest = {"SWAP2BOARD": 5, "BOARD": size * size}.get(model.block[0], 20)
        if random.random() < 2 / (2 + min(longest, 12)) or len(model.block[1]) >= longest:
            return "DONE"
        here += "" if model.block[0] == "SWAP2BOARD" else f",{random.choice('111222222234x')}"
        return here if random.random() < 0.99 else random.choice(["HELLO", "1", "", *WORDS])
    sizes = [5, 5, 6, 7, 9, 15, 20, 4, 21, 0, -5, "x", ""]
    one, two = random.choice(sizes), random.choice(sizes)
    infos = ("rule", "timeout_turn", "timeout_match", "time_left", "max_memory", "game_type",
             "folder", "evaluate", "max_node", "max_depth", "hash_size", "what", "")  # fmt: skip
    values = [0, 0, 1, 1, 2, 4, 5, 9, 350_000_000, -7, "x", "3,3", ""]
    line = random.choice(
        [f"TURN {here}"] * 12
        + [f"INFO {random.choice(infos)} {random.choice(values)}", "INFO rule 1", "INFO rule 0"] * 2
        + ["BOARD", "BOARD", "SWAP2BOARD", "YXBOARD", "BEGIN", "BEGIN", "ABOUT", "RESTART"]
        + [f"PLAY {here}", f"TAKEBACK {here}", f"TAKEBACK {here}", "YXSHOWFORBID", "YXSTOP"]
        + [f"START {one}", f"START {size}", f"RECTSTART {one},{two}", f"RECTSTART {size},{size}"]
        + [
            f"START {size} {size}",
            "DONE",
            "",
            here,
            f"{here},1",
            "TURN",
            "SUGGEST 1,1",
            "YXHASHCLEAR",
        ]
        + ["".join(chr(random.randrange(1, 0x3000)) for _ in range(random.randrange(12)))]
    )
    return "NOTHING" if line.upper().startswith("END") else line


def written(random: Random, line: str) -> str:
    """Return the line in some case, with blanks and an end."""
    text = random.choice([str, str.lower, str.upper, str.title])(line) if line.isascii() else line
    return random.choice(["", "", " "]) + text + random.choice(["\r\n", "\n", " \r\n", ""])


@pytest.mark.parametrize("dialect", [GOMOCUP, YIXIN])
@pytest.mark.parametrize("player", ["stub:random", "layered/casual:time_ms=0,table_bits=0", KEPT])
@settings(max_examples=EXAMPLES)
@given(seed=seeds)
def test_every_line_is_answered_once_in_its_form_and_no_move_is_illegal(
    dialect: str, player: str, seed: int
) -> None:
    random = Random(seed)
    model = Model(dialect)
    lines: list[str] = []
    brain = Brain(resolve(player), lines.append, dialect=dialect, seed=seed)
    for _ in range(LINES):
        line = written(
            random, spoken(random, model) if model.size or random.random() < 0.5 else "START 9"
        )
        lines.clear()
        assert brain.handle(line)
        form = model.expects(line)
        answers = [said for said in lines if not said.startswith("MESSAGE ")]
        assert all(said.isascii() and said.isprintable() for said in lines)
        assert len(answers) == (form is not None), (line, form, lines)
        assert answers or not lines, f"talk without an answer: {lines}"
        if form is not None:
            assert FORMS[form].fullmatch(answers[0]), (line, form, answers)
            model.learns(form, answers[0])
    brain.close()
