// The lessons as pages, from docs/tutorial/*.md: cmark-gfm makes HTML of them, lesson.js makes their commands run.
"use strict";
const fs = require("fs"),
  path = require("path");

const escape = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");

// Links to lessons lead to pages, and links to tests to the playground; other links become text.
function relink(html, links) {
  return html.replace(/<a href="([^"]*)">([\s\S]*?)<\/a>/g, (all, href, text) => {
    const [file, anchor] = href.split("#"),
      name = path.posix.normalize(path.posix.join("docs/tutorial", file));
    if (/^[a-z]+:/.test(href) || !file) return all;
    if (links[name]) return `<a href="${links[name]}${anchor ? "#" + anchor : ""}">${text}</a>`;
    if (name.endsWith(".litmus")) return `<a href="index.html#file=${encodeURIComponent(name)}">${text}</a>`;
    return text;
  });
}

function page(title, body, scripts) {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<link rel="stylesheet" href="style.css">
</head>
<body>
<a class="skip" href="#text">To the text</a>
<header><p><b>ptxlit</b></p>
<nav aria-label="Pages"><a href="index.html">Playground</a> <a href="lessons.html">Lessons</a>
<a href="teach.html">For teachers</a></nav></header>
<main class="lesson" id="text">
${body}
</main>
${scripts.map((name) => `<script src="${name}"></script>`).join("\n")}
</body>
</html>
`;
}

const titleOf = (text) => text.match(/^# (.*)$/m)[1];

// A slide for each heading, with its first text block and its first command.
function slides(texts, html) {
  const parts = texts.flatMap((text) => text.replace(/\n## Exercises[\s\S]*$/, "").split(/\n(?=#+ )/));
  return parts.map((part) => {
    const [heading, ...rest] = part.split("\n");
    const blocks = rest
      .join("\n")
      .split(/\n{2,}(?![^`]*```\s*(?:\n|$))/)
      .filter((b) => b.trim());
    const words = blocks
      .filter((b) => !b.includes("```"))
      .slice(0, 2)
      .join("\n\n");
    const block = (part.match(/```console\n[\s\S]*?```/) || [""])[0].split("\n");
    const code = block.length > 20 ? [...block.slice(0, 18), "...", "```"] : block;
    return `<section>${html(["## " + heading.replace(/^#+ /, ""), words, code.join("\n")].join("\n\n"))}</section>`;
  });
}

function make(out, execute) {
  const html = (text) => execute("cmark-gfm", ["-e", "table"], { input: text, encoding: "utf8", maxBuffer: 1 << 24 });
  const directory = "docs/tutorial",
    links = { [directory + "/README.md"]: "lessons.html", "docs/teaching.md": "teach.html" };
  const files = fs
    .readdirSync(directory)
    .filter((name) => /^\d+.*\.md$/.test(name))
    .sort();
  for (const name of files) links[`${directory}/${name}`] = "lesson-" + name.replace(/\.md$/, ".html");
  const scripts = ["data.js", "tool.js", "session.js", "highlight.js", "shell.js", "lesson.js"];
  const write = (name, text) => fs.writeFileSync(path.join(out, name), text);
  const texts = files.map((name) => fs.readFileSync(`${directory}/${name}`, "utf8"));
  files.forEach((name, i) => {
    const way = [
      [i - 1, "Previous: "],
      [i + 1, "Next: "],
    ]
      .filter(([k]) => texts[k])
      .map(([k, word]) => `<a href="${links[`${directory}/${files[k]}`]}">${word}${escape(titleOf(texts[k]))}</a>`);
    const body = relink(html(texts[i]), links) + `<nav aria-label="Lessons"><p>${way.join(" · ")}</p></nav>`;
    write(links[`${directory}/${name}`], page(titleOf(texts[i]), body, scripts));
  });
  const start = fs.readFileSync(directory + "/README.md", "utf8");
  write("lessons.html", page(titleOf(start), relink(html(start), links), scripts));
  const teaching = fs.readFileSync("docs/teaching.md", "utf8");
  write(
    "teach.html",
    page(
      titleOf(teaching),
      relink(html(teaching), { ...links, "docs/tutorial/tutorial/README.md": "lessons.html" }),
      scripts,
    ),
  );
  write(
    "slides.html",
    `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>${escape(titleOf(start))}</title><style>
@page { size: 297mm 167mm; margin: 0 } body { margin: 0; font: 20px/1.35 system-ui, sans-serif }
section { break-after: page; height: 166mm; overflow: hidden; padding: 10mm 16mm; box-sizing: border-box }
h2 { margin: 0 0 6mm; font-size: 1.6em }
pre { font: 0.7em/1.3 'DejaVu Sans Mono', monospace; background: #f6f8fa; padding: 3mm }
</style></head><body>
${slides(texts, (text) => relink(html(text), links)).join("\n")}
<script>// What does not fit is set smaller.
for (const slide of document.querySelectorAll("section"))
  for (let size = 20; size > 10 && slide.scrollHeight > slide.clientHeight; size--) slide.style.fontSize = size + "px";
</script>
</body></html>
`,
  );
}
module.exports = { make };
