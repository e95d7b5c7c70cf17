"""The final states of PTX litmus tests that a memory consistency model allows, and the safety of launches of kernels.

    import ptxlit

    with ptxlit.Session("ptx", "sc") as session:
        for test in session.read_file("litmus/classic/SB.litmus"):
            for result in test.check():
                print(result.model, result.verdict, [o.state for o in result.outcomes])

    print(ptxlit.check("gemm.ptx", "gemm<<<2, 128>>>(float A[256], 256)").findings)

    with ptxlit.watch():
        softmax[(8,)](x, y, 4096)  # each Triton kernel is checked when it is first launched

A thin layer over the C library libptxlit; ptxlit.h documents it. Results are frozen dataclasses. An unreferenced
session closes itself. Threads may share a session: its calls are serialized. Hold `session.lock` from reading an input
to the last call about it. The library is PTXLIT_LIBRARY, beside these files, or the system's; models are in
PTXLIT_MODELS, beside these files, or in the installed directory.
"""

from .launches import Launch, check
from .library import version
from .numba import numba_launch
from .results import Error, Finding, Outcome, Picture, Result, Text
from .session import Session, Test
from .triton_cache import CachedKernel, cached_kernels
from .watching import Unsafe, UnsafeWarning, watch

__all__ = ["CachedKernel", "Error", "Finding", "Launch", "Outcome", "Picture", "Result", "Session", "Test", "Text",
           "Unsafe", "UnsafeWarning", "cached_kernels", "check", "numba_launch", "version", "watch"]
