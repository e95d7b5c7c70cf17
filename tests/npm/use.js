// Uses the installed package as a program would: node use.js SB.litmus MP.litmus
"use strict";
const fs = require("fs"),
  { run, check, explain, fix } = require("ptxlit");

let passed = 0,
  failed = 0;
function expect(name, right, found) {
  if (right) passed++;
  else {
    failed++;
    console.log(`FAIL ${name}: ${JSON.stringify(found).slice(0, 400)}`);
  }
}

async function main() {
  const [sb, mp] = process.argv.slice(2).map((name) => fs.readFileSync(name, "utf8"));
  const verdicts = (await check(sb, { options: ["--model=ptx,sc"] })).map((result) => result.verdict);
  expect("two models", verdicts.join() === "allowed,forbidden", verdicts);
  const fixes = await fix(mp);
  expect("fix", fixes[0].ways.length > 0 && fixes[0].verdicts[0] === "forbidden", fixes);
  expect("explain", (await explain(mp))[0].explains !== undefined, null);
  const wrong = await check("PTX a\n{}\n P0@cta 0,gpu 0 ;\n ld.foo r0, x ;\nexists (0:r0=0)").catch((error) => error);
  expect("a wrong test is an error", wrong instanceof Error && wrong.message.includes(".foo"), String(wrong));
  const version = await run(["--version"]);
  expect("version", version.status === 0 && version.out.includes(require("ptxlit/package.json").version), version);
  const module = await run(["convert", "t.litmus"], { files: { "t.litmus": sb } });
  expect("files", module.status === 0 && module.out.startsWith("PTX SB"), module);
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed ? 1 : 0);
}
main();
