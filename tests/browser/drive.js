// A real Chromium, driven over its pipe: no package is needed for that. Without network.
"use strict";
const { spawn } = require("child_process"),
  fs = require("fs");

// `profile`: an empty directory. Gives {open, close}.
async function start(browser, profile) {
  const child = spawn(
    browser,
    [
      "--headless=new",
      "--no-sandbox",
      "--disable-gpu",
      "--remote-debugging-pipe",
      "--hide-scrollbars",
      `--user-data-dir=${profile}`,
      "--host-resolver-rules=MAP * ~NOTFOUND",
    ],
    { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] },
  );
  const waiting = new Map(),
    errors = [];
  let count = 0,
    rest = "";
  child.stdio[4].on("data", (data) => {
    const parts = (rest + data).split("\0");
    rest = parts.pop();
    for (const part of parts) {
      const message = JSON.parse(part);
      if (message.method === "Runtime.exceptionThrown")
        errors.push(message.params.exceptionDetails.exception?.description);
      if (!waiting.has(message.id)) continue;
      const { resolve, reject } = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.error) reject(new Error(message.error.message));
      else resolve(message.result);
    }
  });
  const send = (method, params = {}, sessionId) =>
    new Promise((resolve, reject) => {
      waiting.set(++count, { resolve, reject });
      child.stdio[3].write(JSON.stringify({ id: count, method, params, sessionId }) + "\0");
    });

  // A page of a width, light or dark. `run` evaluates an expression in it; `until` waits for one to become true.
  async function open(url, { width = 1300, dark = false } = {}) {
    const { targetId } = await send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
    const tell = (method, params) => send(method, params, sessionId);
    await tell("Runtime.enable");
    await tell("Page.enable");
    await tell("Emulation.setDeviceMetricsOverride", {
      width,
      height: 900,
      deviceScaleFactor: 1,
      mobile: width < 600,
    });
    await tell("Emulation.setEmulatedMedia", {
      features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }],
    });
    await tell("Page.navigate", { url });
    const run = async (expression) => {
      const done = await tell("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
      if (done.exceptionDetails) throw new Error(done.exceptionDetails.exception?.description || "the page threw");
      return done.result.value;
    };
    const until = async (expression, seconds = 300) => {
      for (const end = Date.now() + 1000 * seconds; Date.now() < end; await new Promise((r) => setTimeout(r, 50)))
        if (await run(expression).catch(() => false)) return;
      throw new Error(`after ${seconds} s it is still not so: ${expression}`);
    };
    const shot = async (file) =>
      fs.writeFileSync(
        file,
        Buffer.from((await tell("Page.captureScreenshot", { captureBeyondViewport: true })).data, "base64"),
      );
    const type = (key, code, modifiers = 0) =>
      tell("Input.dispatchKeyEvent", { type: "keyDown", key, code: key, windowsVirtualKeyCode: code, modifiers });
    return { run, until, shot, type, close: () => send("Target.closeTarget", { targetId }) };
  }
  const close = () => {
    child.kill("SIGKILL");
  };
  return { open, close, errors };
}

// Counts checks: check(WHAT, TEST) fails if `test` throws; the text of the page, from `shown()`, is printed with it.
function counter(shown) {
  const count = { passed: 0, failed: 0 };
  const check = async (what, test) => {
    try {
      await test();
      count.passed++;
    } catch (problem) {
      count.failed++;
      console.log(`FAIL ${what}: ${problem.message}`);
      if (shown()) console.log((await shown().run("document.body.innerText").catch(() => "")).slice(0, 600));
    }
  };
  const end = () => {
    console.log(`${count.passed} passed, ${count.failed} failed`);
    process.exitCode = count.failed || !count.passed ? 1 : 0;
  };
  return { check, count, end };
}
const demand = (truth, words) => {
  if (!truth) throw new Error(words);
};
module.exports = { start, counter, demand };
