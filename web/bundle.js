// Puts the playground together: node web/bundle.js OUT WASM-DIRECTORY. All is in a few plain files, because a page
// opened as a file cannot fetch others.
"use strict";
const fs = require("fs"),
  path = require("path"),
  { execFileSync } = require("child_process");
const [out, wasm] = process.argv.slice(2),
  here = __dirname;
const read = (file) => fs.readFileSync(file, "utf8");
const write = (name, text) => fs.writeFileSync(path.join(out, name), text);

function collect(directory, pattern, into) {
  for (const entry of fs.readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const file = path.join(directory, entry.name);
    if (entry.isDirectory()) collect(file, pattern, into);
    else if (pattern.test(entry.name)) into[file] = read(file);
  }
  return into;
}

// A <script> must not contain "</".
const literal = (value) =>
  JSON.stringify(value)
    .replace(/<\//g, "<\\/")
    .replace(/\u2028|\u2029/g, " ");

fs.mkdirSync(out, { recursive: true });
const files = {};
for (const directory of ["models", "litmus", "docs/tutorial/tests", "docs/examples"])
  collect(directory, /\.(litmus|cat|map|test|ptx|cu)$/, files);
write("data.js", `const PTXLIT_FILES = ${literal(files)};\n`);

const code = [
  path.join(wasm, "ptxlit.js"),
  ...["shell.js", "tool.js", "worker.js"].map((f) => path.join(here, f)),
].map(read);
const binary = fs.readFileSync(path.join(wasm, "ptxlit.wasm")).toString("base64");
write("tool.js", `const PTXLIT_TOOL = ${literal({ code: code.join("\n"), wasm: binary })};\n`);
for (const name of [
  "index.html",
  "style.css",
  "session.js",
  "highlight.js",
  "turn.js",
  "said.js",
  "edits.js",
  "editor.js",
  "picture.js",
  "link.js",
  "page.js",
  "lesson.js",
  "shell.js",
])
  fs.copyFileSync(path.join(here, name), path.join(out, name));
require("./lessons.js").make(out, execFileSync);

// Descriptions of instructions, and of predefined sets and relations, from the tables of src.
async function describe() {
  const { runTool } = require("./tool.js");
  process.setMaxListeners(0);
  const factory = require(path.resolve(wasm, "ptxlit.js"));
  const module = await WebAssembly.compile(fs.readFileSync(path.join(wasm, "ptxlit.wasm")));
  const names = (file, pattern) => [...read(file).matchAll(pattern)].map(([, name]) => name);
  const words = new Set([
    ...names("src/ptx/isa.def", /^PTX_ISA\("([^"]+)"/gm),
    ...names("src/cat/builtin.def", /^(?:SET|REL|REL_OPEN|SET_ALIAS|REL_ALIAS)\(\w+, "([^"]+)"/gm),
  ]);
  const found = {};
  for (const word of words) {
    const { out } = await runTool(factory, module, {}, ["--describe", word], "");
    if (out) found[word] = out.trimEnd();
  }
  if (!found.ld || !found.rf) throw new Error("no descriptions of words");
  fs.appendFileSync(path.join(out, "data.js"), `const PTXLIT_WORDS = ${literal(found)};\n`);
}
describe();
