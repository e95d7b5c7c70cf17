// A report in a real Chromium, at a phone's width: node tests/browser/report.js CHROMIUM SITE PROFILE.
"use strict";
const path = require("path"),
  fs = require("fs");
const { start, counter, demand } = require("./drive.js");
const [browser, site, profile] = process.argv.slice(2);
const url = (page) => "file://" + path.resolve(site, page);
let last = null;
const { check, end } = counter(() => last);

const rows = "[...document.querySelectorAll('.list tbody tr')].filter((row) => row.offsetParent !== null)";
const search = (words) => `{ const e = document.querySelector('#filter input'); e.value = '${words}';
  e.dispatchEvent(new Event('input', { bubbles: true })); }`;

async function main() {
  const b = await start(browser, profile);
  const narrow = async (page) => {
    await page.until("document.readyState === 'complete'");
    const width = await page.run("document.documentElement.scrollWidth");
    demand(width <= 390, `it is ${width} pixels wide`);
  };
  const list = (last = await b.open(url("index.html"), { width: 390 }));
  await check("the list fits 390 pixels", () => narrow(list));
  const pages = fs.readdirSync(path.join(site, "tests")).filter((name) => name.endsWith(".html"));
  await check("every page fits 390 pixels", async () => {
    for (const name of pages) {
      last = await b.open(url("tests/" + encodeURIComponent(name)), { width: 390 });
      await narrow(last).catch((problem) => demand(false, `${name}: ${problem.message}`));
      await last.close();
    }
    last = list;
  });
  const all = await list.run(rows + ".length");
  await check("the search leaves what matches", async () => {
    await list.run(search("iriw"));
    await list.until(`${rows}.length > 0 && ${rows}.length < ${all}`);
    demand(await list.run(`${rows}.every((row) => /iriw/i.test(row.textContent))`), "others are left");
    await list.run(search(""));
    await list.until(`${rows}.length === ${all}`);
  });
  await check("no script failed", () => demand(!b.errors.length, b.errors.join("\n")));
  b.close();
  end();
}
main();
