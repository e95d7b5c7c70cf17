// The page's side of the worker: one request at a time, which can be stopped.
"use strict";

const session = (() => {
  let worker = null,
    module = null,
    pending = null,
    count = 0;

  function bytes() {
    const text = atob(PTXLIT_TOOL.wasm),
      all = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) all[i] = text.charCodeAt(i);
    return all;
  }

  // A worker from a Blob also works where the page is a file.
  async function start() {
    module = module || (await WebAssembly.compile(bytes()));
    const url = URL.createObjectURL(new Blob([PTXLIT_TOOL.code], { type: "text/javascript" }));
    worker = new Worker(url);
    worker.onmessage = ({ data }) => {
      if (!pending || data.id !== pending.id) return;
      const done = pending;
      pending = null;
      done.resolve(data.answer);
    };
    worker.postMessage({ start: true, module, files: PTXLIT_FILES });
  }

  // Ends what runs; its promise gives null.
  function stop() {
    if (!pending) return;
    worker.terminate();
    worker = null;
    pending.resolve(null);
    pending = null;
  }

  async function ask(request) {
    stop();
    const mine = ++count;
    if (!worker) await start();
    if (mine !== count) return null;
    return new Promise((resolve) => {
      pending = { id: mine, resolve };
      worker.postMessage({ ...request, id: mine });
    });
  }

  return { ask, stop, busy: () => pending !== null };
})();
