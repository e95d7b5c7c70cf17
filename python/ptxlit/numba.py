"""Launches of kernels of Numba."""

import math
import re
from typing import Any, List, Tuple

from .launches import Launch, Size


def _parameters(arg: Any) -> List[Any]:
    """An array is a structure whose members are parameters of their own, a tuple likewise."""
    if isinstance(arg, tuple):
        return [one for member in arg for one in _parameters(member)]
    face = getattr(arg, "__cuda_array_interface__", None)
    if face is None:
        return [arg]
    shape, size = tuple(face["shape"]), int(face["typestr"][2:])
    packed = tuple(size * math.prod(shape[i + 1:]) for i in range(len(shape)))
    return [None, None, math.prod(shape), size, arg, *shape, *(face.get("strides") or packed)]


def numba_launch(kernel: Any, grid: Size, block: Size, *args: Any, shared: int = 0) -> Tuple[str, Launch]:
    """The PTX of a @cuda.jit kernel, as it was compiled last, and its launch with these arguments of the device."""
    texts = kernel.inspect_asm()
    ptx = list(texts.values())[-1] if isinstance(texts, dict) else texts
    [name] = re.findall(r"\.visible\s+\.entry\s+([\w$]+)", ptx)
    return ptx, Launch(name, grid, block, [one for arg in args for one in _parameters(arg)], shared=shared)
