"""Programs for tests/python/on-gpu: each part launches kernels under ptxlit.watch, or checks them with ptxlit.check,
and prints the verdicts. `python3 gpu_programs.py PART`; as a file of pytest, it launches a right and a wrong kernel."""

import os
import sys
import time

import torch
import triton
import triton.language as tl

import ptxlit

DEVICE = "cuda"


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n) + tl.load(y + at, mask=at < n), mask=at < n)


@triton.jit
def softmax(x, out, columns, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    values = tl.load(x + row * columns + at, mask=at < columns, other=float("-inf"))
    values = tl.exp(values - tl.max(values, 0))
    tl.store(out + row * columns + at, values / tl.sum(values, 0), mask=at < columns)


@triton.jit
def last_sum(x, parts, count, out, n, BLOCK: tl.constexpr):
    """The last program adds the parts; its reads are ordered by the atomic only if that acquires."""
    program, at = tl.program_id(0), tl.arange(0, BLOCK)
    tl.store(parts + program, tl.sum(tl.load(x + program * BLOCK + at), 0))
    before = tl.atomic_add(count, 1, sem="acq_rel")
    if before == n - 1:
        tl.store(out, tl.sum(tl.load(parts + tl.arange(0, 4)), 0))


@triton.jit
def neighbours(x, n, BLOCK: tl.constexpr):
    """A race: each program also writes the first element of the next one."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + at, at, mask=at < n)
    tl.store(x + at + 1, at, mask=at + 1 < n)


def watched():
    return ptxlit.watch(lambda one: None, timeout=30) if os.environ.get("PTXLIT_WATCH") != "0" else None


def tell(watching):
    for one in watching.checked if watching else ():
        found = one.result
        print(f"{one.kernel}: {found.verdict if found else 'not checked: ' + one.problem}")
        for finding in found.findings[:2] if found else ():
            print(f"    {finding}")
        if found and found.verdict == "unknown":
            print(f"    {found.reason}")


def launches():
    x, y, out = (torch.randn(1000, device=DEVICE) for _ in range(3))
    add[(4,)](x, y, out, 1000, BLOCK=256)
    rows = torch.randn(8, 500, device=DEVICE)
    softmax[(8,)](rows, torch.empty_like(rows), 500, BLOCK=512)
    parts, count = torch.zeros(4, device=DEVICE), torch.zeros(1, dtype=torch.int32, device=DEVICE)
    last_sum[(4,)](torch.randn(1024, device=DEVICE), parts, count, out, 4, BLOCK=256)
    neighbours[(4,)](torch.zeros(1024, dtype=torch.int32, device=DEVICE), 1024, BLOCK=256)
    torch.cuda.synchronize()


def part_triton():
    watching = watched()
    if watching:
        with watching:
            launches()
    else:
        launches()
    tell(watching)
    x = torch.randn(1000, device=DEVICE)
    for name, manager in (("with", watched()), ("without", None)):
        begin = time.perf_counter()
        if manager:
            with manager:
                add[(4,)](x, x, x, 1000, BLOCK=256)
                begin = time.perf_counter()
                for _ in range(1000):
                    add[(4,)](x, x, x, 1000, BLOCK=256)
        else:
            for _ in range(1000):
                add[(4,)](x, x, x, 1000, BLOCK=256)
        torch.cuda.synchronize()
        print(f"a launch {name} watch: {(time.perf_counter() - begin) * 1e3:.1f} us")


def part_compiled():
    def step(a, b):
        h = torch.nn.functional.layer_norm(torch.nn.functional.gelu(a @ b), (256,))
        return torch.softmax(h, -1).sum(0).cumsum(0)

    def run():
        torch.compile(step)(torch.randn(128, 64, device=DEVICE), torch.randn(64, 256, device=DEVICE))
        torch.cuda.synchronize()

    watching = watched()
    if watching:
        with watching:
            run()
        print(len(watching.checked), "kernels of torch.compile were seen")
    else:
        run()
    tell(watching)


def part_numba():
    import numpy
    from numba import cuda

    @cuda.jit
    def scale(a, out, by):
        i = cuda.grid(1)
        if i < a.size:
            out[i] = a[i] * by

    a, out = cuda.to_device(numpy.arange(100, dtype=numpy.float32)), cuda.device_array(100, numpy.float32)
    scale[4, 32](a, out, 2.5)
    ptx, launch = ptxlit.numba_launch(scale, 4, 32, a, out, 2.5)
    print(launch.test("scale.ptx"))
    print(ptxlit.check(ptx, launch, timeout=30))
    ptx, launch = ptxlit.numba_launch(scale, 4, 32, a, a, 2.5)
    print(ptxlit.check(ptx, launch, timeout=30).verdict)


def part_cupy():
    import cupy

    source = 'extern "C" __global__ void fill(float *a, int n) { if (threadIdx.x < n) a[threadIdx.x] = blockIdx.x; }'
    with open("/tmp/fill.cu", "w", encoding="ascii") as file:
        file.write(source)
    a = cupy.zeros((8, 8), cupy.float32)
    for blocks, of in ((1, a), (2, a), (1, a[:, 2])):
        launch = ptxlit.Launch("fill", blocks, 32, {"a": of, "n": 8})
        print(blocks, launch.test("fill.cu").splitlines()[3], ptxlit.check("/tmp/fill.cu", launch).verdict)


def part_cache():
    for kernel in ptxlit.cached_kernels():
        if kernel.name == "add":
            launch = kernel.launch(4, [("float", 1000), ("float", 1000), ("float", 1000), 1000])
            print(kernel, launch.block, ptxlit.check(kernel.path, launch).verdict)


def test_right():
    x = torch.randn(1000, device=DEVICE)
    add[(4,)](x, x, torch.empty_like(x), 1000, BLOCK=256)


def test_wrong():
    neighbours[(4,)](torch.zeros(1024, dtype=torch.int32, device=DEVICE), 1024, BLOCK=256)


if __name__ == "__main__":
    globals()["part_" + sys.argv[1]]()
