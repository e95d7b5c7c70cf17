"""Launches of kernels made of Python objects, and their checks."""

import contextlib
import ctypes
import dataclasses
import math
import numbers
import os
import re
import tempfile
from typing import Any, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from .results import Result
from .session import Session

Size = Union[int, Sequence[int]]


@dataclasses.dataclass(frozen=True)
class _Range:
    """Memory of the device: a tensor begins `at` in an allocation of elements of `unit` bytes."""

    at: int
    begin: int
    end: int
    unit: int


def _tensor_range(value: Any) -> Optional[_Range]:
    """A tensor of PyTorch, or an array with CUDA's array interface (CuPy, Numba, JAX); None: another object."""
    if hasattr(value, "data_ptr"):
        at, unit = value.data_ptr(), value.element_size()
        if not hasattr(value, "untyped_storage"):
            return _Range(at, at, at + value.numel() * unit, unit)
        storage = value.untyped_storage()
        return _Range(at, storage.data_ptr(), storage.data_ptr() + storage.nbytes(), unit)
    face = getattr(value, "__cuda_array_interface__", None)
    if face is None:
        return None
    at, unit, shape = face["data"][0], int(face["typestr"][2:]), face["shape"]
    if 0 in shape:
        return _Range(at, at, at, unit)
    if face.get("strides") is None:
        return _Range(at, at, at + math.prod(shape) * unit, unit)
    steps = [(n - 1) * stride for n, stride in zip(shape, face["strides"])]
    return _Range(at, at + sum(s for s in steps if s < 0), at + sum(s for s in steps if s > 0) + unit, unit)


class _Writer:
    """The init block and the arguments of a test. Tensors that share memory are in one array."""

    def __init__(self, args: Sequence[Any], names: Sequence[str]):
        self.lines: List[str] = []
        self._arrays: List[Tuple[_Range, str]] = []
        self._join(args, names)
        self.words = [self._argument(arg, name) for arg, name in zip(args, names)]

    def _join(self, args: Sequence[Any], names: Sequence[str]) -> None:
        found = sorted(((r.begin, i, r) for i, r in self._ranges(args)), key=lambda one: one[:2])
        joined: List[Tuple[int, _Range]] = []
        for _, i, r in found:
            last = joined[-1][1] if joined else None
            if last is None or r.begin >= last.end:
                joined.append((i, r))
                continue
            unit = r.unit if r.unit == last.unit and (r.begin - last.begin) % r.unit == 0 else 1
            joined[-1] = (min(i, joined[-1][0]), _Range(last.at, last.begin, max(last.end, r.end), unit))
        for i, r in joined:
            unit = r.unit if r.unit in (1, 2, 4, 8) and (r.end - r.begin) % r.unit == 0 else 1
            self._arrays.append((r, names[i]))
            self.lines.append(f".b{8 * unit} {names[i]}[{(r.end - r.begin) // unit}];")

    def _ranges(self, args: Sequence[Any]) -> Iterator[Tuple[int, _Range]]:
        for i, arg in enumerate(args):
            for one in arg if isinstance(arg, list) else [arg]:
                found = _tensor_range(one)
                if found and found.end > found.begin:
                    yield i, found

    def _place(self, found: _Range) -> str:
        for array, name in self._arrays:
            if array.begin <= found.begin < array.end:
                return f"{name}+{found.at - array.begin}" if found.at > array.begin else name
        return ".u64 0"

    def _field(self, arg: Any, name: str) -> str:
        found = _tensor_range(arg)
        if found:
            return self._place(found)
        if isinstance(arg, tuple) and len(arg) == 2:
            kind, length = arg
            self.lines.append(f"{kind} {name}[{'' if length is None else int(length)}];")
            return name
        if arg is None:
            return ".u64 0"
        if isinstance(arg, numbers.Integral) or hasattr(arg, "__index__"):
            return str(int(arg))
        if isinstance(arg, numbers.Real) and math.isfinite(arg):
            text = repr(float(arg))
            return text if "." in text or "e" in text else text + ".0"
        raise TypeError(f"{arg!r} is no argument of a kernel\n    hint: an argument is a tensor, (type, length), "
                        "a number, the bytes of a structure, or a list of its members")

    def _argument(self, arg: Any, name: str) -> str:
        if isinstance(arg, ctypes.Structure):
            arg = bytes(arg)
        if isinstance(arg, bytes):
            return "{" + ", ".join(_words(arg)) + "}"
        if isinstance(arg, list):
            return "{" + ", ".join(self._field(one, f"{name}_{i}") for i, one in enumerate(arg)) + "}"
        word = self._field(arg, name)
        return "{" + word + "}" if word.startswith(".") or "+" in word and word[0].isalpha() else word


def _words(data: bytes) -> Iterator[str]:
    """The bytes of a parameter as numbers of 8 bytes, and at its end smaller ones."""
    at = 0
    while at < len(data):
        step = next(n for n in (8, 4, 2, 1) if at % n == 0 and at + n <= len(data))
        yield f".u{8 * step} {int.from_bytes(data[at:at + step], 'little')}"
        at += step


def _size(size: Size) -> str:
    return " ".join(map(str, [size] if isinstance(size, int) else size))


@dataclasses.dataclass(frozen=True)
class Launch:
    """A launch of a kernel. An argument is a tensor (anything with data_ptr, numel and element_size, or with
    __cuda_array_interface__), (type, length) for an array, a number, None for a null pointer, the bytes of a structure,
    or a list of its members. Arguments in a mapping have names."""

    kernel: str
    grid: Size
    block: Size
    args: Union[Sequence[Any], Mapping[str, Any]] = ()
    cluster: Optional[Size] = None
    shared: int = 0  # bytes of dynamic shared memory
    cooperative: bool = False

    def test(self, module: str) -> str:
        """The text of a test of this launch, for a file beside the module."""
        named = isinstance(self.args, Mapping)
        args = list(self.args.values() if named else self.args)
        writer = _Writer(args, list(self.args) if named else [f"p{i}" for i in range(len(args))])
        plain = re.fullmatch(r"[A-Za-z_$][\w$]*", self.kernel)
        words = [f"grid {_size(self.grid)} block {_size(self.block)}"]
        words += [f"cluster {_size(self.cluster)}"] if self.cluster else []
        words += [f"shared {self.shared}"] if self.shared else []
        words += ["cooperative"] if self.cooperative else []
        entry = self.kernel if plain else f'"{self.kernel}"'
        name = re.sub("[^A-Za-z0-9_]", "_", self.kernel)
        return "\n".join([f"PTX {name}", "Expect=ptx:Safe", "{", *writer.lines, "}",
                          f'kernel "{module}" {entry}({", ".join(writer.words)})',
                          " ".join(words + ["threads grouped"]), "safe", ""])


@contextlib.contextmanager
def _file_of(ptx: Union[str, bytes, os.PathLike], name: str) -> Iterator[str]:
    """The path of a module: a name ending in .ptx or .cu is one, another text is that of a module."""
    if isinstance(ptx, bytes):
        ptx = ptx.decode("utf-8", "surrogateescape")
    if not isinstance(ptx, str) or ("\n" not in ptx and ptx.endswith((".ptx", ".cu"))):
        yield os.fspath(ptx)
        return
    with tempfile.TemporaryDirectory(prefix="ptxlit-") as directory:
        path = os.path.join(directory, (re.sub(r"\W+", "_", name)[:64] or "kernel") + ".ptx")
        with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(ptx)
        yield path


def check(ptx: Union[str, bytes, os.PathLike], launch: Union[str, Launch], model: str = "ptx",
          **options: Any) -> Result:
    """Decides if a launch of a kernel is safe. `ptx` is the text of a module or the path of a .ptx or .cu file,
    `launch` a Launch or a line as CUDA has it: "gemm<<<2, 128>>>(float A[64], 3)". Options are those of Session."""
    name = launch.kernel if isinstance(launch, Launch) else launch.split("<")[0]
    with _file_of(ptx, name) as path, Session(model, **options) as session:
        if isinstance(launch, Launch):
            text = launch.test(os.path.basename(path))
            tests = session.read_text(text, os.path.join(os.path.dirname(path), "(launch)"))
        else:
            tests = session.read_launch(path, launch)
        return tests[0].check_under()
