"""The C library: its structures, which are those of ptxlit.h, and its calls.

The library is PTXLIT_LIBRARY, beside this file, or the system's."""

import ctypes
import os
import sys
from typing import Any, Optional

OK, UNMET, BAD_INPUT, NO_VERDICT = range(4)
TEXT, JSON = 0, 1
SVG = 2
# The words of enumerations, in the order of ptxlit.h; fields take a word or its number.
_WORDS = {
    "engine": ("sat", "enumerate"),
    "progress": ("fair", "hsa", "obe", "lobe"),
    "mixed": ("none", "objects", "accesses"),
    "pick": ("auto", "witness", "forbidden", "all", "deadlock"),
}


class Options(ctypes.Structure):
    """struct ptxlit_options; tests/python/run compares it with the header."""

    _fields_ = [
        ("engine", ctypes.c_int),
        ("all_state", ctypes.c_bool),
        ("implicit_locations", ctypes.c_bool),
        ("dat3m_dialect", ctypes.c_bool),
        ("compiler", ctypes.c_char_p),
        ("compiler_flags", ctypes.c_char_p),
        ("untrusted", ctypes.c_bool),
        ("async_race", ctypes.c_bool),
        ("termination", ctypes.c_bool),
        ("progress", ctypes.c_int),
        ("unroll", ctypes.c_uint),
        ("grid_at_most", ctypes.c_uint),
        ("verdict_only", ctypes.c_bool),
        ("executions", ctypes.c_bool),
        ("races", ctypes.c_bool),
        ("without", ctypes.c_char_p),
        ("timeout", ctypes.c_double),
        ("max_outcomes", ctypes.c_uint64),
        ("count_races", ctypes.c_bool),
        ("colour", ctypes.c_bool),
        ("verbose", ctypes.c_bool),
        ("keep", ctypes.c_char_p),
        ("same_names", ctypes.c_bool),
        ("certify", ctypes.c_bool),
    ]


class DrawOptions(ctypes.Structure):
    _fields_ = [
        ("format", ctypes.c_int),
        ("pick", ctypes.c_int),
        ("show", ctypes.POINTER(ctypes.c_char_p)),
        ("show_count", ctypes.c_size_t),
        ("state", ctypes.c_char_p),
        ("dark", ctypes.c_bool),
        ("steps", ctypes.c_bool),
        ("scale", ctypes.c_uint),
        ("width", ctypes.c_uint),
    ]


class LaunchText(ctypes.Structure):
    """struct ptxlit_launch"""

    _fields_ = [("text", ctypes.c_char_p), ("module", ctypes.c_char_p), ("before", ctypes.c_size_t)]


class Drawing(ctypes.Structure):
    _fields_ = [("data", ctypes.c_char_p), ("size", ctypes.c_size_t)]


class FixOptions(ctypes.Structure):
    _fields_ = [
        ("weaken", ctypes.c_bool),
        ("races", ctypes.c_bool),
        ("changes", ctypes.c_uint32),
        ("ways", ctypes.c_uint32),
    ]


class MapOptions(ctypes.Structure):
    _fields_ = [
        ("scopes", ctypes.c_char_p),
        ("placements", ctypes.c_char_p),
        ("operations", ctypes.c_char_p),
        ("shape", ctypes.c_char_p),
        ("model", ctypes.c_char_p),
        ("events", ctypes.c_uint),
        ("threads", ctypes.c_uint),
        ("locations", ctypes.c_uint),
        ("length", ctypes.c_uint),
        ("mixed", ctypes.c_int),
        ("old_sequences", ctypes.c_bool),
    ]


def to_bytes(text: Any) -> bytes:
    """Encodes a path or text for C; refuses NUL bytes."""
    data = os.fsencode(text)
    if b"\0" in data:
        raise ValueError(f"there is a NUL in {text!r}")
    return data


def to_string(data: bytes) -> str:
    """Decodes a text of the library; paths keep undecodable bytes."""
    return data.decode("utf-8", "surrogateescape")


def _fit(kind: Any, name: str, value: Any) -> Any:
    """Checks a value for a field of this type, since ctypes would wrap it; errors are worded as the tool's."""
    most = 1 if kind is ctypes.c_bool else (1 << 8 * ctypes.sizeof(kind)) - 1
    takes = f"a whole number from 0 to {most}"
    if kind is ctypes.c_char_p:
        return None if value is None else to_bytes(value)
    if name in _WORDS:
        most, takes = len(_WORDS[name]) - 1, "one of " + "|".join(_WORDS[name])
        value = _WORDS[name].index(value) if value in _WORDS[name] else value
    if kind is ctypes.c_double:
        most, takes = sys.float_info.max, "seconds from 0"
    whole = isinstance(value, int) or (kind is ctypes.c_double and isinstance(value, float))
    if not whole or not 0 <= value <= most:
        raise ValueError(f"{name} does not take '{value}'\n    hint: it takes {takes}")
    return value


def fill(fields: ctypes.Structure, **values: Any) -> Any:
    kinds = dict(fields._fields_)
    for name, value in values.items():
        if name not in kinds:
            raise TypeError(f"there is no option '{name}'")
        setattr(fields, name, _fit(kinds[name], name, value))
    return fields


HERE = os.path.dirname(os.path.abspath(__file__))


def model_directory() -> Optional[str]:
    """PTXLIT_MODELS, or the models that a wheel has beside this file; None: those that are installed."""
    beside = os.path.join(HERE, "models")
    return os.environ.get("PTXLIT_MODELS") or (beside if os.path.isdir(beside) else None)


def _find_library() -> str:
    beside = os.path.join(HERE, "libptxlit.so")
    asked = os.environ.get("PTXLIT_LIBRARY")
    if asked or os.path.exists(beside):
        return asked or beside
    return "libptxlit.so.0"


def _load() -> ctypes.CDLL:
    try:
        library = ctypes.CDLL(_find_library())
    except OSError as error:
        raise ImportError(f"{error}: set PTXLIT_LIBRARY to libptxlit.so (make shared builds one)") from error
    session, index, text = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p
    told = ctypes.POINTER(ctypes.c_char_p)
    calls = {
        "version": (text, []),
        "new": (session, []),
        "free": (None, [session]),
        "defaults": (Options, []),
        "set_options": (None, [session, ctypes.POINTER(Options)]),
        "messages": (text, [session, ctypes.c_bool]),
        "add_model_dir": (ctypes.c_int, [session, text]),
        "use_model": (ctypes.c_int, [session, text]),
        "model_count": (index, [session]),
        "model_name": (text, [session, index]),
        "read_file": (ctypes.c_int, [session, text]),
        "read_text": (ctypes.c_int, [session, text, text, index]),
        "read_launch": (ctypes.c_int, [session, ctypes.POINTER(LaunchText)]),
        "test_count": (index, [session]),
        "test_name": (text, [session, index]),
        "check": (ctypes.c_int, [session, index, index, ctypes.POINTER(ctypes.c_void_p)]),
        "render": (text, [session, ctypes.c_void_p, ctypes.c_int]),
        "explain": (ctypes.c_int, [session, index, index, text, ctypes.c_int, told]),
        "fix": (ctypes.c_int, [session, index, index, ctypes.POINTER(FixOptions), ctypes.c_int, told]),
        "races": (ctypes.c_int, [session, index, index, ctypes.c_int, told]),
        "draw": (ctypes.c_int, [session, index, index, ctypes.POINTER(DrawOptions),
                                ctypes.POINTER(ctypes.POINTER(Drawing)), ctypes.POINTER(index)]),
        "map_defaults": (MapOptions, []),
        "map": (ctypes.c_int, [session, told, ctypes.c_uint, ctypes.POINTER(MapOptions), ctypes.c_int, told]),
    }
    for name, (result, arguments) in calls.items():
        call = getattr(library, "ptxlit_" + name)
        call.restype, call.argtypes = result, arguments
    return library


library = _load()


def version() -> str:
    return library.ptxlit_version().decode()


