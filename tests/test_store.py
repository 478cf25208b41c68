import errno
import json
import os
import subprocess
import sys

import jsonschema
import pytest
from arena_tools import small_config

from gomoku_lab.arena.config import TournamentConfig
from gomoku_lab.arena.match import play_pair
from gomoku_lab.arena.store import (
    RunError,
    RunWriteError,
    RunWriter,
    canonical,
    load_run,
    score_of,
)
from gomoku_lab.game.record import GameRecord
from gomoku_lab.game.schemas import load_schema
from gomoku_lab.players.registry import make_player


def play_scheduled(config, count):
    """Play the first `count` pairs of `config` without any tournament machinery."""
    pairs = []
    for task in config.schedule()[:count]:
        first, second = (
            make_player(config.players[task.first]),
            make_player(config.players[task.second]),
        )
        pairs.append(
            play_pair(
                first,
                second,
                config.openings[task.opening],
                seeds=task.seeds,
                pair_id=task.id,
                refs=(config.refs[task.first], config.refs[task.second]),
            )
        )
    return pairs


CONFIG = small_config()
PAIRS = play_scheduled(CONFIG, 6)


@pytest.fixture
def folder(tmp_path):
    """A run folder with four whole pairs."""
    path = tmp_path / "run"
    writer = RunWriter.create(path, CONFIG)
    writer.append(PAIRS[:1])
    writer.append(PAIRS[1:4])
    writer.close()
    return path


def log_of(folder):
    return folder / "games.jsonl"


def test_a_run_comes_back_as_it_was_written(folder):
    run = load_run(folder)
    assert list(run.pairs) == PAIRS[:4]
    assert run.games() == [game for pair in PAIRS[:4] for game in pair]
    assert run.config == CONFIG
    assert not run.is_complete


def test_run_file_and_games_fit_their_schemas(folder):
    facts = json.loads((folder / "run.json").read_text())
    jsonschema.validate(facts, load_schema("run"))
    for line in log_of(folder).read_text().splitlines():
        jsonschema.validate(json.loads(line), load_schema("game"))


def test_the_run_file_says_where_the_run_came_from(folder):
    writer = RunWriter.resume(folder)
    writer.start_session(command=["gomoku-lab", "tournament"], jobs=2, backend="loky")
    writer.finish()
    writer.close()
    facts = load_run(folder).facts
    assert facts["command"] == ["gomoku-lab", "tournament"]
    assert {"python", "numpy", "numba"} <= set(facts["versions"])
    assert facts["started"] <= facts["ended"]
    assert facts["sessions"][0]["jobs"] == 2
    assert facts["hash"] == CONFIG.config_hash()
    assert facts["seed"] == CONFIG.seed


@pytest.mark.parametrize("line", [3, 8])
@pytest.mark.parametrize(
    "changes",
    [{"result": "draw"}, {"reason": "full board", "result": "draw"}, {"reason": "time"}],
)
def test_a_result_that_the_moves_deny_is_an_error_with_file_and_line(folder, line, changes):
    lines = log_of(folder).read_text().splitlines()
    game = json.loads(lines[line - 1])
    assert game["reason"] == "five"
    lines[line - 1] = json.dumps({**game, **changes})
    log_of(folder).write_text("\n".join(lines) + "\n")
    for read in (load_run, RunWriter.resume):
        with pytest.raises(RunError, match=rf"games.jsonl:{line}: game {game['id']}: result and"):
            read(folder)


def test_a_game_without_a_result_is_no_part_of_a_run(folder):
    lines = log_of(folder).read_text().splitlines()
    game = json.loads(lines[2])
    changes = {"moves": "", "opening_moves": 0, "result": "unknown", "reason": "unknown"}
    empty = dict.fromkeys(("nodes", "depth", "score", "time_ms"), ())
    lines[2] = json.dumps({**game, **changes, **empty})
    log_of(folder).write_text("\n".join(lines) + "\n")
    with pytest.raises(RunError, match=rf"games.jsonl:3: game {game['id']} has no result"):
        load_run(folder)
    with pytest.raises(ValueError, match="has no result"):
        score_of(GameRecord.from_dict(json.loads(lines[2])), game["black"]["name"])


def test_a_torn_last_line_is_ignored_when_reading(folder):
    with log_of(folder).open("a") as log:
        log.write('{"schema": 1, "id": "1-2-0')
    assert len(load_run(folder).pairs) == 4


@pytest.mark.parametrize("cut", [1, 2, 40, 400])
def test_wherever_the_log_is_torn_whole_pairs_remain_and_the_rest_is_cut_off(folder, cut):
    whole = log_of(folder).read_bytes()
    log_of(folder).write_bytes(whole[:-cut])
    kept = 4 if cut == 1 else 3  # without its newline the last game is still whole
    assert len(load_run(folder).pairs) == kept
    writer = RunWriter.resume(folder)
    assert len(writer.run.pairs) == kept
    writer.append(PAIRS[kept:5])
    writer.close()
    assert list(load_run(folder).pairs) == PAIRS[:5]


def test_torn_at_any_byte_the_log_resumes_to_the_same_games(folder):
    whole = log_of(folder).read_bytes()
    for length in range(0, len(whole), 97):
        log_of(folder).write_bytes(whole[:length])
        writer = RunWriter.resume(folder)
        kept = len(writer.run.pairs)
        writer.append(PAIRS[kept:4])
        writer.close()
        assert log_of(folder).read_bytes() == whole


@pytest.mark.parametrize("rubbish", ["{", "[]", '{"schema": 1}', "\x00\x00", ""])
def test_a_damaged_line_in_the_middle_is_an_error_with_file_and_line(folder, rubbish):
    lines = log_of(folder).read_text().splitlines()
    lines[2] = rubbish
    log_of(folder).write_text("\n".join(lines) + "\n")
    for read in (load_run, RunWriter.resume):
        with pytest.raises(RunError, match=r"games\.jsonl:3: damaged line"):
            read(folder)


def test_a_lost_line_in_the_middle_is_an_error(folder):
    lines = log_of(folder).read_text().splitlines()
    del lines[2]
    log_of(folder).write_text("\n".join(lines) + "\n")
    with pytest.raises(RunError, match=r"games\.jsonl:4: .*whose pair is not whole"):
        load_run(folder)


def test_a_pair_that_stands_twice_is_an_error(folder):
    text = log_of(folder).read_text()
    log_of(folder).write_text(text + "".join(text.splitlines(keepends=True)[:2]))
    with pytest.raises(RunError, match=r"games\.jsonl:9: .*played twice"):
        load_run(folder)


def test_games_of_another_run_are_an_error(folder):
    other = small_config(("stub:backward", "stub:random"))
    with log_of(folder).open("a") as log:
        for game in play_scheduled(other, 4)[3]:
            log.write(json.dumps(game.to_dict()) + "\n")
    with pytest.raises(RunError, match="1-2-0004: was played by"):
        load_run(folder)


def test_a_folder_with_a_run_is_not_written_over(folder):
    with pytest.raises(RunError, match=r"there is a run in this folder already.*--resume"):
        RunWriter.create(folder, CONFIG)


def test_an_unwritable_folder_is_an_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match="cannot write here: Not a directory"):
        RunWriter.create(tmp_path / "file" / "run", CONFIG)


def test_a_folder_without_a_run_is_an_error(tmp_path):
    with pytest.raises(RunError, match="no run in this folder"):
        load_run(tmp_path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda facts: facts["config"].update(seed=5), "hash .* but the run was started with"),
        (lambda facts: facts["config"].update(rule="standard"), "hash .* but the run was started"),
        (lambda facts: facts["config"]["openings"].pop(), "hash .* but the run was started"),
        (
            lambda facts: facts["config"]["players"][0]["config"].update(salt=9),
            "hash .* but the run was started with",
        ),
        (lambda facts: facts.update(schema=2), "schema must be 1: 2"),
        (lambda facts: facts.pop("config"), "the configuration cannot be read"),
        (lambda facts: facts["config"].update(rule="gomoku"), "cannot be read: rule must be one"),
    ],
)
def test_a_changed_run_file_is_refused(folder, change, message):
    facts = json.loads((folder / "run.json").read_text())
    change(facts)
    (folder / "run.json").write_text(json.dumps(facts))
    with pytest.raises(RunError, match=message):
        RunWriter.resume(folder)


def test_a_run_file_that_is_no_json_is_an_error(folder):
    (folder / "run.json").write_text("{")
    with pytest.raises(RunError, match=r"run\.json: not valid JSON"):
        load_run(folder)


def test_a_run_has_one_writer_at_a_time(folder):
    writer = RunWriter.resume(folder)
    with pytest.raises(RunError, match="another process is playing this run"):
        RunWriter.resume(folder)
    writer.close()
    RunWriter.resume(folder).close()


def refuse(code):
    """Return a system call that fails with `code`."""

    def call(*_, **__):
        raise OSError(code, os.strerror(code))

    return call


def full_after(room):
    """Return an `os.write` for a disk that takes `room` more bytes."""
    real = os.write

    def write(file, data):
        nonlocal room
        if not room:
            refuse(errno.ENOSPC)()
        taken = real(file, data[:room])
        room -= taken
        return taken

    return write


LINES = [json.dumps(game.to_dict(), separators=(",", ":")) for pair in PAIRS for game in pair]


ROOMS = {  # not named by their sizes, which depend on measured times
    "nothing": 0,
    "one byte": 1,
    "a game": len(LINES[8]),
    "a pair": len(LINES[8]) + len(LINES[9]) + 2,
    "some more": 1500,
}


@pytest.mark.parametrize("room", ROOMS.values(), ids=ROOMS)
def test_a_full_disk_is_an_error_and_leaves_a_run_that_can_be_resumed(folder, monkeypatch, room):
    whole = len("\n".join(LINES[:8])) + 1
    writer = RunWriter.resume(folder)
    monkeypatch.setattr(os, "write", full_after(room))
    with pytest.raises(RunWriteError, match=r"games\.jsonl: cannot be written: No space left"):
        writer.append(PAIRS[4:6])
    assert log_of(folder).stat().st_size == whole + room
    monkeypatch.undo()
    kept = len(load_run(folder).pairs)
    assert kept == (5 if room > len(LINES[8]) + len(LINES[9]) + 1 else 4)
    with pytest.raises(RunWriteError):  # it would stand behind half a line
        writer.append(PAIRS[4:6])
    writer.close()
    again = RunWriter.resume(folder)
    again.append(PAIRS[kept:6])
    again.close()
    assert list(load_run(folder).pairs) == PAIRS[:6]


def test_a_disk_that_takes_a_part_at_a_time_loses_nothing(folder, monkeypatch):
    writer = RunWriter.resume(folder)
    real = os.write
    monkeypatch.setattr(os, "write", lambda file, data: real(file, data[:50]))
    writer.append(PAIRS[4:6])
    monkeypatch.undo()
    writer.close()
    assert list(load_run(folder).pairs) == PAIRS[:6]


@pytest.mark.parametrize("step", ["start_session", "finish"])
def test_a_run_file_that_cannot_be_written_anew_stays_as_it_was(folder, monkeypatch, step):
    before = (folder / "run.json").read_bytes()
    writer = RunWriter.resume(folder)
    monkeypatch.setattr(os, "fsync", refuse(errno.ENOSPC))
    words = {"command": ["x"], "jobs": 1, "backend": "loky"} if step == "start_session" else {}
    with pytest.raises(RunWriteError, match=r"run\.json: cannot be written: No space left"):
        getattr(writer, step)(**words)
    assert before == (folder / "run.json").read_bytes()
    assert sorted(path.name for path in folder.iterdir()) == ["games.jsonl", "run.json"]
    assert writer.run.facts == json.loads(before)


def test_a_run_on_a_full_disk_is_not_begun_and_can_be_begun_later(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "fsync", refuse(errno.ENOSPC))
    with pytest.raises(RunError, match="cannot write here: No space left"):
        RunWriter.create(tmp_path / "run", CONFIG)
    monkeypatch.undo()
    RunWriter.create(tmp_path / "run", CONFIG).close()
    assert len(load_run(tmp_path / "run").pairs) == 0


def test_a_read_only_folder_can_be_read_but_neither_begun_nor_resumed(folder, monkeypatch):
    # Root may write anywhere, so the refusal of a read-only disk is put in its place.
    monkeypatch.setattr(os, "open", refuse(errno.EROFS))
    message = r"run: cannot write here: Read-only file system"
    with pytest.raises(RunError, match=message):
        RunWriter.resume(folder)
    assert len(load_run(folder).pairs) == 4
    (folder / "run.json").unlink()
    log_of(folder).unlink()
    with pytest.raises(RunError, match=message):
        RunWriter.create(folder, CONFIG)


def test_a_run_keeps_no_games_in_memory(folder):
    run = load_run(folder)
    assert len(run.pairs) == 4
    log_of(folder).rename(folder / "moved.jsonl")
    with pytest.raises(RunError, match=r"games\.jsonl: No such file"):
        list(run.pairs)


def test_pairs_appended_later_are_not_seen(folder):
    writer = RunWriter.resume(folder)
    before, after = writer.run, load_run(folder)
    writer.append(PAIRS[4:5])
    writer.close()
    assert list(before.pairs) == list(after.pairs) == PAIRS[:4]
    assert PAIRS[3] in before.pairs
    assert PAIRS[4] not in before.pairs
    assert list(load_run(folder).pairs) == PAIRS[:5]


def test_a_run_can_be_seen_as_if_only_some_pairs_were_played(folder):
    chosen = load_run(folder).only(pair[0].pair for pair in PAIRS[1:3])
    assert list(chosen.pairs) == PAIRS[1:3]
    assert len(chosen.pairs) == 2


def test_pair_counts_are_seen_from_the_first_player(folder):
    run = load_run(folder)
    first, second = (ref.name for ref in CONFIG.refs[:2])
    counts = run.pair_counts(first, second)
    assert counts == run.pair_counts(second, first)[::-1]
    played = [pair for pair in run.pairs if pair[0].pair.startswith("1-2-")]
    assert sum(counts) == len(played)
    score = sum(score_of(game, first) for pair in played for game in pair)
    assert score == sum(i * count for i, count in enumerate(counts)) / 2
    with pytest.raises(RunError, match="no player 'nobody'"):
        run.pair_counts("nobody", first)


def test_canonical_games_are_sorted_and_without_times(folder):
    games = load_run(folder).games()
    found = canonical(games[::-1])
    assert found == canonical(games)
    assert [game["id"] for game in found] == sorted(game.id for game in games)
    assert all("time_ms" not in game for game in found)


def test_a_configuration_comes_back_from_its_dictionary_with_the_same_hash():
    again = TournamentConfig.from_dict(json.loads(json.dumps(CONFIG.to_dict())))
    assert (again, again.config_hash()) == (CONFIG, CONFIG.config_hash())


def test_the_same_player_twice_gets_two_names():
    config = small_config(("stub:random", "stub:random"))
    assert [ref.name for ref in config.refs] == ["stub:random", "stub:random#2"]


def test_loading_a_run_imports_neither_numba_nor_pandas():
    code = (
        "import sys, gomoku_lab.arena.store;"
        "print([m for m in ('numba', 'pandas', 'matplotlib', 'joblib') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_killed_before_the_run_file_was_written_a_run_can_be_started_again(tmp_path):
    log_of(tmp_path).write_text("")
    RunWriter.create(tmp_path, CONFIG).close()
    assert len(load_run(tmp_path).pairs) == 0
