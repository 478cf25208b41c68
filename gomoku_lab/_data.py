"""Where the data files that ship with the package are: positions, openings, notebooks, games.

In a checkout they stand at the top level, in an installed wheel below ``gomoku_lab/_shipped``. This
module finds them; it does not read them.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def data_path(*parts: str) -> Path:
    """Return the path of a shipped file or folder, such as ``data_path("positions")``.

    Raises
    ------
    FileNotFoundError
        If neither the installed package nor the checkout holds it.
    """
    places = (_PACKAGE / "_shipped", _PACKAGE.parent)
    for place in places:
        path = place.joinpath(*parts)
        if path.exists():
            return path
    wanted = "/".join(parts)
    raise FileNotFoundError(
        f"shipped data {wanted!r} is missing: looked in {places[0]} and {places[1]}"
    )
