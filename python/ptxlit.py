"""The final states of PTX litmus tests that a memory consistency model allows.

    import ptxlit

    with ptxlit.Session("ptx", "sc") as session:
        for test in session.read_file("litmus/classic/SB.litmus"):
            for result in test.check():
                print(result.model, result.verdict, [o.state for o in result.outcomes])

A thin layer over the C library libptxlit; ptxlit.h documents it. Results are frozen dataclasses. An unreferenced
session closes itself. Threads may share a session: its calls are serialized. Hold `session.lock` from reading an input
to the last call about it. The library is PTXLIT_LIBRARY, beside this file, or the system's; models are in PTXLIT_MODELS
or the installed directory.
"""

import ctypes
import dataclasses
import functools
import json
import os
import sys
import threading
import weakref
from typing import Any, Callable, Mapping, Optional, Sequence, Tuple, Union

__all__ = ["Error", "Outcome", "Picture", "Result", "Session", "Test", "Text", "version"]


class Error(Exception):
    """A test, a model or a state is wrong, or memory ran out. The text is the library's messages."""


@dataclasses.dataclass(frozen=True)
class Outcome:
    state: Mapping[str, Any]  # "0:r0" -> 1
    satisfies: bool  # the predicate of the condition


@dataclasses.dataclass(frozen=True)
class Result:
    test: str
    model: str
    verdict: str  # "allowed", "forbidden", "undefined" or "unknown"
    observation: Optional[str]  # "Never", "Sometimes" or "Always"
    holds: Optional[bool]  # the condition with its quantifier
    outcomes: Optional[Tuple[Outcome, ...]]  # None where they were not listed
    expected: Optional[Mapping[str, Any]]  # the Expect= value, and if it is met
    reason: Optional[str]  # why it is undefined or unknown
    json: Mapping[str, Any] = dataclasses.field(repr=False)  # all of it: docs/json.md
    messages: str = dataclasses.field(default="", repr=False)  # warnings


@dataclasses.dataclass(frozen=True)
class Text:
    """A text answer; `json` has the same as data."""

    text: str
    json: Mapping[str, Any] = dataclasses.field(repr=False)

    def __str__(self) -> str:
        return self.text


@dataclasses.dataclass(frozen=True)
class Picture:
    """A picture of an execution; notebooks show it."""

    svg: str = dataclasses.field(repr=False)

    def _repr_svg_(self) -> str:
        return self.svg


_OK, _UNMET, _BAD_INPUT, _NO_VERDICT = range(4)
_TEXT, _JSON = 0, 1
_SVG = 2
# The words of enumerations, in the order of ptxlit.h; fields take a word or its number.
_WORDS = {
    "engine": ("sat", "enumerate"),
    "progress": ("fair", "hsa", "obe", "lobe"),
    "mixed": ("none", "objects", "accesses"),
    "pick": ("auto", "witness", "forbidden", "all", "deadlock"),
}


class _Options(ctypes.Structure):
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
        ("never_compile", ctypes.c_bool),
        ("same_names", ctypes.c_bool),
        ("certify", ctypes.c_bool),
    ]


class _DrawOptions(ctypes.Structure):
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


class _Drawing(ctypes.Structure):
    _fields_ = [("data", ctypes.c_char_p), ("size", ctypes.c_size_t)]


class _FixOptions(ctypes.Structure):
    _fields_ = [
        ("weaken", ctypes.c_bool),
        ("races", ctypes.c_bool),
        ("changes", ctypes.c_uint32),
        ("ways", ctypes.c_uint32),
    ]


class _MapOptions(ctypes.Structure):
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
        ("weakest", ctypes.c_bool),
    ]


def _bytes(text: Any) -> bytes:
    """Encodes a path or text for C; refuses NUL bytes."""
    data = os.fsencode(text)
    if b"\0" in data:
        raise ValueError(f"there is a NUL in {text!r}")
    return data


def _string(data: bytes) -> str:
    """Decodes a text of the library; paths keep undecodable bytes."""
    return data.decode("utf-8", "surrogateescape")


def _fit(kind: Any, name: str, value: Any) -> Any:
    """Checks a value for a field of this type, since ctypes would wrap it; errors are worded as the tool's."""
    most = 1 if kind is ctypes.c_bool else (1 << 8 * ctypes.sizeof(kind)) - 1
    takes = f"a whole number from 0 to {most}"
    if kind is ctypes.c_char_p:
        return None if value is None else _bytes(value)
    if name in _WORDS:
        most, takes = len(_WORDS[name]) - 1, "one of " + "|".join(_WORDS[name])
        value = _WORDS[name].index(value) if value in _WORDS[name] else value
    if kind is ctypes.c_double:
        most, takes = sys.float_info.max, "seconds from 0"
    whole = isinstance(value, int) or (kind is ctypes.c_double and isinstance(value, float))
    if not whole or not 0 <= value <= most:
        raise ValueError(f"{name} does not take '{value}'\n    hint: it takes {takes}")
    return value


def _set(fields: ctypes.Structure, **values: Any) -> Any:
    kinds = dict(fields._fields_)
    for name, value in values.items():
        if name not in kinds:
            raise TypeError(f"there is no option '{name}'")
        setattr(fields, name, _fit(kinds[name], name, value))
    return fields


def _alone(call: Callable) -> Callable:
    """Serializes calls: the library's strings live only until the next call."""
    @functools.wraps(call)
    def locked(self: Any, *arguments: Any, **named: Any) -> Any:
        with self.lock:
            return call(self, *arguments, **named)
    return locked


def _find_library() -> str:
    here = os.path.dirname(os.path.abspath(__file__))
    beside = os.path.join(here, "libptxlit.so")
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
        "defaults": (_Options, []),
        "set_options": (None, [session, ctypes.POINTER(_Options)]),
        "messages": (text, [session, ctypes.c_bool]),
        "add_model_dir": (ctypes.c_int, [session, text]),
        "use_model": (ctypes.c_int, [session, text]),
        "model_count": (index, [session]),
        "model_name": (text, [session, index]),
        "read_file": (ctypes.c_int, [session, text]),
        "read_text": (ctypes.c_int, [session, text, text, index]),
        "test_count": (index, [session]),
        "test_name": (text, [session, index]),
        "check": (ctypes.c_int, [session, index, index, ctypes.POINTER(ctypes.c_void_p)]),
        "render": (text, [session, ctypes.c_void_p, ctypes.c_int]),
        "explain": (ctypes.c_int, [session, index, index, text, ctypes.c_int, told]),
        "fix": (ctypes.c_int, [session, index, index, ctypes.POINTER(_FixOptions), ctypes.c_int, told]),
        "races": (ctypes.c_int, [session, index, index, ctypes.c_int, told]),
        "draw": (ctypes.c_int, [session, index, index, ctypes.POINTER(_DrawOptions),
                                ctypes.POINTER(ctypes.POINTER(_Drawing)), ctypes.POINTER(index)]),
        "map_defaults": (_MapOptions, []),
        "map": (ctypes.c_int, [session, told, ctypes.c_uint, ctypes.POINTER(_MapOptions), ctypes.c_int, told]),
    }
    for name, (result, arguments) in calls.items():
        call = getattr(library, "ptxlit_" + name)
        call.restype, call.argtypes = result, arguments
    return library


_library = _load()


def version() -> str:
    return _library.ptxlit_version().decode()


def _release(handle: int, _options: _Options) -> None:
    """Frees a session, whose options must live as long."""
    _library.ptxlit_free(handle)


class Session:
    """Models, and the tests of the input that was read last. Options are those of struct ptxlit_options, by name;
    same-named tests are allowed unless same_names=False."""

    def __init__(self, *models: Union[str, os.PathLike], **options: Any):
        self.lock = threading.RLock()
        asked = _set(_library.ptxlit_defaults(), **{"same_names": True, **options})
        self._handle = _library.ptxlit_new()
        if not self._handle:
            raise MemoryError
        self._closing = weakref.finalize(self, _release, self._handle, asked)
        self._closing.atexit = False  # a thread may be in a call then; exit frees all
        self._input = 0
        _library.ptxlit_set_options(self._handle, ctypes.byref(asked))
        try:
            if os.environ.get("PTXLIT_MODELS"):
                self._demand(_library.ptxlit_add_model_dir(self._handle, _bytes(os.environ["PTXLIT_MODELS"])))
            for model in models or ("ptx",):
                self._demand(_library.ptxlit_use_model(self._handle, _bytes(model)))
        except BaseException:
            self.close()
            raise

    @_alone
    def close(self) -> None:
        """Releases everything; the results that were given out stay."""
        self._handle = None
        self._closing()

    def __enter__(self) -> "Session":
        self._open()
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    @property
    @_alone
    def models(self) -> Sequence[str]:
        count = _library.ptxlit_model_count(self._open())
        return [_string(_library.ptxlit_model_name(self._handle, i)) for i in range(count)]

    @_alone
    def read_file(self, path: Union[str, bytes, os.PathLike]) -> Sequence["Test"]:
        name = _bytes(path)  # before _open: a path's __fspath__ may close the session
        return self._tests(_library.ptxlit_read_file(self._open(), name))

    @_alone
    def read_text(self, text: str, name: str = "<text>") -> Sequence["Test"]:
        data, of = text.encode("utf-8", "surrogateescape"), _bytes(name)
        return self._tests(_library.ptxlit_read_text(self._open(), of, data, len(data)))

    @_alone
    def map(self, table: Union[str, os.PathLike], mixed: Any = "none", **options: Any) -> Mapping[str, Any]:
        """Checks a mapping from CUDA C++ to PTX, named or in a file: docs/json.md. Options are those of struct
        ptxlit_map_options, by name; the session's timeout is for all of it."""
        asked, text = _set(_library.ptxlit_map_defaults(), mixed=mixed, **options), ctypes.c_char_p()
        for name, most in (("events", 8), ("threads", 4), ("locations", 4), ("length", 8)):
            if not 1 <= getattr(asked, name) <= most:
                raise ValueError(f"{name} must be from 1 to {most}")
        tables = (ctypes.c_char_p * 1)(_bytes(table))
        self._input += 1
        _library.ptxlit_map(self._open(), tables, 1, ctypes.byref(asked), _JSON, ctypes.byref(text))
        if text.value is None:
            raise Error(self._messages().rstrip())
        return json.loads(_string(text.value))

    def _tests(self, status: int) -> Sequence["Test"]:
        self._input += 1
        self._demand(status)
        count = _library.ptxlit_test_count(self._handle)
        return [Test(self, i, _string(_library.ptxlit_test_name(self._handle, i))) for i in range(count)]

    def _open(self) -> int:
        if not self._handle:
            raise ValueError("the session is closed")
        return self._handle

    def _messages(self) -> str:
        return _string(_library.ptxlit_messages(self._handle, False))

    def _demand(self, status: int) -> None:
        if status in (_BAD_INPUT, _NO_VERDICT):
            raise Error(self._messages().rstrip())


class Test:
    """A test of the session's input; valid until the next input is read. Models are named, or counted from 0."""

    __test__ = False  # not a pytest test

    def __init__(self, session: Session, index: int, name: str):
        self._session, self._index, self.name, self._input = session, index, name, session._input
        self.lock = session.lock

    def __repr__(self) -> str:
        return f"Test({self.name!r})"

    def _handle(self) -> int:
        handle = self._session._open()
        if self._input != self._session._input:
            raise ValueError("the test's input is gone")
        return handle

    def _model(self, model: Any) -> int:
        """The number of a model; any code of the caller runs here, before the handle is taken, which it may close."""
        names = self._session.models
        if isinstance(model, str):
            if model not in names:
                raise ValueError(f"the session has no model '{model}'")
            return names.index(model)
        if not 0 <= model < len(names):
            raise IndexError("the session has no such model")
        return int(model)

    @_alone
    def check_under(self, model: Any = 0) -> Result:
        """The result under one model."""
        number, found = self._model(model), ctypes.c_void_p()
        handle = self._handle()
        _library.ptxlit_check(handle, self._index, number, ctypes.byref(found))
        text = found and _library.ptxlit_render(handle, found, _JSON)
        if not text:
            raise MemoryError(self._session._messages())
        data = json.loads(_string(text))
        listed = data["outcomes"]
        outcomes = None if listed is None else tuple(Outcome(o["state"], o["satisfies"]) for o in listed)
        return Result(data["test"], data["model"], data["verdict"], data["observation"], data["holds"], outcomes,
                      data["expected"], data["reason"], data, self._session._messages())

    @_alone
    def check(self) -> Sequence[Result]:
        """The results under every model of the session."""
        return [self.check_under(i) for i in range(len(self._session.models))]

    @_alone
    def _told(self, call: Any, model: Any, *arguments: Any) -> Text:
        parts = []
        for form in (_TEXT, _JSON):
            text = ctypes.c_char_p()
            number = self._model(model)
            call(self._handle(), self._index, number, *arguments, form, ctypes.byref(text))
            if text.value is None:
                raise Error(self._session._messages().rstrip())
            parts.append(_string(text.value))
        return Text(parts[0], json.loads(parts[1]))

    def explain(self, state: Optional[str] = None, model: Any = 0) -> Text:
        """Why the condition, or a state such as "0:r0=0; 1:r1=0", is allowed or forbidden."""
        return self._told(_library.ptxlit_explain, model, _bytes(state) if state else None)

    def fix(self, model: Any = 0, weaken: bool = False, races: bool = False, changes: int = 0, ways: int = 0) -> Text:
        """The smallest changes that forbid the condition, or remove races."""
        asked = _set(_FixOptions(), weaken=weaken, races=races, changes=changes, ways=ways)
        return self._told(_library.ptxlit_fix, model, ctypes.byref(asked))

    def races(self, model: Any = 0) -> Text:
        """Every data race, with the missing order."""
        return self._told(_library.ptxlit_races, model)

    @_alone
    def draw(self, state: Optional[str] = None, model: Any = 0, pick: Any = "auto", show: Sequence[str] = (),
             dark: bool = False, steps: bool = False, scale: int = 100) -> Sequence[Picture]:
        """Pictures of executions: of the condition, of a state, or as `pick` says."""
        asked = _set(_DrawOptions(format=_SVG), pick=pick, state=state or None, dark=dark, steps=steps, scale=scale)
        names = (ctypes.c_char_p * len(show))(*map(_bytes, show))
        asked.show, asked.show_count = names if show else None, len(show)
        drawings, count = ctypes.POINTER(_Drawing)(), ctypes.c_size_t()
        number = self._model(model)
        self._session._demand(_library.ptxlit_draw(self._handle(), self._index, number, ctypes.byref(asked),
                                                   ctypes.byref(drawings), ctypes.byref(count)))
        return [Picture(_string(drawings[i].data)) for i in range(count.value)]
