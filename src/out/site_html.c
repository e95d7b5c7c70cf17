#include "out/site.h"

const char out_site_style[] =
    ":root { color-scheme: light dark; --page: #ffffff; --ink: #1f2328; --muted: #57606a; --line: #d0d7de;"
    " --soft: #f6f8fa; --link: #0550ae; --allowed: #7d4e00; --forbidden: #1a7f37; --odd: #8250df; --bad: #cf222e;"
    " --mark: #fff8c5 }\n"
    "@media (prefers-color-scheme: dark) {\n"
    "  :root { --page: #0d1117; --ink: #e6edf3; --muted: #9da7b3; --line: #30363d; --soft: #151b23; --link: #79c0ff;"
    " --allowed: #e3b341; --forbidden: #56d364; --odd: #d2a8ff; --bad: #ff7b72; --mark: #3a3000 }\n}\n"
    "* { box-sizing: border-box } [hidden] { display: none !important }\n"
    "body { margin: 0 auto; max-width: 72rem; padding: 1.5rem; background: var(--page); color: var(--ink);"
    " font: 16px/1.5 system-ui, sans-serif }\n"
    "h1 { font-size: 1.6rem; margin: 0.4rem 0; overflow-wrap: anywhere }\n"
    "h1 i { font: 1rem system-ui, sans-serif }\n"
    "h2 { font-size: 1.2rem; margin: 2rem 0 0.6rem; border-bottom: 1px solid var(--line) }\n"
    "h3 { font-size: 1rem; margin: 1.2rem 0 0.4rem }\n"
    "a { color: var(--link) }\n"
    "p { margin: 0.5rem 0; overflow-wrap: anywhere }\n"
    ".words { font: 0.86rem/1.45 'DejaVu Sans Mono', Menlo, Consolas, monospace; white-space: pre-line }\n"
    ".muted, i { color: var(--muted) }\n"
    "pre { background: var(--soft); border: 1px solid var(--line); border-radius: 6px; padding: 0.8rem;"
    " overflow-x: auto; font: 0.86rem/1.45 'DejaVu Sans Mono', Menlo, Consolas, monospace }\n"
    "div { overflow-x: auto; margin: 0.8rem 0 }\n"
    "table { border-collapse: collapse; margin: 0.4rem 0 }\n"
    "th, td { border: 1px solid var(--line); padding: 0.25rem 0.6rem; text-align: left; vertical-align: baseline }\n"
    "th { background: var(--soft); font-weight: 600 }\n"
    "td:first-child:not(.list td, .counts td) { font: 0.86rem 'DejaVu Sans Mono', Menlo, Consolas, monospace }\n"
    ".asked > :first-child { background: var(--mark) } .asked td:first-child::after { content: ' (asked about)' }\n"
    ".allowed, .forbidden, .undefined, .unknown, .safe, .unsafe, .unmet { font-weight: 600 }\n"
    ".allowed, .safe { color: var(--allowed) } .forbidden, .unsafe { color: var(--forbidden) }\n"
    ".undefined, .unknown { color: var(--odd) } .unmet { color: var(--bad) }\n"
    "details { border: 1px solid var(--line); border-radius: 6px; margin: 0.6rem 0; padding: 0.4rem 0.8rem }\n"
    "summary { cursor: pointer; font-weight: 600 }\n"
    /* A wide picture shrinks to the page's width, but not below two thirds of its own: then the reader scrolls. */
    "svg { width: calc(var(--w) * 1pt); max-width: max(100%, var(--w) * 0.67pt); height: auto }\n"
    "nav { display: flex; gap: 1rem; justify-content: space-between }\n"
    "#filter { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; margin: 1rem 0 }\n"
    "input, select { font: inherit; max-width: 100% }\n"
    "@media (max-width: 40rem) {\n"
    "  body { padding: 0.6rem }\n"
    "  .list, .list tbody, .list tr, .list td { display: block; border: 0; padding: 0 }\n"
    "  .list thead { display: none } .list tr { padding: 0.5rem 0; border-bottom: 1px solid var(--line) }\n"
    "  .list td { display: inline; margin-right: 0.6rem; overflow-wrap: anywhere }\n"
    "  .list td[data-model]::before { content: attr(data-model) ' '; color: var(--muted) }\n"
    "  .list td:first-child, .list td:last-child { display: block }\n"
    "}\n"
    "@media print { details { break-inside: avoid } }\n";

/* The script finds rows of the list by words, by a verdict under a model, and by their group's heading. */
const char out_site_script[] =
    "(() => {\n"
    "  const lists = [...document.querySelectorAll('.list')];\n"
    "  if (!lists.length) return;\n"
    "  const rows = lists.flatMap((list) => [...list.tBodies[0].rows]);\n"
    "  const words = (cell) => cell.textContent.toLowerCase();\n"
    "  const theme = (list) => list.closest('section').querySelector('h2').textContent;\n"
    "  const models = [...lists[0].tHead.rows[0].cells].slice(1, -1).map((cell) => cell.textContent);\n"
    "  const form = document.createElement('form');\n"
    "  form.id = 'filter';\n"
    "  const field = (label, control) => {\n"
    "    const box = document.createElement('label');\n"
    "    box.append(label + ' ', control);\n"
    "    form.append(box);\n"
    "    return control;\n"
    "  };\n"
    "  const choice = (label, names) => {\n"
    "    const control = document.createElement('select');\n"
    "    control.append(...['any', ...names].map((name) => new Option(name)));\n"
    "    return field(label, control);\n"
    "  };\n"
    "  const text = field('Search', Object.assign(document.createElement('input'), { type: 'search' }));\n"
    "  const verdict = choice('Verdict', ['allowed', 'forbidden', 'undefined', 'unknown', 'safe', 'unsafe',"
    " 'not expected']);\n"
    "  const model = choice('Model', models);\n"
    "  const group = choice('Theme', lists.map(theme));\n"
    "  const count = document.createElement('output');\n"
    "  form.append(count);\n"
    "  document.querySelector('section').before(form);\n"
    "  form.onsubmit = (event) => event.preventDefault();\n"
    "  form.oninput = () => {\n"
    "    const wanted = text.value.toLowerCase().split(/\\s+/);\n"
    "    let shown = 0;\n"
    "    for (const list of lists) {\n"
    "      let some = false;\n"
    "      const here = group.value === 'any' || theme(list) === group.value;\n"
    "      for (const row of list.tBodies[0].rows) {\n"
    "        const cells = [...row.cells].slice(1, -1).filter((cell, at) => model.value === 'any' ||\n"
    "          models[at] === model.value);\n"
    "        const fits = here && wanted.every((word) => words(row).includes(word)) &&\n"
    "          (verdict.value === 'any' || cells.some((cell) => words(cell).includes(verdict.value)));\n"
    "        row.hidden = !fits;\n"
    "        some = some || fits;\n"
    "        shown += fits;\n"
    "      }\n"
    "      list.closest('section').hidden = !some;\n"
    "    }\n"
    "    count.textContent = shown + ' of ' + rows.length;\n"
    "  };\n"
    "})();\n";

void html_begin(struct text *out, const char *title, const char *root) {
  text_weave(out, "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\"><head>"
             "<meta charset=\"utf-8\"/><meta name=\"viewport\" content=\"width=device-width\"/><title>",
             title, "</title><link rel=\"stylesheet\" href=\"", root, "style.css\"/></head><body>\n", NULL);
}

void html_end(struct text *out) { text_add(out, "</body></html>\n"); }

void out_gaps_page(const struct explain_gap *gaps, size_t count, struct text *out) {
  html_begin(out, "Where the document is silent", "");
  text_add(out, "<nav><a href=\"index.html\">All tests</a></nav>\n<h1>Where the document is silent, and the "
                "reading taken</h1>\n<dl>\n");
  for (size_t i = 0; i < count; i++) {
    text_printf(out, "<dt id=\"G%u\">G%u (%s)</dt>", gaps[i].number, gaps[i].number, gaps[i].section);
    text_weave(out, "<dd>", gaps[i].question, " ", gaps[i].decision, "</dd>\n", NULL);
  }
  text_add(out, "</dl>\n");
  html_end(out);
}
