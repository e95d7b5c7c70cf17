// Tests the texts of the playground without a browser: node tests/browser/said.js TOOL.
"use strict";
const fs = require("fs"),
  os = require("os"),
  path = require("path"),
  { execFileSync, spawnSync } = require("child_process");
const tool = process.argv[2],
  said = require("../../web/said.js"),
  edits = require("../../web/edits.js"),
  lessons = require("../../web/lessons.js");
let passed = 0,
  failed = 0;

function same(what, here, there) {
  if (JSON.stringify(here) === JSON.stringify(there)) return passed++;
  failed++;
  console.log(`FAIL ${what}: ${JSON.stringify(here)}, not ${JSON.stringify(there)}`);
}

function check(file, model) {
  return JSON.parse(spawnSync(tool, ["--format", "json", "--model", model, file], { encoding: "utf8" }).stdout);
}

const files = {};
for (const name of fs.readdirSync("models").filter((n) => n.endsWith(".cat")))
  files["models/" + name] = fs.readFileSync("models/" + name, "utf8");
const listed = execFileSync(tool, ["--list-models"], { encoding: "utf8" }).trim().split("\n");
same(
  "the models are those of --list-models",
  said.models(files).sort(),
  listed.map((line) => line.split("\t")[0]),
);
same("ptx comes first", said.models(files)[0], "ptx");

const silent = check("litmus/async/mbarrier+store-buffering.litmus", "sc");
same("why it is unknown", said.reason(silent), "line 10: the model does not define mbarrier objects");
same("that it hangs not", said.hang(silent), "");
const stuck = check("litmus/loops/branch+bar.sync-on-one-path.litmus", "ptx");
same("who waits", said.hang(stuck), "threads wait for ever: P0 at line 11, bar.sync 0, 64");
same("that there is no reason", said.reason(stuck), "");

// The pages of the lessons, with links alone made HTML: each leads to a page of the playground.
const out = fs.mkdtempSync(path.join(os.tmpdir(), "ptxlit-lessons-"));
lessons.make(out, (command, args, { input }) => input.replace(/\[([^\]]*)\]\(([^)]*)\)/g, '<a href="$2">$1</a>'));
const pages = new Set([...fs.readdirSync(out), "index.html"]);
for (const name of fs.readdirSync(out)) {
  const text = fs.readFileSync(path.join(out, name), "utf8");
  const lost = [...text.matchAll(/<a [^>]*href="([^"#]*)/g)]
    .map((m) => m[1])
    .filter((href) => href && !/^[a-z]+:/.test(href) && !pages.has(href));
  same(`links of ${name}`, lost, []);
}
fs.rmSync(out, { recursive: true });

const words = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"];
const counted = fs.readFileSync("README.md", "utf8").match(/(\w+) others ship, (\w+) of them for CUDA C\+\+/);
same(
  "README counts the models",
  counted && counted.slice(1),
  [words[listed.length - 1], words[listed.filter((line) => line.includes("CUDA")).length].toLowerCase()],
);
const size = fs.readFileSync("models/ptx.cat", "utf8").split("\n").length;
const told = fs.readFileSync("docs/tutorial/12-models.md", "utf8").match(/a file of some (\d+) lines/);
same("lesson 12 says how long ptx.cat is", told && +told[1], Math.round(size / 100) * 100);

// Each way that fix finds, made in the text by the page, has the verdict that fix promises.
const made = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "ptxlit-")), "made.litmus");
for (const file of ["classic/MP", "classic/SB", "async/load+copy-before-expect", "fences/SB+fence.sc.gpu"]) {
  const before = fs.readFileSync(`litmus/${file}.litmus`, "utf8");
  const printed = spawnSync(tool, ["fix", "--format", "json", `litmus/${file}.litmus`], { encoding: "utf8" }).stdout;
  const { ways, verdicts } = JSON.parse(printed);
  ways.forEach((changes, i) => {
    fs.writeFileSync(made, edits.apply(before, changes, false));
    same(`${file}: ${changes.map((c) => edits.told(c, false)).join("; ")}`, check(made, "ptx").verdict, verdicts[i]);
  });
}
fs.rmSync(path.dirname(made), { recursive: true });
const unsafe = ["litmus/kernels/last-block.ptx", "last_block_one_fence<<<2, 1>>>(int in[2], int part[2], int out)"];
const raced = JSON.parse(spawnSync(tool, ["--format", "json", ...unsafe], { encoding: "utf8" }).stdout);
const [finding] = said.findings(raced);
same(
  "what makes a kernel unsafe",
  finding.words,
  "race: line 122 by thread 0 of block 0, st.global.u32 [%rd11], %r20 and line 169 by thread 0 of block 1, " +
    "ld.global.u32 %r35, [%rd17] (iteration 1 of 2)",
);
same("the lines of a finding", finding.lines, [122, 169]);
const proposed = spawnSync(tool, [unsafe[0]], { encoding: "utf8" }).stdout;
same("the proposed launches", said.launches(proposed)[0], "last_block<<<2, 1>>>(int p0[2], int p1[2], int p2[1])");

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
