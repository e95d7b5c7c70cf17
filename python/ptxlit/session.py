"""Sessions over the C library, and their tests."""

import ctypes
import functools
import json
import os
import threading
import weakref
from typing import Any, Callable, Mapping, Optional, Sequence, Union

from . import library as c
from .results import Error, Outcome, Picture, Result, Text, finding_of


def _alone(call: Callable) -> Callable:
    """Serializes calls: the library's strings live only until the next call."""
    @functools.wraps(call)
    def locked(self: Any, *arguments: Any, **named: Any) -> Any:
        with self.lock:
            return call(self, *arguments, **named)
    return locked


def _release(handle: int, _options: c.Options) -> None:
    """Frees a session, whose options must live as long."""
    c.library.ptxlit_free(handle)


class Session:
    """Models, and the tests of the input that was read last. c.Options are those of struct ptxlit_options, by name;
    same-named tests are allowed unless same_names=False."""

    def __init__(self, *models: Union[str, os.PathLike], **options: Any):
        self.lock = threading.RLock()
        asked = c.fill(c.library.ptxlit_defaults(), **{"same_names": True, **options})
        self._handle = c.library.ptxlit_new()
        if not self._handle:
            raise MemoryError
        self._closing = weakref.finalize(self, _release, self._handle, asked)
        self._closing.atexit = False  # a thread may be in a call then; exit frees all
        self._input = 0
        c.library.ptxlit_set_options(self._handle, ctypes.byref(asked))
        try:
            if c.model_directory():
                self._demand(c.library.ptxlit_add_model_dir(self._handle, c.to_bytes(c.model_directory())))
            for model in models or ("ptx",):
                self._demand(c.library.ptxlit_use_model(self._handle, c.to_bytes(model)))
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
        count = c.library.ptxlit_model_count(self._open())
        return [c.to_string(c.library.ptxlit_model_name(self._handle, i)) for i in range(count)]

    @_alone
    def read_file(self, path: Union[str, bytes, os.PathLike]) -> Sequence["Test"]:
        name = c.to_bytes(path)  # before _open: a path's __fspath__ may close the session
        return self._tests(c.library.ptxlit_read_file(self._open(), name))

    @_alone
    def read_text(self, text: str, name: str = "<text>") -> Sequence["Test"]:
        data, of = text.encode("utf-8", "surrogateescape"), c.to_bytes(name)
        return self._tests(c.library.ptxlit_read_text(self._open(), of, data, len(data)))

    @_alone
    def read_launch(self, module: Union[str, os.PathLike], launch: str) -> Sequence["Test"]:
        """Reads a launch as CUDA has it, such as k<<<2, 128>>>(float A[64], 3), of a kernel of a .ptx or .cu file."""
        asked = c.LaunchText(c.to_bytes(launch), c.to_bytes(module), 0)
        return self._tests(c.library.ptxlit_read_launch(self._open(), ctypes.byref(asked)))

    @_alone
    def map(self, table: Union[str, os.PathLike], mixed: Any = "none", **options: Any) -> Mapping[str, Any]:
        """Checks a mapping from CUDA C++ to PTX, named or in a file: docs/json.md. c.Options are those of struct
        ptxlit_map_options, by name; the session's timeout is for all of it."""
        asked, text = c.fill(c.library.ptxlit_map_defaults(), mixed=mixed, **options), ctypes.c_char_p()
        for name, most in (("events", 8), ("threads", 4), ("locations", 4), ("length", 8)):
            if not 1 <= getattr(asked, name) <= most:
                raise ValueError(f"{name} must be from 1 to {most}")
        tables = (ctypes.c_char_p * 1)(c.to_bytes(table))
        self._input += 1
        c.library.ptxlit_map(self._open(), tables, 1, ctypes.byref(asked), c.JSON, ctypes.byref(text))
        if text.value is None:
            raise Error(self._messages().rstrip())
        return json.loads(c.to_string(text.value))

    def _tests(self, status: int) -> Sequence["Test"]:
        self._input += 1
        self._demand(status)
        count = c.library.ptxlit_test_count(self._handle)
        return [Test(self, i, c.to_string(c.library.ptxlit_test_name(self._handle, i))) for i in range(count)]

    def _open(self) -> int:
        if not self._handle:
            raise ValueError("the session is closed")
        return self._handle

    def _messages(self) -> str:
        return c.to_string(c.library.ptxlit_messages(self._handle, False))

    def _demand(self, status: int) -> None:
        if status in (c.BAD_INPUT, c.NO_VERDICT):
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
        c.library.ptxlit_check(handle, self._index, number, ctypes.byref(found))
        messages = self._session._messages()
        text = found and c.library.ptxlit_render(handle, found, c.JSON)
        if not text:
            raise MemoryError(self._session._messages())
        data = json.loads(c.to_string(text))
        listed = data["outcomes"]
        outcomes = None if listed is None else tuple(Outcome(o["state"], o["satisfies"]) for o in listed)
        told = c.library.ptxlit_render(handle, found, c.TEXT) if data.get("kernel") else None
        return Result(data["test"], data["model"], data["verdict"], data["observation"], data["holds"], outcomes,
                      data["expected"], data["reason"], data, messages,
                      tuple(map(finding_of, data.get("findings") or ())), c.to_string(told or b"").strip())

    @_alone
    def check(self) -> Sequence[Result]:
        """The results under every model of the session."""
        return [self.check_under(i) for i in range(len(self._session.models))]

    @_alone
    def _told(self, call: Any, model: Any, *arguments: Any) -> Text:
        parts = []
        for form in (c.TEXT, c.JSON):
            text = ctypes.c_char_p()
            number = self._model(model)
            call(self._handle(), self._index, number, *arguments, form, ctypes.byref(text))
            if text.value is None:
                raise Error(self._session._messages().rstrip())
            parts.append(c.to_string(text.value))
        return Text(parts[0], json.loads(parts[1]))

    def explain(self, state: Optional[str] = None, model: Any = 0) -> Text:
        """Why the condition, or a state such as "0:r0=0; 1:r1=0", is allowed or forbidden."""
        return self._told(c.library.ptxlit_explain, model, c.to_bytes(state) if state else None)

    def fix(self, model: Any = 0, weaken: bool = False, races: bool = False, changes: int = 0, ways: int = 0) -> Text:
        """The smallest changes that forbid the condition, or remove races."""
        asked = c.fill(c.FixOptions(), weaken=weaken, races=races, changes=changes, ways=ways)
        return self._told(c.library.ptxlit_fix, model, ctypes.byref(asked))

    def races(self, model: Any = 0) -> Text:
        """Every data race, with the missing order."""
        return self._told(c.library.ptxlit_races, model)

    @_alone
    def draw(self, state: Optional[str] = None, model: Any = 0, pick: Any = "auto", show: Sequence[str] = (),
             dark: bool = False, steps: bool = False, scale: int = 100) -> Sequence[Picture]:
        """Pictures of executions: of the condition, of a state, or as `pick` says."""
        asked = c.fill(c.DrawOptions(format=c.SVG), pick=pick, state=state or None, dark=dark, steps=steps, scale=scale)
        names = (ctypes.c_char_p * len(show))(*map(c.to_bytes, show))
        asked.show, asked.show_count = names if show else None, len(show)
        drawings, count = ctypes.POINTER(c.Drawing)(), ctypes.c_size_t()
        number = self._model(model)
        self._session._demand(c.library.ptxlit_draw(self._handle(), self._index, number, ctypes.byref(asked),
                                                   ctypes.byref(drawings), ctypes.byref(count)))
        return [Picture(c.to_string(drawings[i].data)) for i in range(count.value)]
