// The tool as a function: each run is a fresh instance of the compiled module with its own file system, so that a
// failed run leaves no state. Runs in the worker, and in node for the tests.
"use strict";

// `files`: {path: text}. Gives {out, err, status}; status 70: the run aborted.
function runTool(factory, module, files, args, stdin) {
  const out = [],
    err = [];
  let status = 70,
    at = 0;
  const bytes = new TextEncoder().encode(stdin || "");
  const options = {
    noInitialRun: true,
    thisProgram: "ptxlit",
    stdout: (byte) => out.push(byte), // not a terminal: no output meant only for people
    stderr: (byte) => err.push(byte),
    printErr: () => {},
    stdin: () => (at < bytes.length ? bytes[at++] : null),
    instantiateWasm(imports, ready) {
      WebAssembly.instantiate(module, imports).then((instance) => ready(instance));
      return {};
    },
    preRun: [
      (self) => {
        self.ENV.PTXLIT_MODELS = "models";
        self.ENV.NO_COLOR = "1";
        for (const path of Object.keys(files)) {
          const slash = path.lastIndexOf("/");
          if (slash > 0) self.FS.mkdirTree(path.slice(0, slash));
          self.FS.writeFile(path, files[path]);
        }
      },
    ],
    onExit: (code) => (status = code),
    quit: (code) => (status = code),
  };
  const text = (list) => new TextDecoder().decode(new Uint8Array(list));
  return factory(options).then((self) => {
    try {
      const code = self.callMain(args);
      status = typeof code === "number" ? code : status;
    } catch (problem) {
      if (problem && problem.name === "ExitStatus") status = problem.status;
      else err.push(...new TextEncoder().encode(`ptxlit: error: the run broke off: ${problem}\n`));
    }
    return { out: text(out), err: text(err), status };
  });
}

if (typeof module !== "undefined") module.exports = { runTool };
