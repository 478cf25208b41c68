"""Tables and lists of facts as HTML for notebooks: the standard library alone, no style sheet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape


def table_html(title: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table with its title as caption; `head` may be empty."""
    cells = [("th", head)] if head else []
    lines = "".join(
        "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in row) + "</tr>"
        for tag, row in [*cells, *(("td", row) for row in rows)]
    )
    caption = f"<caption>{escape(title)}</caption>" if title else ""
    return f'<table style="font-variant-numeric:tabular-nums">{caption}{lines}</table>'


def beside_html(*blocks: str) -> str:
    """Return blocks side by side, or one below the other where there is no room."""
    return (
        '<div style="display:flex;flex-wrap:wrap;gap:1em;align-items:flex-start">'
        + "".join(f"<div>{block}</div>" for block in blocks)
        + "</div>"
    )
