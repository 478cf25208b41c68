"""Figures as SVG elements to stand inside an HTML page, with text in the page's own colour."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from html import escape
from io import StringIO
from typing import TYPE_CHECKING, Any, Final

from gomoku_lab.plots import prepare_matplotlib

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_INK: Final = "#010203"
"""Stands for the colour of text while a figure is drawn; the page fills in its own."""

_LEAST_REM: Final = 3.8
_MOST_REM: Final = 7.0
"""Least and greatest width on the page for each inch of the figure, in the page's letter size."""

_INKED: Final = ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color")


def figure_html(
    draw: Callable[[Axes], None], name: str, caption: str, inches: tuple[float, float]
) -> str:
    """Return a figure with its caption; parameters are as for `figure_svg`."""
    svg = figure_svg(draw, name=name, description=caption, inches=inches)
    text = escape(caption)
    return f'<figure><div class="wide">{svg}</div><figcaption>{text}</figcaption></figure>'


def figure_svg(
    draw: Callable[[Axes], None], *, name: str, description: str, inches: tuple[float, float]
) -> str:
    """Return what `draw` draws on an Axes as one SVG element.

    Parameters
    ----------
    draw : callable
        Draws on the Axes that it is given.
    name : str
        Keeps the ids of several figures in one page apart.
    description : str
        What the figure shows, for those who do not see it.
    inches : tuple of float
        Width and height, which set how large text is beside the rest; the page may scale it.
    """
    prepare_matplotlib()
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    buffer = StringIO()
    # Any: the stubs know settings only by their literal names.
    settings: dict[Any, Any] = {
        **dict.fromkeys(_INKED, _INK),
        "svg.fonttype": "none",
        "axes.unicode_minus": False,
        "svg.hashsalt": name,
    }
    with rc_context(settings), warnings.catch_warnings():
        # The page's reader has fonts for more scripts than matplotlib has, which only measures.
        warnings.filterwarnings("ignore", message="Glyph .* missing", category=UserWarning)
        figure = Figure(figsize=inches, layout="constrained")
        draw(figure.add_subplot())
        # Laid out here, once: saving would draw the whole figure for it a second time.
        layout = figure.get_layout_engine()
        assert layout is not None
        layout.execute(figure)
        figure.set_layout_engine(None)
        figure.savefig(buffer, format="svg", transparent=True)
    svg = buffer.getvalue()
    svg = svg[svg.index("<svg") :].strip()
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r'( id="| xlink:href="#|url\(#)', rf"\g<1>{name}-", svg)
    svg = re.sub(r' (?:width|height)="[\d.]+pt"', "", svg)
    svg = svg.replace(_INK, "currentColor")
    widths = f"min-width:{inches[0] * _LEAST_REM:.0f}rem;max-width:{inches[0] * _MOST_REM:.0f}rem"
    head = f'<svg role="img" aria-label="{escape(description)}" style="{widths}"'
    return svg.replace("<svg", head, 1)
