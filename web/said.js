// Turns results into words, and finds the models among files. Runs without a page, so node tests it.
"use strict";

const said = (() => {
  // Why a result is undefined or unknown, with the place; "" where it is neither.
  function reason(result) {
    if (!result.reason) return "";
    const { text, line } = result.reason;
    return line ? `line ${line}: ${text}` : text;
  }

  // The threads that wait or spin for ever, and where; "" if none.
  function hang(result) {
    if (!result.deadlock) return "";
    const waiting = result.deadlock.waiting || [];
    return "threads wait for ever: " + waiting.map((w) => `P${w.thread} at line ${w.line}, ${w.text}`).join("; ");
  }

  // What makes a kernel unsafe, a line for each finding.
  function findings(result) {
    const iteration = (p) => (p.turn ? ` (iteration ${p.turn} of ${p.turns})` : "");
    const place = (p) => `P${p.thread} line ${p.line}, ${p.text}${iteration(p)}`;
    const line = (f) => `${f.kind}: ${f.places.map(place).join(" and ")}` + (f.text ? `: ${f.text}` : "");
    return (result.findings || []).map(line);
  }

  // The models among the files, ptx first: as --list-models has them. Files that others include, and files without
  // axioms, are parts of models.
  function models(files) {
    const names = Object.keys(files).filter((path) => /^models\/[^/]*\.cat$/.test(path));
    const includes = (path) => [...files[path].matchAll(/^\s*include\s+"([^"]+)"/gm)].map((m) => "models/" + m[1]);
    const parts = new Set(names.flatMap(includes));
    const states = (path) =>
      path in files &&
      (/^\s*~?(?:acyclic|irreflexive|empty)\b/m.test(files[path]) || includes(path).some((part) => states(part)));
    const rank = (name) => (name === "ptx" ? "" : name);
    return names
      .filter((path) => path !== "models/stdlib.cat" && !parts.has(path) && states(path))
      .map((path) => path.slice(7, -4))
      .sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
  }

  return { reason, hang, findings, models };
})();
if (typeof module !== "undefined") module.exports = said;
