"""Pieces of HTML that the report is put together from: the page, its style, tables, lists.

Every piece escapes the words that it is given. It knows nothing about games.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from html import escape
from typing import Final

STYLE: Final = """
:root { color-scheme: light dark; --ink: #1c2024; --page: #ffffff; --faint: #667079;
  --line: #d5dae0; --shade: #f2f4f7; --alarm: #8a4b00; --alarm-page: #fff4e0; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e7ea; --page: #15181c; --faint: #98a2ac;
  --line: #363c44; --shade: #1e2228; --alarm: #ffc772; --alarm-page: #33260f; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 68rem; color: var(--ink); background: var(--page);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: .5rem 0; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1.2rem 0 .4rem; }
.faint, caption, figcaption { color: var(--faint); font-size: .9rem; text-align: left; }
.wide { overflow-x: auto; margin: .5rem 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
caption { caption-side: bottom; padding-top: .4rem; }
th, td { padding: .3rem .7rem; border-bottom: 1px solid var(--line); text-align: right;
  white-space: nowrap; }
th { font-weight: 600; background: var(--shade); }
.text { text-align: left; }
td.text { white-space: normal; overflow-wrap: break-word; max-width: 24rem; }
figure { margin: .5rem 0; }
figure svg { display: block; width: 100%; height: auto; color: var(--ink); }
figure > svg { max-width: 28rem !important; }
.warnings { color: var(--alarm); background: var(--alarm-page); border-radius: .5rem;
  padding: .6rem 1rem .6rem 2rem; }
dl { display: grid; grid-template-columns: minmax(7rem, max-content) 1fr; gap: .2rem 1rem; }
dt { color: var(--faint); }
dd { margin: 0; }
pre { padding: .7rem; background: var(--shade); border-radius: .5rem; overflow-x: auto;
  font-size: .85rem; }
summary { cursor: pointer; padding: .15rem 0; }
@media (max-width: 40rem) { dl { grid-template-columns: 1fr; } dd { margin-bottom: .4rem; } }
@media print { body { max-width: none; } .wide { overflow: visible; } }
"""


def page_html(title: str, body: Iterable[str]) -> str:
    """Return a whole page; its policy forbids the browser to load or run anything."""
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta http-equiv="Content-Security-Policy" '
            "content=\"default-src 'none'; style-src 'unsafe-inline'\">",
            f"<title>{escape(title)}</title><style>{STYLE}</style></head><body>",
            *(part for part in body if part),
            "</body></html>\n",
        ]
    )


def table_html(
    head: Sequence[str],
    rows: Iterable[Sequence[str]],
    caption: str,
    text: Collection[int] = (0,),
) -> str:
    """Return a table that scrolls by itself where the page is narrow.

    The columns in `text` hold words, the others numbers.
    """

    def line(cells: Sequence[str], tag: str) -> str:
        kinds = (' class="text"' if column in text else "" for column in range(len(cells)))
        return "".join(
            f"<{tag}{kind}>{breakable(cell) if kind else escape(cell)}</{tag}>"
            for kind, cell in zip(kinds, cells, strict=True)
        )

    body = "".join(f"<tr>{line(row, 'td')}</tr>\n" for row in rows)
    return (
        f'<div class="wide"><table><caption>{escape(caption)}</caption>'
        f"<thead><tr>{line(head, 'th')}</tr></thead>\n<tbody>\n{body}</tbody></table></div>"
    )


def breakable(text: str) -> str:
    """Return escaped text that may be broken after marks of punctuation inside a word."""
    return "<wbr>".join(escape(part) for part in re.split(r"(?<=[:,@])(?=\S)", text))


def facts_html(facts: Iterable[tuple[str, str]]) -> str:
    """Return a list of names and what they are; those without a value are left out."""
    items = (f"<dt>{escape(key)}</dt><dd>{escape(value)}</dd>" for key, value in facts if value)
    return f"<dl>{''.join(items)}</dl>"


def details_html(summary: str, text: str) -> str:
    """Return preformatted text that is folded away under a summary."""
    return f"<details><summary>{escape(summary)}</summary><pre>{escape(text)}</pre></details>"


def list_html(items: Sequence[str], css_class: str = "") -> str:
    """Return a list, or nothing if it would be empty."""
    kind = f' class="{css_class}"' if css_class else ""
    entries = "".join(f"<li>{escape(item)}</li>" for item in items)
    return f"<ul{kind}>{entries}</ul>" if items else ""
