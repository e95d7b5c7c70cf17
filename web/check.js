// Compares the WebAssembly tool with the native one: node web/check.js TOOL WASM-DIRECTORY [TEST...]. Every shipped
// test under ptx, and every command of the lessons. Prints what differs, and a count.
"use strict";
const fs = require("fs"),
  path = require("path"),
  { execFileSync, spawnSync } = require("child_process");
const { runTool } = require("./tool.js"),
  shell = require("./shell.js");
const [tool, wasm, ...named] = process.argv.slice(2);
const factory = require(path.resolve(wasm, "ptxlit.js"));

// The listeners of emscripten would keep each run's memory.
async function run(module, files, args, stdin) {
  const said = await runTool(factory, module, files, args, stdin);
  ["uncaughtException", "unhandledRejection"].forEach((event) => process.removeAllListeners(event));
  return said;
}
const list = (directory, pattern) =>
  execFileSync("find", [directory, "-name", pattern], { encoding: "utf8" }).split("\n").filter(Boolean).sort();
const read = (names) => Object.fromEntries(names.map((name) => [name, fs.readFileSync(name, "utf8")]));
const steady = (text) =>
  text
    .replace(/"stats":\{[^}]*\}/g, "")
    .replace(/^(Time .*) [0-9.]+$/gm, "$1 0.00")
    .trimEnd();
const env = { ...process.env, PTXLIT_MODELS: "models", NO_COLOR: "1" };
let passed = 0,
  failed = 0;

function compare(what, here, there) {
  if (steady(here) === steady(there)) return passed++;
  failed++;
  console.log(`FAIL ${what}\n--- ptxlit\n${there.slice(0, 400)}\n--- WebAssembly\n${here.slice(0, 400)}`);
}

async function main() {
  const module = await WebAssembly.compile(fs.readFileSync(path.join(wasm, "ptxlit.wasm")));
  const models = read([...list("models", "*.cat"), ...list("models/maps", "*.map"), ...list("litmus", "*.ptx")]);
  const tests = named.length ? named : list("litmus", "*.litmus").filter((name) => !name.startsWith("litmus/loops/"));
  const args = ["--format", "json", "--timeout", "20"];
  for (let i = 0; i < tests.length; i += 40) {
    const some = tests.slice(i, i + 40);
    const there = spawnSync(tool, [...args, ...some], { encoding: "utf8", env, maxBuffer: 1 << 28 });
    const here = await run(module, { ...models, ...read(some) }, [...args, ...some], "");
    const a = here.out.split("\n"),
      b = there.stdout.split("\n");
    for (let k = 0; k < Math.max(a.length, b.length) - 1; k++)
      compare((b[k] || a[k]).slice(0, 80), a[k] || "", b[k] || "");
    compare(`messages and status of ${some[0]} ...`, here.err + here.status, there.stderr + there.status);
  }
  if (named.length) return;
  const files = {
    ...models,
    ...read(list("docs/tutorial/tests", "*").filter((name) => fs.statSync(name).isFile())),
    ...read(list("litmus", "*.litmus")),
    ...read(list("litmus", "*.cu")),
  };
  const text = list("docs/tutorial", "*.md")
    .map((name) => fs.readFileSync(name, "utf8"))
    .join("\n");
  for (const line of new Set(
    text
      .split("\n")
      .map((l) => l.trim())
      .filter((l) => l.startsWith("$ "))
      .map((l) => l.slice(2)),
  )) {
    if (!shell.runnable(line)) continue;
    const there = spawnSync("bash", ["-c", `PATH="$(realpath $(dirname ${tool})):$PATH"; { ${line}; } 2>&1`], {
      encoding: "utf8",
      env,
    });
    const here = await shell.run(line, files, (a, stdin, some) => run(module, some, a, stdin));
    compare("$ " + line, here.text, there.stdout);
  }
}

main().then(() => {
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed || !passed ? 1 : 0;
});
