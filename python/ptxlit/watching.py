"""Checks of Triton kernels when they are first launched."""

import dataclasses
import math
import struct
import threading
import warnings
from typing import Any, Callable, Dict, List, Mapping, Optional, Union

from .launches import Launch, check
from .results import Error, Result
from .triton_cache import launch_of


class Unsafe(Error):
    """A launch that is not safe; `result` has the findings."""

    def __init__(self, result: Result):
        super().__init__(str(result))
        self.result = result


class UnsafeWarning(UserWarning):
    """A launch that is not safe, or that was not decided."""


@dataclasses.dataclass(frozen=True)
class Watched:
    """A launch that was checked; `result` is None if it could not be, and `problem` says why."""

    kernel: str
    launch: Optional[Launch]
    result: Optional[Result]
    problem: Optional[str] = None


def _metadata_of(kernel: Any) -> Dict[str, Any]:
    metadata = kernel.metadata
    fields = metadata._asdict() if hasattr(metadata, "_asdict") else dict(metadata)
    target = fields.get("target")
    return {**fields, "name": fields.get("name") or kernel.name, "warp_size": getattr(target, "warp_size", 32)}


def _argument(value: Any, kind: str) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return struct.pack("<d" if kind in ("fp64", "f64") else "<f", value)
    return value


def _arguments_of(kernel: Any, args: Any) -> Mapping[str, Any]:
    """The arguments that the kernel has as parameters, by name. Newer versions of Triton pass constants, too."""
    signature = kernel.src.signature
    names = getattr(kernel.src.fn, "arg_names", None) or [f"p{i}" for i in range(len(signature))]
    kinds = {names[key] if isinstance(key, int) else key: kind for key, kind in signature.items()}
    left = [name for name in kinds if kinds[name] != "constexpr"]
    given = dict(zip(names if len(args) == len(names) else left, args))
    if any(name not in given for name in left):
        raise TypeError(f"it has {len(left)} arguments, and was launched with {len(args)}")
    for name in left:
        if not isinstance(kinds[name], str) or kinds[name].startswith(("tensordesc", "nvTmaDesc")):
            raise TypeError(f"argument '{name}' is a tensor descriptor or a tuple: ptxlit record has such launches")
    return {name: _argument(given[name], kinds[name]) for name in left}


class watch:  # pylint: disable=invalid-name
    """Checks each Triton kernel when it is first launched, before it runs, in `with ptxlit.watch():`.

    `unsafe` is "raise", "warn", or a function that gets the Watched. Launches that are not decided are warnings.
    `ignore` names kernels to leave out. Options are those of ptxlit.check; each check has 10 seconds unless `timeout`
    says otherwise. `checked` has all launches that were checked. A kernel of torch.compile is seen if PyTorch uses Triton's
    launcher: docs/python.md."""

    def __init__(self, unsafe: Union[str, Callable[[Watched], None]] = "raise", ignore: Any = (), **options: Any):
        if unsafe not in ("raise", "warn") and not callable(unsafe):
            raise ValueError(f"unsafe does not take {unsafe!r}\n    hint: it takes 'raise', 'warn' or a function")
        self.checked: List[Watched] = []
        self._unsafe, self._ignore = unsafe, set(ignore)
        self._options = {"timeout": 10, **options}
        self._seen: set = set()
        self._lock = threading.Lock()
        self._undo: List[Callable[[], None]] = []

    def __enter__(self) -> "watch":
        from triton import compiler  # pylint: disable=import-outside-toplevel

        cls, own = compiler.CompiledKernel, self
        before = cls.launch_metadata

        def launch_metadata(kernel: Any, grid: Any, stream: Any, *args: Any) -> Any:
            own._launched(kernel, grid, args)
            return before(kernel, grid, stream, *args)

        cls.launch_metadata = launch_metadata
        self._undo.append(lambda: setattr(cls, "launch_metadata", before))
        self._add_hook(cls)
        return self

    def __exit__(self, *_: Any) -> None:
        while self._undo:
            self._undo.pop()()

    def _add_hook(self, cls: Any) -> None:
        """Launchers that are generated while no hook is there, as PyTorch's are, make no metadata."""
        try:
            from triton.knobs import runtime as place  # pylint: disable=import-outside-toplevel
        except ImportError:
            place = cls  # before 3.4
        chain = getattr(place, "launch_enter_hook", None)
        if hasattr(chain, "add"):
            chain.add(_nothing)
            self._undo.append(lambda: chain.remove(_nothing))
        elif chain is None:
            place.launch_enter_hook = _nothing
            self._undo.append(lambda: setattr(place, "launch_enter_hook", None))

    def _launched(self, kernel: Any, grid: Any, args: Any) -> None:
        key = getattr(kernel, "hash", None) or id(kernel)
        with self._lock:
            if key in self._seen:
                return
            self._seen.add(key)
        if "ptx" in kernel.asm and _metadata_of(kernel)["name"] not in self._ignore:
            self._report(self._check(kernel, grid, args))

    def _check(self, kernel: Any, grid: Any, args: Any) -> Watched:
        metadata, ptx = _metadata_of(kernel), kernel.asm["ptx"]
        launch = None
        try:
            launch = launch_of(ptx, metadata, grid, _arguments_of(kernel, args))
            return Watched(metadata["name"], launch, check(ptx, launch, **self._options))
        except (Error, TypeError, ValueError) as error:
            return Watched(metadata["name"], launch, None, str(error))

    def _report(self, watched: Watched) -> None:
        self.checked.append(watched)
        result = watched.result
        if result is not None and result.verdict == "safe":
            return
        if callable(self._unsafe):
            self._unsafe(watched)
        elif result is None or result.verdict != "unsafe":
            why = watched.problem if result is None else result
            warnings.warn(f"{watched.kernel} was not decided: {why}", UnsafeWarning, stacklevel=2)
        elif self._unsafe == "raise":
            raise Unsafe(result)
        else:
            warnings.warn(str(result), UnsafeWarning, stacklevel=2)


def _nothing(_: Any) -> None:
    """A hook that lets launches be seen."""
