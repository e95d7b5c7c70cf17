// The worker: answers one request after another, so that the page stays free; stopped by ending it. Its text is put
// behind that of the tool, tool.js and shell.js (see bundle.js).
"use strict";

let compiled, shared;

// What any run may need, whatever it names: models, and modules that tests name.
const everyRun = (path) => path.startsWith("models/") || path.endsWith(".ptx");

// What a run may need: that, the files asked for, and all that stand in the library for command lines.
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

// Of the files of a command line those that it names, and directories that it names.
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
