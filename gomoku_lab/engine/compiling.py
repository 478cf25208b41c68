"""Telling that kernels are compiled, which happens once and takes a while. It compiles nothing."""

from __future__ import annotations

import logging
from collections.abc import Callable
from importlib import import_module
from typing import Any

_log = logging.getLogger(__name__)
_asked: set[str] = set()


def tell_compiling(
    kernel: str, sentence: str, progress: Callable[[str], None] | None = None
) -> None:
    """Say `sentence` if the cache is without machine code of a kernel; to be called before its use.

    Only the first call in a process for each kernel looks.

    Parameters
    ----------
    kernel : str
        ``module.function``.
    sentence : str
        What is compiled, and how long that takes.
    progress : callable, optional
        Told the sentence. By default it goes to the log as a warning, which Python prints on stderr
        unless somebody has set up logging.
    """
    if kernel in _asked:
        return
    _asked.add(kernel)
    from gomoku_lab.kernels._jit import COMPILED, is_cached

    if COMPILED and not is_cached(kernel):
        (progress or _log.warning)(sentence)


class LateModule:
    """Stands for a module that is imported when something of it is first used.

    Importing kernels that call themselves compiles them, before anybody could tell it.
    """

    def __init__(self, name: str) -> None:
        self._module = name

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self._module), name)
