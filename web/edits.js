// The changes that `ptxlit fix --format json` proposes, made in the text of a test or a module. No page is needed: node
// tests it.
"use strict";

const edits = (() => {
  // An instruction takes its cell of a row, or its line of a module, up to the semicolon.
  function replace(line, column, after) {
    const begin = column - 1,
      cell = line.slice(begin).match(/^[^|;]*/)[0];
    return line.slice(0, begin) + after + line.slice(begin + cell.trimEnd().length);
  }

  // A new row with only the instruction in its column; in a module, a new line.
  function row(line, column, instruction, module) {
    if (module) return line.match(/^\s*/)[0] + instruction + ";";
    const end = line.indexOf(";", column - 1),
      cells = line.slice(0, end < 0 ? line.length : end + 1);
    const blank = cells.replace(/[^|;\t]/g, " "),
      bar = cells.slice(column - 1).search(/[|;]/);
    const close = bar < 0 ? blank.length : column - 1 + bar;
    return blank.slice(0, column - 1) + instruction.padEnd(close - column + 1) + blank.slice(close);
  }

  // `changes`: one fix from the JSON, applied from the last line to the first, so that places stay valid.
  function apply(text, changes, module) {
    const lines = text.split("\n");
    const rank = (c) => c.line * 2 + (c.kind === "add-after" ? 1 : 0);
    // Of several at one place the last is put in first, and the others before it.
    for (const c of [...changes].reverse().sort((a, b) => rank(b) - rank(a) || b.column - a.column)) {
      const at = c.line - 1;
      if (c.kind === "replace") lines[at] = replace(lines[at], c.column, c.after);
      else if (c.kind === "drop") lines[at] = replace(lines[at], c.column, "");
      else lines.splice(c.kind === "add-after" ? at + 1 : at, 0, row(lines[at], c.column, c.after, module));
    }
    return lines.join("\n");
  }

  const can = (changes) => changes.every((c) => !c.file && /^(replace|drop|add-after|add-before)$/.test(c.kind));

  // "P0 line 12: st.relaxed.gpu flag, 1 → st.release.gpu flag, 1"
  function told(c, module) {
    const where = (module ? "" : `P${c.thread} `) + `line ${c.line}`;
    if (c.kind === "replace") return `${where}: ${c.text} → ${c.after}`;
    if (c.kind === "drop") return `${where}: without ${c.text}`;
    return `${c.kind === "add-after" ? "after" : "before"} ${where} (${c.text}): add ${c.after}`;
  }

  return { apply, can, told };
})();
if (typeof module !== "undefined") module.exports = edits;
