"""Kernels in the folders of Triton's cache: a module in PTX, with a JSON file about it, for each."""

import dataclasses
import glob
import json
import os
import re
from typing import Any, List, Mapping, Optional, Sequence, Union

from .launches import Launch, Size


def parameter_count(ptx: str, kernel: str) -> int:
    """The number of parameters of an entry."""
    found = re.search(r"\.entry\s+" + re.escape(kernel) + r"\s*\((.*?)\)", ptx, re.S)
    return len(re.findall(r"\.param\b", found.group(1))) if found else 0


def cluster_of(metadata: Mapping[str, Any]) -> Optional[Sequence[int]]:
    """The blocks of a cluster in each direction; None: the kernel has no clusters."""
    shape = tuple(metadata.get("cluster_dims") or (metadata.get("num_ctas") or 1, 1, 1))
    return shape if max(shape) > 1 else None


def launch_of(ptx: str, metadata: Mapping[str, Any], grid: Size,
              args: Union[Sequence[Any], Mapping[str, Any]]) -> Launch:
    """A launch as Triton makes it: its grid counts clusters, and pointers to scratch memory follow the arguments."""
    cluster = cluster_of(metadata)
    whole = tuple([grid] if isinstance(grid, int) else grid)
    whole = tuple(n * m for n, m in zip(whole + (1,) * (3 - len(whole)), cluster or (1, 1, 1)))
    named = dict(args) if isinstance(args, Mapping) else {f"p{i}": arg for i, arg in enumerate(args)}
    blocks, sizes = whole[0] * whole[1] * whole[2], ("global_scratch_size", "profile_scratch_size")
    for i in range(parameter_count(ptx, metadata["name"]) - len(named)):
        scratch = blocks * int(metadata.get(sizes[i]) or 0) if i < len(sizes) else 0
        named[f"scratch{i}"] = (".b8", scratch) if scratch else 0
    threads = int(metadata.get("num_warps") or 4) * int(metadata.get("warp_size") or 32)
    return Launch(metadata["name"], whole, threads, named, cluster, int(metadata.get("shared") or 0),
                  bool(metadata.get("launch_cooperative_grid")))


@dataclasses.dataclass(frozen=True)
class CachedKernel:
    """A kernel that Triton compiled, with what the cache says about it: num_warps, shared and so on."""

    name: str
    path: str  # of the module
    metadata: Mapping[str, Any] = dataclasses.field(repr=False)

    @property
    def ptx(self) -> str:
        with open(self.path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read()

    def launch(self, grid: Size, args: Union[Sequence[Any], Mapping[str, Any]]) -> Launch:
        """A launch of it, without arguments that Triton made constants (tl.constexpr, and integers that are 1)."""
        return launch_of(self.ptx, self.metadata, grid, args)


def cached_kernels(directory: Union[str, os.PathLike, None] = None) -> List[CachedKernel]:
    """The kernels in a cache: a directory, TRITON_CACHE_DIR, or ~/.triton/cache; the ones compiled last come first."""
    root = os.fspath(directory or os.environ.get("TRITON_CACHE_DIR") or os.path.expanduser("~/.triton/cache"))
    paths = sorted(glob.glob(os.path.join(glob.escape(root), "**", "*.ptx"), recursive=True), key=os.path.getmtime,
                   reverse=True)
    found = []
    for path in paths:
        try:
            with open(path[:-len(".ptx")] + ".json", encoding="utf-8") as file:
                metadata = json.load(file)
        except (OSError, ValueError):
            continue  # a folder that is being written, or another program's
        target = metadata.get("target") or {}
        name = metadata.get("name") or os.path.basename(path)[:-len(".ptx")]
        warp = target.get("warp_size", 32) if isinstance(target, dict) else 32
        found.append(CachedKernel(name, path, {**metadata, "name": name, "warp_size": warp}))
    return found
