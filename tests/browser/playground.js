// The playground in a real Chromium, opened as a file: node tests/browser/playground.js CHROMIUM SITE PROFILE.
"use strict";
const path = require("path"),
  fs = require("fs"),
  zlib = require("zlib");
const { start, counter, demand } = require("./drive.js");
const [browser, site, profile] = process.argv.slice(2);
const url = (page) => "file://" + path.resolve(site, page);
let last = null;
const { check, count, end } = counter(() => last);
const text = (id) => `document.getElementById('${id}').textContent`;
const set = (id, value, event) => `{ const e = document.getElementById('${id}'); e.value = ${JSON.stringify(value)};
  e.dispatchEvent(new Event('${event}', { bubbles: true })); }`;
const guess = (verdict) => `{ const form = document.querySelector('.exercise form');
  for (const choice of form.querySelectorAll('select')) choice.value = '${verdict}'; form.requestSubmit(); }`;
const hash = (test, models) => "#" + new URLSearchParams({ test, models });

const racy = fs.readFileSync("litmus/classic/MP.litmus", "utf8");
const hard = `PTX hard
{ x=0; }
${[0, 1, 2, 3, 4, 5, 6, 7].map((i) => ` P${i}@cta ${i},gpu 0 `).join("|")};
${Array(12)
  .fill([0, 1, 2, 3, 4, 5, 6, 7].map((i) => ` atom.add.relaxed.gpu r${i}, x, 1 `).join("|"))
  .join(";\n")};
exists (x=1)
`;

async function main() {
  const b = await start(browser, profile);
  const p = (last = await b.open(url("index.html")));
  await check("a first verdict", () => p.until(`${text("verdicts")}.includes('allowed')`));
  if (count.failed) {
    b.close();
    return end();
  }
  await check("a picture", () => p.until("document.querySelector('#panel svg .e.fr')"));
  await check("less than 3 MB to load, compressed", () => {
    const size = [
      "index.html",
      "style.css",
      "data.js",
      "tool.js",
      "session.js",
      "highlight.js",
      "turn.js",
      "said.js",
      "edits.js",
      "editor.js",
      "picture.js",
      "link.js",
      "page.js",
    ].reduce((sum, name) => sum + zlib.gzipSync(fs.readFileSync(path.join(site, name))).length, 0);
    demand(size < 3e6, `${size} bytes`);
    console.log(`first load: ${size} bytes compressed`);
  });
  await check("a small test", async () => {
    const times = [];
    for (let i = 0; i < 7; i++)
      times.push(
        await p.run(`(async () => { const begun = performance.now();
        await session.ask({ args: ["--format", "json", "--model", "ptx", "test.litmus"], files: files() });
        return performance.now() - begun; })()`),
      );
    console.log(`a small test: ${Math.min(...times).toFixed(0)} ms`);
  });
  await check("clicking an outcome shows its execution", async () => {
    await p.run(
      "[...document.querySelectorAll('#outcomes button')].find(b => b.textContent === '0:r0=1; 1:r1=1').click()",
    );
    await p.until("document.querySelector('#panel svg')?.textContent.includes('ends with 0:r0=1; 1:r1=1')");
  });
  for (const [tab, words] of [
    ["explain", "r1"],
    ["fix", "fence"],
    ["races", "SB"],
  ])
    await check(`the tab ${tab}`, async () => {
      await p.run(`document.getElementById('tab-${tab}').click()`);
      await p.until(`${text("panel")}.includes('${words}') && !session.busy()`);
    });
  await check("an error stands behind its line, and below with caret and hint", async () => {
    await p.run(set("source", racy.replace("st.relaxed", "st.relaxd"), "input"));
    await p.until("!document.getElementById('inline-error').hidden");
    const said = await p.run(text("messages"));
    demand(/error: .*\n[\s\S]*\^~+/.test(said) && said.includes("did you mean"), said);
    demand(
      await p.run(
        "[...document.querySelectorAll('#editor .wrong')].map((e) => e.textContent).join('').includes('relaxd')",
      ),
      "nothing is underlined",
    );
  });
  await check("what stands behind a wrong line covers no other, and not the line itself", async () => {
    const lines = racy.split("\n"),
      wrong = lines.findIndex((line) => line.includes("st.relaxed"));
    await p.run(`{ const c = document.createElement('canvas').getContext('2d'), s = getComputedStyle($('source'));
      c.font = s.font; window.wide = (text) => c.measureText(text).width; }`);
    const at = await p.run(`(() => { const box = $('inline-error').getBoundingClientRect(),
      s = getComputedStyle($('source')), area = $('source').getBoundingClientRect(), high = parseFloat(s.lineHeight),
      line = area.top + parseFloat(s.borderTopWidth) + parseFloat(s.paddingTop) + ${wrong} * high;
      return { above: box.top - line, below: box.bottom - line - high, left: box.left - area.left -
        parseFloat(s.paddingLeft) - wide($('source').value.split('\\n')[${wrong}]), width: box.width }; })()`);
    demand(at.width > 0 && at.above > -1 && at.below < 1 && at.left > 0, JSON.stringify(at));
  });
  await check("why a test is unknown, and who waits for ever", async () => {
    const read = (name) => fs.readFileSync(`litmus/${name}.litmus`, "utf8");
    await p.run(`location.hash = ${JSON.stringify(hash(read("async/mbarrier+store-buffering"), "sc"))}`);
    await p.until(`${text("verdicts")}.includes('unknown') && !session.busy()`);
    const silent = await p.run(text("verdicts"));
    demand(silent.includes("line 10: the model does not define mbarrier objects"), silent);
    await p.run(`location.hash = ${JSON.stringify(hash(read("loops/branch+bar.sync-on-one-path"), "ptx"))}`);
    await p.until(`${text("verdicts")}.includes('Never') && !session.busy()`);
    const stuck = await p.run(text("verdicts"));
    demand(stuck.includes("threads wait for ever: P0 at line 11, bar.sync 0, 64"), stuck);
  });
  await check("the models that can be chosen are those of the tool", async () => {
    const offered = await p.run("[...document.querySelectorAll('#models label')].map((e) => e.textContent.trim())");
    const listed = JSON.stringify(await p.run(`(async () => (await session.ask({ args: ["--list-models"],
      files: {} })).out.trim().split("\\n").map((line) => line.split("\\t")[0]))()`));
    demand(JSON.stringify([...offered].sort()) === listed && offered[0] === "ptx", `${offered}, not ${listed}`);
  });
  await check("the slider of scopes turns the verdict", async () => {
    const fixed = fs.readFileSync("docs/tutorial/tests/message-release-acquire.litmus", "utf8");
    await p.run(`location.hash = ${JSON.stringify(hash(fixed, "ptx"))}`);
    await p.until(`${text("verdicts")}.includes('forbidden') && !session.busy()`);
    await p.run(set("scope", "1", "input"));
    await p.until(`${text("verdicts")}.includes('allowed')`);
    await p.run(set("place", "1", "input"));
    await p.until(`${text("verdicts")}.includes('forbidden')`);
    await p.run("document.getElementById('undo-sliders').click()");
    await p.until(`document.getElementById('source').value === ${JSON.stringify(fixed)}`);
  });
  await check("a short link carries the test", async () => {
    const whole = fs.readFileSync("litmus/async/ring+mma.litmus", "utf8");
    await p.run(`location.hash = ${JSON.stringify(hash(whole, "ptx"))}`);
    await p.until(`editor.value() === ${JSON.stringify(whole)} && !session.busy()`);
    await p.run("document.getElementById('link').click()");
    await p.until("location.hash.startsWith('#z=')");
    const packed = await p.run("location.hash");
    demand(packed.length < hash(whole, "ptx").length / 2, `${packed.length} characters`);
    await p.run("location.hash = '#file=litmus%2Fclassic%2FSB.litmus'");
    await p.until("editor.value().includes('PTX SB')");
    await p.run(`location.hash = ${JSON.stringify(packed)}`);
    await p.until(`editor.value() === ${JSON.stringify(whole)}`);
  });
  await check("a link that unpacks to very much is refused", async () => {
    const bomb = "#z=" + zlib.deflateRawSync(Buffer.alloc(64 << 20, " ")).toString("base64url");
    demand((await p.run(`link.unpack(${JSON.stringify(bomb)}).catch((e) => e.message)`)).includes("more than"));
  });
  await check("a fix is applied", async () => {
    await p.run(`location.hash = ${JSON.stringify(hash(racy, "ptx"))}`);
    await p.until(`${text("verdicts")}.includes('allowed') && !session.busy()`);
    await p.run("document.getElementById('tab-fix').click()");
    await p.until("document.querySelector('.ways button')");
    await p.run("document.querySelector('.ways button').click()");
    await p.until(`${text("verdicts")}.includes('forbidden') && !session.busy()`);
    demand(/release.gpu|acq_rel.gpu/.test(await p.run("editor.value()")), "nothing releases");
  });
  await check("an instruction tells its section", async () => {
    const found = await p.run(`(() => { const area = $('source'), at = area.getBoundingClientRect(),
      style = getComputedStyle(area), line = area.value.split('\\n').findIndex((l) => l.includes('ld.'));
      const column = area.value.split('\\n')[line].indexOf('ld.') + 1, wide = parseFloat(style.fontSize) * 0.602;
      area.dispatchEvent(new MouseEvent('mousemove', { bubbles: true,
        clientX: at.left + parseFloat(style.paddingLeft) + column * wide,
        clientY: at.top + parseFloat(style.paddingTop) + (line + 0.5) * parseFloat(style.lineHeight) }));
      const tip = document.querySelector('.tip'); return tip.hidden ? '' : tip.textContent; })()`);
    demand(found.startsWith("ld: section 9.7.10"), found || "nothing is shown");
    await p.run(`{ const area = $('source'); area.selectionStart = area.value.indexOf('st.') + 1;
      area.dispatchEvent(new Event('click')); }`);
    demand((await p.run(text("told"))).startsWith("st: section"), await p.run(text("told")));
  });
  await check("a model is edited in place, its error stands behind its line", async () => {
    await p.run(`location.hash = ${JSON.stringify(hash(racy, "sc"))}`);
    await p.until(`${text("verdicts")}.includes('forbidden') && !session.busy()`);
    await p.run("chooseModel('models/sc.cat')");
    const model = fs.readFileSync("models/sc.cat", "utf8");
    await p.run(set("model-source", model.replace(/^acyclic/m, "acyclc"), "input"));
    await p.until("!document.querySelector('#model-box .inline-error').hidden && $('model-editor').open");
    await p.run(set("model-source", model.replace(/^acyclic.*$/m, "empty 0 as Nothing"), "input"));
    await p.until(`${text("verdicts")}.includes('allowed') && !session.busy()`);
    await p.run("document.getElementById('model-reset').click()");
    await p.until(`${text("verdicts")}.includes('forbidden') && !session.busy()`);
  });
  await check("a module of PTX has launch lines, findings and fixes", async () => {
    await p.run("state.models = ['ptx']; fillModels()");
    await p.run(set("source", fs.readFileSync("litmus/kernels/last-block.ptx", "utf8"), "input"));
    await p.until("$('launch').value.includes('<<<') && !$('launch-line').hidden && !session.busy()");
    demand((await p.run(text("verdicts"))).includes("press Run"), "a proposed launch was run");
    await p.run(set("launch", "last_block_one_fence<<<2, 1>>>(int in[2], int part[2], int out)", "change"));
    await p.until(`${text("verdicts")}.includes('unsafe') && !session.busy()`);
    const said = await p.run(text("verdicts"));
    demand(said.includes("race: line 122 by thread 0 of block 0"), said);
    demand((await p.run("document.querySelectorAll('#editor .mark').length")) === 2, "its lines are not marked");
    await p.run("$('editor').scrollTop = 0; document.querySelector('button.finding').click()");
    demand((await p.run("$('editor').scrollTop")) > 1000, "the editor does not scroll to a finding");
    await p.run("selectTab('graph')");
    await p.until("document.querySelector('#panel svg') && !session.busy()");
    demand(await p.run("document.querySelector('#panel svg').clientWidth <= $('panel').clientWidth"), "a wide picture");
    await p.run("document.getElementById('tab-fix').click()");
    await p.until("document.querySelector('.ways button')");
    await p.run("document.querySelector('.ways button').click()");
    await p.until(`${text("verdicts")}.includes('ptx: safe') && !session.busy()`);
  });
  await check("CUDA C++ is to be compiled first", async () => {
    await p.run(set("source", "__global__ void k(int *p) { *p = 1; }", "input"));
    await p.until(`${text("verdicts")}.includes('nvcc -ptx')`);
  });
  await check("every execution of an outcome, zoom, relations, files", async () => {
    const two = `PTX two\n{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0 ;
 st.relaxed.gpu x, 1 | st.relaxed.gpu x, 1 | ld.relaxed.gpu r0, x ;\nexists (2:r0=1)\n`;
    await p.run(`selectTab('graph'); location.hash = ${JSON.stringify(hash(two, "ptx"))}`);
    await p.until("document.querySelector('#panel svg')?.textContent.includes('two under') && !session.busy()");
    await p.run("document.querySelector('[aria-label^=\"Step through every\"]').click()");
    await p.until("document.getElementById('which')?.textContent.includes('1 of 2')");
    const first = await p.run("document.querySelector('#panel svg').outerHTML");
    await p.run("document.querySelector('[aria-label=\"The next execution\"]').click()");
    demand((await p.run("document.querySelector('#panel svg').outerHTML")) !== first, "both are the same");
    const narrow = await p.run("document.querySelector('#panel svg').clientWidth");
    await p.run("document.querySelector('[aria-label=Larger]').click()");
    demand((await p.run("document.querySelector('#panel svg').clientWidth")) > narrow, "it is not larger");
    await p.run("document.querySelector('[aria-label^=Fit]').click()");
    const size = await p.run(`picture.asPng(document.querySelector('#panel svg').outerHTML).then((b) => b.size)`);
    demand(size > 5000, `a PNG of ${size} bytes`);
    await p.run("document.querySelectorAll('.relations input')[0].click()");
    await p.until("!session.busy() && $('panel').querySelector('svg') && !$('panel').querySelector('svg .rf')");
    await p.run("picture.reset()");
  });
  await check("steps are played", async () => {
    await p.run("document.getElementById('tab-graph').click()");
    await p.until("document.getElementById('step')");
    await p.run(set("step", "1", "input"));
    demand(await p.run("document.querySelectorAll('#panel .later').length > 0"), "all is shown");
  });
  await check("a hard test can be stopped, and the page is never stuck", async () => {
    await p.run(`location.hash = ${JSON.stringify(hash(hard, "ptx"))}`);
    await p.until("session.busy()");
    await p.run("new Promise((r) => setTimeout(r, 300))");
    demand(await p.run("session.busy()"), "it was not hard");
    await p.run("document.getElementById('stop').click()");
    await p.until(`${text("status")} === 'Stopped.'`, 5);
  });
  await check("the limits are those of the command line", async () => {
    await p.run(set("timeout", "0.3", "input"));
    await p.run("document.getElementById('run').click()");
    await p.until(`${text("verdicts")}.includes('unknown')`);
  });
  await check("it is run by keys, and the tabs move by arrows", async () => {
    await p.run(`location.hash = ${JSON.stringify(hash(racy, "ptx,sc"))}`);
    await p.until(`${text("verdicts")}.includes('sc: forbidden') && !session.busy()`);
    await p.run("document.getElementById('tab-graph').focus()");
    await p.type("ArrowRight", 39);
    await p.until("document.activeElement.id === 'tab-explain'");
    await p.run("document.getElementById('status').textContent = ''");
    await p.type("Enter", 13, 2);
    await p.until(`${text("status")}.startsWith('Done')`);
  });
  await check("whatever can be used has a name", async () => {
    const nameless = await p.run(`[...document.querySelectorAll('button, input, select, textarea')].filter((e) =>
      !e.textContent.trim() && !e.labels?.length && !e.getAttribute('aria-label')).map((e) => e.outerHTML)`);
    demand(nameless.length === 0, nameless.join(" "));
  });
  const phone = (last = await b.open(url("index.html"), { width: 390, dark: true }));
  await check("a phone folds models and limits", () =>
    phone.until("document.querySelectorAll('.folds:not([open])').length === 2"),
  );
  await check("a phone's width is enough", async () => {
    await phone.until("document.querySelector('#panel svg')");
    demand(await phone.run("document.documentElement.scrollWidth <= 390"), "the page is wider than 390 pixels");
  });
  await check("the first screen of a phone has the verdict", async () => {
    const bottom = await phone.run("document.getElementById('verdicts').getBoundingClientRect().bottom");
    demand(bottom < 500, `it ends at ${bottom}`);
  });
  await check("dark where the reader's system is", async () => {
    demand(
      (await phone.run("getComputedStyle(document.body).backgroundColor")) === "rgb(13, 17, 23)",
      "the page is light",
    );
    demand(
      (await phone.run("getComputedStyle(document.querySelector('#panel .back')).fill")) === "rgb(13, 17, 23)",
      "the picture is light",
    );
  });
  const lesson = (last = await b.open(url("lesson-01-two-threads.html")));
  await check("a command of a lesson runs in place", async () => {
    await lesson.until("document.querySelectorAll('.live button').length > 2");
    await lesson.run(
      `{ const live = document.querySelector('.live:has(button)');
        live.querySelector('pre').textContent = ''; live.querySelector('button').click(); }`,
    );
    await lesson.until("document.querySelector('.live:has(button) pre').textContent.startsWith('States 3')");
    await lesson.until("document.querySelector('.live:has(button) figure svg')");
  });
  await check("an exercise is checked", async () => {
    await lesson.run(guess("forbidden"));
    await lesson.until("document.querySelector('.exercise [role=status]').textContent.startsWith('Not yet')");
    await lesson.run(guess("allowed"));
    await lesson.until("document.querySelector('.exercise [role=status]').textContent.startsWith('Correct')");
  });
  for (const name of fs.readdirSync(site).filter((file) => /^lesson-.*\.html$/.test(file)))
    await check(`exercises of ${name}: each has a hint and an answer that is checked`, async () => {
      const page = (last = await b.open(url(name)));
      await page.until("document.querySelector('.exercise .answer')");
      const bare = await page.run(`[...document.querySelectorAll('.exercise')].filter((e) =>
        ![...e.querySelectorAll('summary')].some((s) => s.textContent === 'Hint') ||
        !e.querySelector('form, button') || [...e.querySelectorAll('label')].some((l) => !/[^:? ]/.test(l.textContent
        .split('?')[0]))).map((e) => e.textContent.slice(0, 60))`);
      demand(!bare.length, bare.join("\n"));
    });
  await check("no slide is cut off", async () => {
    const slides = (last = await b.open(url("slides.html")));
    await slides.until("document.readyState === 'complete'");
    const cut = await slides.run(`[...document.querySelectorAll('section')]
      .filter((s) => s.scrollHeight > s.clientHeight).map((s) => s.querySelector('h2').textContent)`);
    demand(!cut.length, cut.join("\n"));
    const lost = (await slides.run("[...document.querySelectorAll('a')].map((a) => a.href)"))
      .filter((href) => href.startsWith("file://") && !fs.existsSync(new URL(href.split("#")[0])));
    demand(!lost.length, lost.join("\n"));
  });
  await check("a kernel of the library has its module", async () => {
    const kernel = fs.readFileSync("litmus/kernels/ring-buffer.litmus", "utf8");
    await p.run(`location.hash = ${JSON.stringify(hash(kernel, "ptx"))}`);
    await p.until(`${text("verdicts")}.includes('forbidden') && !session.busy()`);
  });
  await check("no script failed", () => demand(!b.errors.length, b.errors.join("\n")));
  b.close();
  end();
}
main();
