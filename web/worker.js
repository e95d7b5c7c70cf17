// The worker: answers one request after another, so that the page stays free; stopped by ending it. bundle.js appends
// it to the tool, tool.js and shell.js.
"use strict";

let compiled, shared;

// Files that every run gets: models and modules.
const everyRun = (path) => path.startsWith("models/") || path.endsWith(".ptx");

// The files for a run: those, the requested ones and, for command lines, the whole library.
function filesFor(request) {
  const files = { ...request.files };
  for (const path of Object.keys(shared))
    if (everyRun(path) || request.line !== undefined) files[path] = files[path] ?? shared[path];
  return files;
}

async function answer(request) {
  if (request.line !== undefined) {
    const files = filesFor(request);
    return shell.run(request.line, files, (args, stdin) =>
      runTool(ptxlit, compiled, needed(files, args), args, stdin),
    );
  }
  return runTool(ptxlit, compiled, filesFor(request), request.args, "");
}

// The files and directories that a command line names.
function needed(files, args) {
  const some = {};
  for (const path of Object.keys(files))
    if (
      everyRun(path) ||
      args.some(
        (a) => a === path || path.startsWith(a.replace(/\/?$/, "/")) || (path.endsWith(".cat") && a.includes(path)),
      )
    )
      some[path] = files[path];
  return some;
}

self.onmessage = async ({ data }) => {
  if (data.start) {
    compiled = data.module;
    shared = data.files;
    return;
  }
  try {
    self.postMessage({ id: data.id, answer: await answer(data) });
  } catch (problem) {
    self.postMessage({
      id: data.id,
      answer: { out: "", err: "ptxlit: error: " + problem, text: String(problem), status: 70 },
    });
  }
};
