"""The one place that imports numba: the `kernel` decorator, its cache folder, two intrinsics.

numba's own cache watches only the file a function stands in, so an edited callee elsewhere would
leave a caller on old machine code. Here the cache folder is named by a hash of all kernel sources,
numba's version and the bounds-check flag: any change compiles everything anew, once.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import numba
import numpy as np
import platformdirs
from llvmlite import ir
from numba.core import cgutils as _untyped_cgutils
from numba.core import types
from numba.extending import intrinsic

Function = TypeVar("Function", bound=Callable[..., Any])

# numba's settings and code builders carry no types.
_config: Any = numba.config
cgutils: Any = _untyped_cgutils

COMPILED = not _config.DISABLE_JIT
"""False under ``NUMBA_DISABLE_JIT=1``, where every kernel is plain Python."""

CACHE_VARIABLE = "GOMOKU_LAB_CACHE"
"""Environment variable that overrides the folder of the compiled kernels."""

_BOUNDS_CHECK = os.environ.get("NUMBA_BOUNDSCHECK", "0") not in ("", "0")
# The clock of `time.monotonic_ns`, which sets the deadlines: on macOS that is CLOCK_UPTIME_RAW.
_CLOCK_MONOTONIC = 8 if sys.platform == "darwin" else 1
_NANOSECONDS = 1_000_000_000

_kernels: list[Any] = []


def _load_numba_without_scipy() -> None:
    """Let numba take SciPy's BLAS on trust while it loads; code that uses BLAS checks it anyway.

    numba imports ``scipy.linalg`` only to see whether it can be imported, which is a fifth of the
    time that loading our kernels takes, and none of them uses it.
    """
    linalg: Any = importlib.import_module("numba.np.linalg")
    check = linalg.ensure_blas
    linalg.ensure_blas = lambda: None
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = check


if COMPILED:
    _load_numba_without_scipy()


def _source_hash() -> str:
    digest = hashlib.sha256(f"{numba.__version__} {_BOUNDS_CHECK}".encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.name.encode() + source.read_bytes())
    return digest.hexdigest()[:16]


def _cache_folder() -> Path:
    """Return a writable folder for this version's machine code."""
    chosen = os.environ.get(CACHE_VARIABLE)
    root = Path(chosen) if chosen else platformdirs.user_cache_path("gomoku_lab")
    folder = root / f"kernels-{_source_hash()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        if chosen:
            raise OSError(
                f"{CACHE_VARIABLE}={chosen!r} is not a writable folder: {error}"
            ) from error
        fallback = Path(tempfile.gettempdir()) / f"gomoku_lab-{os.getuid()}" / folder.name
        fallback.mkdir(parents=True, exist_ok=True)
        return fallback
    return folder


CACHE_FOLDER = _cache_folder()
"""Where the machine code of these sources lies."""


def kernel(signature: Any = None) -> Callable[[Function], Function]:
    """Compile a function with the project's one set of flags.

    Parameters
    ----------
    signature : numba signature, optional
        Needed for a kernel that calls itself; it is then compiled (or loaded) at import.
    """

    def decorate(function: Function) -> Function:
        before = _config.CACHE_DIR
        _config.CACHE_DIR = str(CACHE_FOLDER)
        try:
            compiled: Any = numba.njit(
                signature,
                cache=True,
                nogil=True,
                error_model="numpy",
                boundscheck=_BOUNDS_CHECK,
            )(function)
        finally:
            _config.CACHE_DIR = before
        _kernels.append(compiled)
        return compiled  # type: ignore[no-any-return]

    return decorate


def compiled_forms() -> dict[str, int]:
    """Count the compiled versions of each kernel; after a search each has exactly one."""
    return {
        f"{one.py_func.__module__}.{one.py_func.__qualname__}": len(one.signatures)
        for one in _kernels
        if hasattr(one, "py_func")
    }


def is_cached(name: str) -> bool:
    """Tell whether machine code of the kernel ``module.function`` lies in the cache folder."""
    return any(CACHE_FOLDER.rglob(f"{name}-*.nbc"))


def record_type(dtype: np.dtype[Any]) -> Any:
    """Return numba's type of one record of `dtype`."""
    return numba.from_dtype(dtype)


def array_type(dtype: np.dtype[Any]) -> Any:
    """Return numba's type of a contiguous one-dimensional array of `dtype`."""
    return numba.types.Array(numba.from_dtype(dtype), 1, "C")


int64 = types.int64
void = types.void

Word: TypeAlias = Any
"""An int64 inside a kernel: sometimes a Python int, sometimes a NumPy scalar, compiled the same."""


@intrinsic
def _clock_intrinsic(typing_context: Any) -> Any:
    """Read the monotonic clock without the interpreter: about 45 ns, no GIL."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word = ir.IntType(64)
        timespec = ir.LiteralStructType([word, word])
        spec = cgutils.alloca_once(builder, timespec)
        function_type = ir.FunctionType(ir.IntType(32), [ir.IntType(32), timespec.as_pointer()])
        function = cgutils.get_or_insert_function(builder.module, function_type, "clock_gettime")
        builder.call(function, [ir.Constant(ir.IntType(32), _CLOCK_MONOTONIC), spec])
        seconds = builder.load(cgutils.gep_inbounds(builder, spec, 0, 0))
        nanoseconds = builder.load(cgutils.gep_inbounds(builder, spec, 0, 1))
        return builder.add(builder.mul(seconds, ir.Constant(word, _NANOSECONDS)), nanoseconds)

    return types.int64(), codegen


@intrinsic
def _trailing_zeros_intrinsic(typing_context: Any, value: Any) -> Any:
    """Count the zero bits below the lowest set bit; `value` must not be 0."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), codegen


@intrinsic
def _fetch_intrinsic(typing_context: Any, array: Any, index: Any) -> Any:
    """Ask for the cache line of an array's element; nothing waits for it."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = signature.args[0]
        held = context.make_array(kind)(context, builder, arguments[0])
        pointer = builder.bitcast(
            cgutils.get_item_pointer(context, builder, kind, held, [arguments[1]]),
            ir.IntType(8).as_pointer(),
        )
        word = ir.IntType(32)
        function_type = ir.FunctionType(ir.VoidType(), [pointer.type, word, word, word])
        function = cgutils.get_or_insert_function(
            builder.module, function_type, "llvm.prefetch.p0i8"
        )
        builder.call(function, [pointer, ir.Constant(word, 0), ir.Constant(word, 3), word(1)])
        return context.get_dummy_value()

    return types.void(array, types.int64), codegen


if COMPILED:

    @kernel()
    def clock_ns() -> Word:
        """Return the monotonic clock in nanoseconds."""
        return _clock_intrinsic()  # type: ignore[call-arg]

    @kernel()
    def trailing_zeros(value: Any) -> Word:
        """Return the index of the lowest set bit of a uint64 that is not 0."""
        return np.int64(_trailing_zeros_intrinsic(value))  # type: ignore[call-arg]

    @kernel()
    def fetch(array: Any, index: Word) -> None:
        """Have an element brought near, to be read soon; `index` must be one of the array."""
        _fetch_intrinsic(array, index)  # type: ignore[call-arg]

else:

    def clock_ns() -> Word:
        """Return the monotonic clock in nanoseconds."""
        return time.monotonic_ns()

    def trailing_zeros(value: Any) -> Word:
        """Return the index of the lowest set bit of a uint64 that is not 0."""
        number = int(value)
        return (number & -number).bit_length() - 1

    def fetch(array: Any, index: Word) -> None:
        """Do nothing: only compiled code can have an element brought near."""
