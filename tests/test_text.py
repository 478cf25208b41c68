"""From bytes to text: UTF-8 and the encodings in which old programs wrote names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomoku_lab.game.formats.text import check_line, decode_foreign, decode_lines, decode_text


@given(st.text())
def test_utf8_is_read_as_utf8_whatever_is_declared(text):
    expected = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
    data = text.encode()
    assert expected == decode_text(data, "a")
    for declared in ("", "UTF-8", "no such encoding", "Shift_JIS", "hex", "\x00"):
        assert expected == decode_foreign(data, declared)[0]


@pytest.mark.parametrize(
    ("text", "encoding", "declared", "found"),
    [
        ("黑棋 张三", "gb2312", "", "gb2312"),
        ("黑棋 张三", "gb2312", "UTF-8", "gb2312"),
        ("直", "gb2312", "GB2312", "gb2312"),  # its bytes are UTF-8 of something else, too
        ("五目並べの名人", "cp932", "", "cp932"),
        ("表示", "cp932", "GB2312", "cp932"),
        ("張瑋瑋", "gbk", "", "gb18030"),
        ("張瑋瑋", "gbk", "GBK", "gbk"),
        ("José", "latin-1", "", "latin-1"),
        ("Řehoř", "cp1250", "windows-1250", "cp1250"),
    ],
)
def test_old_encodings_are_recognised(text, encoding, declared, found):
    assert (text, found) == decode_foreign(text.encode(encoding), declared)


@given(st.binary())
def test_any_bytes_are_some_text(data):
    text, encoding = decode_foreign(data)
    assert isinstance(text, str)
    assert encoding in ("utf-8", "gb2312", "cp932", "gb18030", "latin-1")


@given(st.lists(st.binary(max_size=8).filter(lambda line: not set(line) & set(b"\r\n"))))
def test_a_line_is_good_exactly_if_it_is_utf8_alone(lines):
    data = b"\n".join(lines)
    found = decode_lines(data).split("\n") if lines else []
    assert len(lines) == len(found)
    for line, text in zip(lines, found, strict=True):
        try:
            expected = line.decode("utf-8")
        except UnicodeDecodeError:
            with pytest.raises(ValueError, match=r"^byte 0x[89a-f][0-9a-f] is not UTF-8: "):
                check_line(text)
        else:
            check_line(text)
            assert expected.removeprefix("\ufeff") == text.removeprefix("\ufeff")
