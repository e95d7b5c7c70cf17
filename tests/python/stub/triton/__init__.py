"""Stands for Triton: what ptxlit.watch touches of it, as version 3.6 has it. A launch of a kernel does what
JITFunction.run does once the kernel is compiled."""

import collections

from . import compiler, knobs  # pylint: disable=unused-import

Metadata = collections.namedtuple("Metadata", "name num_warps num_ctas shared global_scratch_size "
                                              "launch_cooperative_grid target")
Target = collections.namedtuple("Target", "backend arch warp_size")
Source = collections.namedtuple("Source", "fn signature")
Function = collections.namedtuple("Function", "arg_names")


def kernel(name, ptx, signature, **metadata):
    fields = {"num_warps": 1, "num_ctas": 1, "shared": 0, "global_scratch_size": 0, "launch_cooperative_grid": False,
              "target": Target("cuda", 90, 32), **metadata}
    return compiler.CompiledKernel(Source(Function(list(signature)), signature), Metadata(name=name, **fields), ptx)
