#include "out/site.h"

static const char style[] =
    ":root { color-scheme: light dark; --page: #ffffff; --ink: #1f2328; --muted: #57606a; --line: #d0d7de;"
    " --soft: #f6f8fa; --link: #0550ae; --allowed: #7d4e00; --forbidden: #1a7f37; --odd: #8250df; --bad: #cf222e;"
    " --mark: #fff8c5 }\n"
    "@media (prefers-color-scheme: dark) {\n"
    "  :root { --page: #0d1117; --ink: #e6edf3; --muted: #9da7b3; --line: #30363d; --soft: #151b23; --link: #79c0ff;"
    " --allowed: #e3b341; --forbidden: #56d364; --odd: #d2a8ff; --bad: #ff7b72; --mark: #3a3000 }\n}\n"
    "* { box-sizing: border-box }\n"
    "body { margin: 0 auto; max-width: 72rem; padding: 1.5rem; background: var(--page); color: var(--ink);"
    " font: 16px/1.5 system-ui, sans-serif }\n"
    "h1 { font-size: 1.6rem; margin: 0.4rem 0; overflow-wrap: anywhere }\n"
    "h2 { font-size: 1.2rem; margin: 2rem 0 0.6rem; border-bottom: 1px solid var(--line) }\n"
    "h3 { font-size: 1rem; margin: 1.2rem 0 0.4rem }\n"
    "a { color: var(--link) }\n"
    "p { margin: 0.5rem 0 }\n"
    ".muted { color: var(--muted) }\n"
    "pre { background: var(--soft); border: 1px solid var(--line); border-radius: 6px; padding: 0.8rem;"
    " overflow-x: auto; font: 0.86rem/1.45 'DejaVu Sans Mono', Menlo, Consolas, monospace }\n"
    ".scroll { overflow-x: auto }\n"
    "table { border-collapse: collapse; margin: 0.4rem 0 }\n"
    "th, td { border: 1px solid var(--line); padding: 0.25rem 0.6rem; text-align: left; vertical-align: baseline }\n"
    "th { background: var(--soft); font-weight: 600 }\n"
    "td.state { font: 0.86rem 'DejaVu Sans Mono', Menlo, Consolas, monospace }\n"
    "tr.satisfies td.state { background: var(--mark) }\n"
    ".verdict { font-weight: 600 }\n"
    ".allowed { color: var(--allowed) } .forbidden { color: var(--forbidden) }\n"
    ".undefined, .unknown { color: var(--odd) } .unmet { color: var(--bad); font-weight: 600 }\n"
    "details { border: 1px solid var(--line); border-radius: 6px; margin: 0.6rem 0; padding: 0.4rem 0.8rem }\n"
    "summary { cursor: pointer; font-weight: 600 }\n"
    "figure { margin: 0.8rem 0; overflow-x: auto }\n"
    "svg { max-width: max(100%, var(--least)); height: auto }\n"
    "svg text { font-family: 'DejaVu Sans Mono', Menlo, Consolas, monospace }\n"
    "@media print { details { break-inside: avoid } }\n";

void html_begin(struct text *out, const char *title, const char *more_css) {
  text_add(out, "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
                "<meta charset=\"utf-8\" />\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n"
                "<title>");
  text_markup(out, title);
  text_printf(out, "</title>\n<style>\n%s", style);
  if (more_css) text_printf(out, "@media (prefers-color-scheme: dark) {\n%s}\n", more_css);
  text_add(out, "</style>\n</head>\n<body>\n");
}

void html_end(struct text *out) { text_add(out, "</body>\n</html>\n"); }

void html_verdict(struct text *out, const char *verdict) {
  text_printf(out, "<span class=\"verdict %s\">%s</span>", verdict, verdict);
}
