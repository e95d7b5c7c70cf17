// The worker: answers one request after another, so that the page stays free; stopped by ending it. bundle.js appends
// it to the tool, tool.js and shell.js.
"use strict";

let compiled, shared;

// The files for a run: those, the requested ones and, for command lines, the whole library.
function filesFor(request) {
  const files = { ...request.files };
  for (const path of Object.keys(shared))
    if (shell.everyRun(path) || request.line !== undefined) files[path] = files[path] ?? shared[path];
  return files;
}

async function answer(request) {
  if (request.line !== undefined)
    return shell.run(request.line, filesFor(request), (args, stdin, files) =>
      runTool(ptxlit, compiled, files, args, stdin),
    );
  return runTool(ptxlit, compiled, filesFor(request), request.args, "");
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
