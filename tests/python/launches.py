"""Launches of kernels: check, Launch, watch and the reader of Triton's cache, with a stub of Triton."""

import contextlib
import ctypes
import importlib.util
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
import warnings

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "stub"))

import ptxlit  # noqa: E402  pylint: disable=wrong-import-position
import triton  # noqa: E402  pylint: disable=wrong-import-position

# Each thread copies one element if it is below n; `shift` copies to the next one, which another thread reads.
PTX = """.version 8.0
.target sm_90
.address_size 64
""" + "".join(""".visible .entry %s(.param .u64 from, .param .u64 to, .param .u32 n, .param .u64 scratch)
{
  .reg .pred %%p1;
  .reg .b32 %%r<6>;
  .reg .b64 %%rd<6>;
  ld.param.u64 %%rd1, [from];
  ld.param.u64 %%rd2, [to];
  ld.param.u32 %%r1, [n];
  mov.u32 %%r2, %%tid.x;
  mov.u32 %%r3, %%ctaid.x;
  mov.u32 %%r4, %%ntid.x;
  mad.lo.u32 %%r2, %%r3, %%r4, %%r2;
  setp.ge.u32 %%p1, %%r2, %%r1;
  @%%p1 bra END;
  mul.wide.u32 %%rd3, %%r2, 4;
  add.s64 %%rd4, %%rd1, %%rd3;
  add.s64 %%rd5, %%rd2, %%rd3;
  ld.global.u32 %%r5, [%%rd4];
  st.global.u32 [%%rd5+%d], %%r5;
END:
  ret;
}
""" % (name, offset) for name, offset in (("copy", 0), ("shift", 4)))


class Tensor:
    """What ptxlit asks of a tensor of PyTorch."""

    def __init__(self, at, count, size=4, storage=None):
        self.at, self.count, self.size = at, count, size
        if storage:
            self.untyped_storage = lambda: storage

    def data_ptr(self):
        return self.at

    def numel(self):
        return self.count

    def element_size(self):
        return self.size


class Storage:
    def __init__(self, at, size):
        self.data_ptr, self.nbytes = lambda: at, lambda: size


class Array:
    """What it asks of an array of CuPy or Numba."""

    def __init__(self, at, shape, typestr="<f4", strides=None):
        self.__cuda_array_interface__ = {"data": (at, False), "shape": shape, "typestr": typestr, "strides": strides,
                                         "version": 3}


class Launches(unittest.TestCase):
    def text(self, *args, **named):
        lines = ptxlit.Launch("k", 1, 32, args, **named).test("m.ptx").splitlines()
        begin, end = lines.index("{"), lines.index("}")
        return lines[begin + 1:end], lines[end + 1].split("k(", 1)[1][:-1], lines[end + 2]

    def test_a_launch_line(self):
        result = ptxlit.check(PTX, "shift<<<1, 32>>>(int A[33], A, 32, 0)")
        self.assertEqual(result.verdict, "unsafe")
        self.assertIn("race", [finding.kind for finding in result.findings])
        race = next(finding for finding in result.findings if finding.kind == "race")
        self.assertRegex(str(race), r"shift\.ptx:\d+: race: .* of A\[\d+\] by thread \d+ of block 0, with .* of A")
        self.assertTrue(race.rule and race.cure)
        self.assertIn("shift: unsafe under ptx", str(result))
        safe = ptxlit.check(PTX, "copy<<<2, 32>>>(int A[64], int B[64], 64, 0)")
        self.assertEqual((safe.verdict, safe.findings), ("safe", ()))
        with self.assertRaisesRegex(ptxlit.Error, "'>>>' is missing"):
            ptxlit.check(PTX, "copy<<<2, 32>>(int A[64])")

    def test_a_file(self):
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "m.ptx")
            with open(path, "w", encoding="ascii") as file:
                file.write(PTX)
            launch = ptxlit.Launch("copy", 2, 32, [Tensor(1 << 20, 64), Tensor(1 << 21, 64), 64, None])
            self.assertEqual(ptxlit.check(path, launch).verdict, "safe")
            self.assertEqual(ptxlit.check(path, "copy<<<1, 32>>>(int A[32], int B[32], 32, 0)").verdict, "safe")
            with open(os.path.join(directory, "t.litmus"), "w", encoding="ascii") as file:
                file.write(launch.test("m.ptx"))
            with ptxlit.Session() as session:
                [test] = session.read_file(os.path.join(directory, "t.litmus"))
                self.assertEqual(test.check_under().expected["met"], True)

    def test_tensors(self):
        self.assertEqual(self.text(Tensor(4096, 8), 5, -1, True),
                         ([".b32 p0[8];"], "p0, 5, -1, 1", "grid 1 block 32 threads grouped"))
        self.assertEqual(self.text(Tensor(4096, 8, 2), Tensor(8192, 4, 16))[0], [".b16 p0[8];", ".b8 p1[64];"])
        self.assertEqual(self.text(Array(4096, (2, 3), "<f8"))[:2], ([".b64 p0[6];"], "p0"))
        self.assertEqual(self.text(Array(4096, (2, 3), "<f4", (16, 4)))[:2], ([".b32 p0[7];"], "p0"))
        self.assertEqual(self.text(Array(4096, (4,), "<f4", (-4,)))[:2], ([".b32 p0[4];"], "{p0+12}"))

    def test_tensors_that_share_memory(self):
        storage = Storage(4096, 256)
        self.assertEqual(self.text(Tensor(4096 + 64, 8, 4, storage), Tensor(4096, 8, 4, storage))[:2],
                         ([".b32 p0[64];"], "{p0+64}, p0"))
        self.assertEqual(self.text(Array(4096, (8,)), Array(4096 + 16, (8,)))[:2],
                         ([".b32 p0[12];"], "p0, {p0+16}"))
        self.assertEqual(self.text(Array(4096, (8,)), Array(4096 + 32, (8,)))[0], [".b32 p0[8];", ".b32 p1[8];"])
        self.assertEqual(self.text(Array(4096, (8,)), Array(4096, (8,), "<f2"))[0], [".b8 p0[32];"])

    def test_other_arguments(self):
        class Pair(ctypes.Structure):
            _fields_ = [("a", ctypes.c_uint64), ("b", ctypes.c_uint16)]

        self.assertEqual(self.text(("float", 64), (".b8", None), 1.5, 1e-5, None)[:2],
                         (["float p0[64];", ".b8 p1[];"], "p0, p1, 1.5, 1e-05, {.u64 0}"))
        self.assertEqual(self.text(Pair(7, 2))[1], "{.u64 7, .u64 2}")
        self.assertEqual(self.text(b"\1\0\0\0\2\0\3")[1], "{.u32 1, .u16 2, .u8 3}")
        self.assertEqual(self.text([Tensor(4096, 8), 5])[:2], ([".b32 p0[8];"], "{p0, 5}"))
        self.assertEqual(self.text(cluster=2, shared=64, cooperative=True)[2],
                         "grid 1 block 32 cluster 2 shared 64 cooperative threads grouped")
        named = ptxlit.Launch("ns::k<2>", (2, 1), (8, 4), {"x": ("int", 4)}).test("m.ptx")
        self.assertIn('int x[4];\n}\nkernel "m.ptx" "ns::k<2>"(x)\ngrid 2 1 block 8 4 threads', named)
        for wrong in ("text", float("inf"), object()):
            with self.assertRaisesRegex(TypeError, "no argument of a kernel"):
                self.text(wrong)

    def test_a_float_reaches_its_parameter(self):
        ptx = PTX.split(".visible")[0] + """.visible .entry k(.param .u64 a, .param .f32 x) {
  .reg .pred %p1; .reg .f32 %f1; .reg .b64 %rd1;
  ld.param.f32 %f1, [x]; ld.param.u64 %rd1, [a];
  setp.ne.f32 %p1, %f1, 0f3DCCCCCD;
  @%p1 bra END;
  st.global.b32 [%rd1], 1;
END: ret; }
"""
        for value, verdict in ((0.1, "unsafe"), (0.5, "safe")):
            launch = ptxlit.Launch("k", 1, 2, [Array(4096, (1,)), value])
            self.assertEqual(ptxlit.check(ptx, launch).verdict, verdict)

    signature = {"from": "*fp32", "to": "*fp32", "n": "i32", "BLOCK": "constexpr"}

    def test_watch_raises_before_the_launch(self):
        kernel = triton.kernel("shift", PTX, self.signature)
        x = Tensor(4096, 64)
        with ptxlit.watch() as watching:
            with self.assertRaisesRegex(ptxlit.Unsafe, "shift: unsafe under ptx") as raised:
                kernel[(1, 1, 1)](x, x, 32, 128)
            self.assertEqual(kernel.launched, 0)
            kernel[(1, 1, 1)](x, x, 32, 128)  # only its first launch is checked
        self.assertEqual(raised.exception.result.verdict, "unsafe")
        self.assertEqual((kernel.launched, len(watching.checked)), (1, 1))
        self.assertEqual(triton.knobs.runtime.launch_enter_hook.calls, [])
        triton.kernel("shift", PTX, self.signature, num_warps=2)[(1,)](x, x, 32, 128)  # not watched any more

    def test_watch_knows_the_launch(self):
        kernel = triton.kernel("copy", PTX, self.signature, num_warps=2, shared=16, global_scratch_size=128)
        x, y = Tensor(4096, 256), Tensor(8192, 256)
        with ptxlit.watch() as watching:
            kernel[(4,)](x, y, 256, 128)
            kernel[(8,)](x, y, 256, 128)
        [found] = watching.checked
        self.assertEqual((found.result.verdict, found.launch.grid, found.launch.block), ("safe", (4, 1, 1), 64))
        self.assertEqual(found.launch.args["scratch0"], (".b8", 512))
        clusters = triton.kernel("copy", PTX, self.signature, num_ctas=2)
        with ptxlit.watch() as watching:
            clusters[(2, 1, 1)](x, y, 64)  # older versions pass no constants
        self.assertEqual((watching.checked[0].launch.grid, watching.checked[0].launch.cluster), ((4, 1, 1), (2, 1, 1)))
        self.assertEqual(watching.checked[0].result.verdict, "safe")

    def test_watch_warns(self):
        x, seen = Tensor(4096, 64), []
        with ptxlit.watch("warn"), self.assertWarnsRegex(ptxlit.UnsafeWarning, "shift: unsafe"):
            triton.kernel("shift", PTX, self.signature)[(1,)](x, x, 32, 1)
        with ptxlit.watch(seen.append):
            triton.kernel("shift", PTX, self.signature)[(1,)](x, x, 32, 1)
        self.assertEqual([one.result.verdict for one in seen], ["unsafe"])
        with ptxlit.watch(), self.assertWarnsRegex(ptxlit.UnsafeWarning, "'to' is a tensor descriptor"):
            triton.kernel("copy", PTX, {**self.signature, "to": "tensordesc<fp32[8]>"})[(1,)](x, x, 32, 1)
        with ptxlit.watch(ignore=["shift"]) as watching, warnings.catch_warnings():
            warnings.simplefilter("error")
            triton.kernel("shift", PTX, self.signature)[(1,)](x, x, 32, 1)
        self.assertEqual(watching.checked, [])
        with self.assertRaisesRegex(ValueError, "unsafe does not take 'shout'"):
            ptxlit.watch("shout")

    def test_the_cache_of_triton(self):
        with tempfile.TemporaryDirectory() as root:
            os.makedirs(os.path.join(root, "ABC"))
            for name, text in (("copy.ptx", PTX), ("copy.json", json.dumps(
                    {"name": "copy", "num_warps": 2, "shared": 32, "num_ctas": 1, "global_scratch_size": 0,
                     "target": {"backend": "cuda", "arch": 90, "warp_size": 32}})), ("other.ptx", PTX)):
                with open(os.path.join(root, "ABC", name), "w", encoding="ascii") as file:
                    file.write(text)
            [kernel] = ptxlit.cached_kernels(root)
            launch = kernel.launch(2, [Array(4096, (128,)), Array(8192, (128,)), 128])
            self.assertEqual((kernel.name, launch.block, launch.shared, launch.args["scratch0"]), ("copy", 64, 32, 0))
            self.assertEqual(ptxlit.check(kernel.path, launch).verdict, "safe")
            self.assertEqual(ptxlit.cached_kernels(os.path.join(root, "none")), [])

    def test_numba(self):
        class Kernel:
            def inspect_asm(self):
                return {("float32[:]",): entry}

        fields = "".join(f".param .u64 a{i}, " for i in range(7))
        entry = PTX.split(".visible")[0] + f""".visible .entry _ZN3add({fields}.param .u32 n) {{
  .reg .b32 %r<3>; .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [a4]; ld.param.u64 %rd2, [a6]; ld.param.u32 %r1, [n];
  mov.u32 %r2, %tid.x; cvt.u64.u32 %rd3, %r2; mad.lo.u64 %rd4, %rd3, %rd2, %rd1;
  st.global.u32 [%rd4], %r1;
  ret; }}
"""
        for strides, verdict in ((None, "safe"), ((4,), "safe"), ((0,), "unsafe")):
            ptx, launch = ptxlit.numba_launch(Kernel(), 1, 32, Array(4096, (32,), "<f4", strides), 7)
            self.assertEqual(launch.args[:4] + launch.args[5:], [None, None, 32, 4, 32, (strides or (4,))[0], 7])
            self.assertEqual(ptxlit.check(ptx, launch).verdict, verdict)

    def test_the_page(self):
        with open("docs/python.md", encoding="utf-8") as file:
            blocks = re.findall(r"```python\n(.*?)```", file.read(), re.S)
        space, printed = {}, io.StringIO()
        with contextlib.redirect_stdout(printed):
            for block in blocks:
                if "litmus/" in block:  # the others want Triton
                    exec(block, space)  # pylint: disable=exec-used
        for _, said in re.findall(r"print\((.*?)\)  # (\w+)$", "".join(blocks), re.M):
            self.assertIn(said, printed.getvalue().split())

    def test_the_plugin_of_pytest(self):
        if not importlib.util.find_spec("pytest"):
            self.skipTest("pytest is not installed (Debian: python3-pytest)")
        with tempfile.TemporaryDirectory() as directory:
            with open(os.path.join(directory, "test_it.py"), "w", encoding="ascii") as file:
                file.write("import pytest, triton, sys\n"
                           f"sys.path.insert(0, {os.path.dirname(os.path.abspath(__file__))!r})\n"
                           "import launches as l\n"
                           "def go(name, warps):\n"
                           "    x = l.Tensor(4096, 64)\n"
                           "    triton.kernel(name, l.PTX, l.Launches.signature, num_warps=warps)[(1,)](x, x, 32, 1)\n"
                           "def test_plain(): go('shift', 1)\n"
                           "@pytest.mark.ptxlit(timeout=9)\n"
                           "def test_marked(): go('shift', 1)\n"
                           "def test_fixture(ptxlit_watch):\n"
                           "    go('copy', 1)\n"
                           "    assert [one.result.verdict for one in ptxlit_watch.checked] == ['safe']\n")
            for more, line in (((), "1 failed, 2 passed"), (("--ptxlit",), "2 failed, 1 passed")):
                command = [sys.executable, "-m", "pytest", "-q", "-p", "pytest_ptxlit", "-p", "no:cacheprovider"]
                done = subprocess.run([*command, *more, directory], capture_output=True, text=True, check=False,
                                      env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
                self.assertIn(line, done.stdout, done.stdout + done.stderr)
                self.assertIn("ptxlit.watching.Unsafe: shift: unsafe", done.stdout)
