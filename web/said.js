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
    return "threads wait for ever: " + waiting.map((w) => `${w.tid === undefined ? "P" + w.thread : `thread ${w.tid} of block ${w.block}`} at line ${w.line}, ${w.text}`).join("; ");
  }

  // What makes a kernel unsafe: for each finding its words, the lines of the module that it is about, and the cure.
  function findings(result) {
    const thread = (p) => (p.tid === undefined ? `P${p.thread}` : `thread ${p.tid} of block ${p.block}`);
    const source = (p) => (p.at && p.at.line !== p.line ? `${p.at.file}:${p.at.line}, ` : "");
    const iteration = (p) => (p.turn ? ` (iteration ${p.turn} of ${p.turns})` : "");
    const place = (p) => `${source(p)}line ${p.line} by ${thread(p)}, ${p.text}${iteration(p)}`;
    return (result.findings || []).map((f) => ({
      words: `${f.kind}: ${f.places.map(place).join(" and ")}` + (f.text ? `: ${f.text}` : ""),
      lines: f.places.map((p) => p.line),
      cure: f.cure || "",
    }));
  }

  // The launch lines of the table that `check` prints for a module alone.
  const launches = (text) => [...text.matchAll(/^(?:un)?(?:safe|known)\b.*?\s(\S+<<<.*)$/gm)].map(([, line]) => line);

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

  return { reason, hang, findings, launches, models };
})();
if (typeof module !== "undefined") module.exports = said;
