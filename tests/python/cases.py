"""The module ptxlit, tried: python3 tests/python/cases.py TOOL."""

import concurrent.futures
import ctypes
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import notebook
import ptxlit
from ptxlit import library as c
from launches import Launches  # noqa: F401  pylint: disable=unused-import

TOOL = sys.argv.pop(1)
SB = "litmus/classic/SB.litmus"


def steady(data):
    return {key: value for key, value in data.items() if key != "stats"}


class Cases(unittest.TestCase):
    def test_the_same_as_the_tool(self):
        files = sorted(glob.glob("litmus/classic/*.litmus"))
        said = subprocess.run([TOOL, "-f", "json", "--model", "ptx,sc", *files], capture_output=True, text=True)
        lines = [steady(json.loads(line)) for line in said.stdout.splitlines()]
        with ptxlit.Session("ptx", "sc") as session:
            mine = [steady(r.json) for file in files for test in session.read_file(file) for r in test.check()]
        self.assertEqual(mine, lines)
        self.assertGreater(len(mine), 50)

    def test_results_are_data(self):
        with ptxlit.Session("sc", "ptx") as session:
            [test] = session.read_file(SB)
            sc, ptx = test.check()
        self.assertEqual((sc.verdict, ptx.verdict), ("forbidden", "allowed"))
        self.assertIn(ptxlit.Outcome({"0:r0": 0, "1:r1": 0}, True), ptx.outcomes)
        self.assertNotIn(ptxlit.Outcome({"0:r0": 0, "1:r1": 0}, True), sc.outcomes)

    def test_metadata(self):
        with open("python/pyproject.toml", encoding="ascii") as file:
            [version] = re.findall('^version = "(.*)"$', file.read(), re.M)
        said = subprocess.run([TOOL, "--version"], capture_output=True, text=True).stdout
        self.assertIn(version, said.split())

    def test_why(self):
        with ptxlit.Session() as session:
            [test] = session.read_file("litmus/classic/MP.litmus")
            self.assertIn("does not order", str(test.explain()))
            self.assertEqual(test.explain("1:r0=0; 1:r1=0").json["explains"], "1:r0=0 /\\ 1:r1=0")
            self.assertEqual(test.fix().json["outcome"], "found")
            self.assertEqual(test.races().json["races"], [])
            self.assertEqual(len(test.draw(pick="all")), len(test.check_under("ptx").outcomes))
            self.assertTrue(test.draw("1:r0=1; 1:r1=1", scale=150)[0]._repr_svg_().startswith("<svg"))

    def test_map(self):
        with ptxlit.Session() as session:
            found = session.map("abi-12.9", shape="2,2", scopes="gpu", placements="gpu")
            self.assertEqual([c["instructions"] for c in found["counterexamples"]], ["fence.sc.S; ld.relaxed.S"])
            self.assertFalse(session.map("llvm", events=2)["counterexamples"])
            with self.assertRaisesRegex(ptxlit.Error, "no mapping"):
                session.map("abi-1")
            with self.assertRaisesRegex(TypeError, "event"):
                session.map("llvm", event=2)
            with self.assertRaisesRegex(ValueError, "events"):
                session.map("llvm", events=9)

    def test_mistakes(self):
        with self.assertRaisesRegex(ptxlit.Error, "did you mean"):
            ptxlit.Session("tos")
        with self.assertRaisesRegex(TypeError, "time_out"):
            ptxlit.Session(time_out=1)
        with ptxlit.Session() as session:
            with self.assertRaisesRegex(ptxlit.Error, "(?s)st.relaxd.*\\^~"):
                session.read_text(open(SB).read().replace("st.relaxed", "st.relaxd", 1))
            [test] = session.read_file(SB)
            with self.assertRaisesRegex(ptxlit.Error, "r7"):
                test.explain("0:r7=1")
            with self.assertRaises(ValueError):
                test.check_under("sc")
            session.read_file("litmus/classic/MP.litmus")
            with self.assertRaises(ValueError):
                test.check()
        with self.assertRaises(ValueError):
            session.read_file(SB)

    def test_limits(self):
        with ptxlit.Session(max_outcomes=1) as session:
            [result] = session.read_file(SB)[0].check()
        self.assertEqual(result.verdict, "unknown")
        self.assertTrue(result.reason)

    def test_sessions_close_themselves(self):
        with unittest.mock.patch.object(c.library, "ptxlit_free", wraps=c.library.ptxlit_free) as freed:
            [test] = ptxlit.Session().read_file(SB)
            self.assertEqual(test.check_under().verdict, "allowed")
            self.assertEqual(freed.call_count, 0)
            del test
            self.assertEqual(freed.call_count, 1)
            with ptxlit.Session() as session:
                session.close()
            del session
            self.assertEqual(freed.call_count, 2)

    def test_the_interpreter_ends_while_a_thread_is_in_a_call(self):
        text = """import glob, ptxlit, threading, time
session = ptxlit.Session("ptx", "sc")
def work():
    while True:
        for file in glob.glob("litmus/classic/*.litmus"):
            with session.lock:
                session.read_file(file)[0].check()
threading.Thread(target=work, daemon=True).start()
time.sleep(0.1)
"""
        for _ in range(5):
            done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=200)
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_threads_share_a_session(self):
        files = sorted(glob.glob("litmus/classic/*.litmus"))
        with ptxlit.Session("ptx", "sc") as session, concurrent.futures.ThreadPoolExecutor(4) as pool:
            def ask(file):
                with session.lock:
                    return [(r.test, r.model, r.verdict) for test in session.read_file(file) for r in test.check()]
            self.assertEqual(list(pool.map(ask, files * 4)), [ask(file) for file in files * 4])
            [test] = session.read_file(SB)
            told = set(pool.map(lambda _: (test.explain().text, test.check_under(1).verdict), range(200)))
            self.assertEqual(told, {(test.explain().text, "forbidden")})

    def test_paths_are_bytes(self):
        with tempfile.TemporaryDirectory() as directory, ptxlit.Session(implicit_locations=True) as session:
            path = os.path.join(os.fsencode(directory), b"\xff\xc3.litmus")
            shutil.copy(SB, path)
            for spelt in (path, os.fsdecode(path)):
                self.assertEqual(session.read_file(spelt)[0].check_under().verdict, "allowed")
            text = open(SB).read().replace("st.relaxed", "st.relaxd", 1)
            with self.assertRaisesRegex(ptxlit.Error, "st.relaxd"):
                session.read_text(text, os.fsdecode(path))
            with self.assertRaisesRegex(ptxlit.Error, "byte 0xff"):
                session.read_text(open(SB).read().replace("x=0", "x\udcff=0"), "t")
            for wrong in ("a\0b", b"a\0b"):
                with self.assertRaisesRegex(ValueError, "NUL"):
                    session.read_file(wrong)
            os.mkdir(os.path.join(os.fsencode(directory), b"\xfe"))
            model = os.path.join(os.fsencode(directory), b"\xfe", b"\xfe.cat")
            shutil.copy("models/sc.cat", model)
            with ptxlit.Session(os.fsdecode(model)) as other:
                [test] = other.read_file(SB)
                self.assertEqual(test.check_under(other.models[0]).verdict, "forbidden")

    def test_a_path_that_closes_the_session(self):
        class Closing:
            def __fspath__(self):
                session.close()
                return "/dev/null"

        for call in ("read_file", "map"):
            session = ptxlit.Session("ptx")
            session.read_file(SB)
            with self.assertRaises(ValueError):
                getattr(session, call)(Closing())

    def test_values_that_do_not_fit(self):
        for name, value, takes in (("unroll", -1, "a whole number from 0 to 4294967295"),
                                   ("unroll", 1 << 32, "a whole number from 0 to 4294967295"),
                                   ("max_outcomes", -1, "a whole number from 0"), ("unroll", 1.5, "a whole number"),
                                   ("timeout", -1, "seconds from 0"), ("timeout", float("nan"), "seconds from 0"),
                                   ("engine", 2, "one of sat.enumerate"), ("engine", "brute", "one of sat.enumerate"),
                                   ("all_state", 2, "a whole number from 0 to 1")):
            with self.assertRaisesRegex(ValueError, f"(?s){name} does not take '{value}'.*it takes {takes}"):
                ptxlit.Session(**{name: value})
        self.assertEqual(subprocess.run([TOOL, "--unroll", "-1", SB], capture_output=True, text=True).stderr[:40],
                         "ptxlit: error: --unroll does not take '-")
        with ptxlit.Session(unroll=3, timeout=5, engine=1, all_state=True, keep=None) as session:
            [test] = session.read_file(SB)
            for call in (lambda: test.fix(changes=-1), lambda: test.fix(ways=1 << 32), lambda: test.draw(scale=-1),
                         lambda: test.draw(pick="best"), lambda: session.map("llvm", mixed="some"),
                         lambda: session.map("llvm", events=(1 << 32) + 2)):
                with self.assertRaisesRegex(ValueError, "does not take"):
                    call()

    def test_structures_are_those_of_the_header(self):
        header = open("src/ptxlit.h").read()
        names = re.findall(r"^  OPTION\(([^,]+), (\w+),", header, re.M)
        kinds = {"bool": ctypes.c_bool, "unsigned": ctypes.c_uint, "double": ctypes.c_double,
                 "uint64_t": ctypes.c_uint64, "const char *": ctypes.c_char_p}
        self.assertEqual(c.Options._fields_, [(n, kinds.get(kind, ctypes.c_int)) for kind, n in names])
        for struct, mine in (("ptxlit_draw_options", c.DrawOptions), ("ptxlit_drawing", c.Drawing),
                             ("ptxlit_fix_options", c.FixOptions),
                             ("ptxlit_map_options", c.MapOptions)):
            body = re.search(r"struct %s \{(.*?)\n\};" % struct, header, re.S).group(1)
            body = re.sub(r"/\*.*?\*/", "", body, flags=re.S)
            body = re.sub(r"enum \{.*?\}", "enum", body, flags=re.S)
            self.assertEqual([name for name, _ in mine._fields_], re.findall(r"(\w+);", body))

    def test_the_notebook_has_the_outputs_of_its_cells(self):
        made, space = notebook.with_outputs()
        with open(notebook.NOTEBOOK, encoding="utf-8") as file:
            self.assertEqual(made, json.load(file))
        self.assertEqual([r.verdict for r in space["test"].check()], ["allowed", "forbidden"])


outcome = unittest.main(exit=False, verbosity=0, warnings="ignore").result
bad, left_out = len(outcome.failures) + len(outcome.errors), len(outcome.skipped)
for _, why in outcome.skipped:
    print(f"SKIPPED 1: {why}")
skipped = f", {left_out} skipped" if left_out else ""
print(f"{outcome.testsRun - bad - left_out} passed, {bad} failed{skipped}")
sys.exit(bool(bad))
