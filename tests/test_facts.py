"""Files of a run folder are written whole; links and pipes stay what they are."""

import os
import threading

import pytest

from gomoku_lab.arena.facts import write_whole


def test_a_link_stays_and_its_file_is_replaced(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    file = tmp_path / "elsewhere" / "page.html"
    link = tmp_path / "page.html"
    link.symlink_to(file)
    for text in ("made", "replaced"):
        write_whole(link, text)
        assert link.is_symlink()
        assert text == file.read_text(encoding="utf-8")
    assert [link, file.parent] == sorted(tmp_path.iterdir(), reverse=True)
    assert [file] == list(file.parent.iterdir())


def test_a_pipe_is_written_to_and_stays(tmp_path):
    pipe = tmp_path / "page.html"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text(encoding="utf-8")))
    reader.start()
    write_whole(pipe, "text")
    reader.join()
    assert ["text"] == read
    assert pipe.is_fifo()
    assert [pipe] == list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["folder", "nowhere/page.html"])
def test_what_cannot_be_written_is_named(name, tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match=name):
        write_whole(tmp_path / name, "text")
    assert ["folder"] == sorted(path.name for path in tmp_path.rglob("*"))
