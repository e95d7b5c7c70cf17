// The tool as a function, compiled to WebAssembly. Each run is a fresh instance with a file system of its own.
"use strict";
const fs = require("fs"),
  path = require("path");
const factory = require("./ptxlit.js"),
  { runTool } = require("./tool.js");

const read = (name) => fs.readFileSync(path.join(__dirname, name));
let compiled = null,
  models = null;

// Runs a command line: run(["fix", "t.litmus"], { files: { "t.litmus": text } }).
async function run(args, { files = {}, stdin = "" } = {}) {
  compiled = compiled || WebAssembly.compile(read("ptxlit.wasm"));
  models = models || JSON.parse(read("files.json"));
  return runTool(factory, await compiled, { ...models, ...files }, args, stdin);
}

// The objects that a verb prints as JSON; for what is wrong with the test an error with the tool's messages.
async function ask(verb, test, { options = [], files = {} } = {}) {
  const answer = await run([verb, "--format=json", ...options, "-"], { files, stdin: test });
  const results = answer.out.split("\n").filter(Boolean).map((line) => JSON.parse(line));
  if (!results.length) throw Object.assign(new Error(answer.err.trim()), { status: answer.status });
  return results;
}

const check = (test, more) => ask("check", test, more);
const explain = (test, more) => ask("explain", test, more);
const fix = (test, more) => ask("fix", test, more);

module.exports = { run, ask, check, explain, fix };
