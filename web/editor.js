// A text editor with highlighting, the first error after its line, and the description of the instruction under the
// mouse or cursor: a <pre> of the same text under a transparent textarea.
"use strict";

// `box`: an element with a pre, a textarea and .inline-error. `names(file)`: true if messages call this text `file`.
// `tell(text)`: shows the description of the word at the cursor, "" for none.
function makeEditor(box, names, tell) {
  const area = box.querySelector("textarea"),
    inline = box.querySelector(".inline-error");
  const tip = Object.assign(document.createElement("div"), { className: "tip", hidden: true });
  tip.setAttribute("role", "tooltip");
  document.body.append(tip);
  let error = null,
    marked = []; // the lines of a finding

  const lineHeight = () => parseFloat(getComputedStyle(area).lineHeight);
  const topOf = (line) => `calc(0.6rem + ${(line - 1) * lineHeight()}px)`;

  function paintMarks() {
    for (const old of box.querySelectorAll(".mark")) old.remove();
    for (const line of marked) {
      const mark = Object.assign(document.createElement("div"), { className: "mark" });
      mark.style.top = topOf(line);
      box.prepend(mark);
    }
  }

  function paint() {
    box.querySelector("pre").innerHTML = highlight.markup(area.value, error && error.span);
    paintMarks();
    inline.hidden = !error;
    if (!error) return;
    inline.style.top = topOf(error.line);
    inline.style.left = `calc(0.6rem + ${error.width + 3}ch)`;
    inline.textContent = error.text;
  }

  // The first message about this text: its line and range, and the width of the line, after which it is shown.
  function locate(messages) {
    const lines = messages.split("\n");
    for (let i = 0; i < lines.length; i++) {
      const found = lines[i].match(/^(.*?):(\d+):(\d+): (?:error|warning): (.*)$/);
      if (!found || !names(found[1])) continue;
      const line = +found[2],
        source = area.value.split("\n");
      let caret = "";
      for (let k = i + 1; k < lines.length && /^ {4}/.test(lines[k]); k++)
        if (/^\s+\^~*$/.test(lines[k])) caret = lines[k].slice(4);
      const before = source.slice(0, line - 1).reduce((sum, l) => sum + l.length + 1, 0) + (+found[3] - 1);
      const length = Math.max(1, caret.trim().length);
      const width = (source[line - 1] || "").replace(/\t/g, " ".repeat(8)).length;
      return { line, width, span: [before, before + length], text: found[4] };
    }
    return null;
  }

  function wordAt(index) {
    const text = area.value;
    let begin = index,
      end = index;
    while (begin > 0 && /[\w.:]/.test(text[begin - 1])) begin--;
    while (end < text.length && /[\w.:]/.test(text[end])) end++;
    return text.slice(begin, end);
  }

  const described = (word) => PTXLIT_WORDS[word] || PTXLIT_WORDS[word.split(".")[0]] || "";

  // The index under the mouse (monospaced).
  function indexAt(event) {
    const style = getComputedStyle(area),
      at = area.getBoundingClientRect(),
      ruler = document.createElement("canvas").getContext("2d");
    ruler.font = style.font;
    const lines = area.value.split("\n"),
      row = Math.floor((event.clientY - at.top - parseFloat(style.paddingTop)) / parseFloat(style.lineHeight)),
      column = Math.floor((event.clientX - at.left - parseFloat(style.paddingLeft)) / ruler.measureText("0").width);
    if (row < 0 || row >= lines.length || column < 0 || column >= lines[row].length) return -1;
    return lines.slice(0, row).reduce((sum, l) => sum + l.length + 1, 0) + column;
  }

  area.addEventListener("mousemove", (event) => {
    const index = indexAt(event),
      text = index < 0 ? "" : described(wordAt(index));
    tip.hidden = !text;
    tip.textContent = text;
    tip.style.left = Math.min(event.pageX, window.innerWidth - 340) + "px";
    tip.style.top = event.pageY + 18 + "px";
  });
  area.addEventListener("mouseleave", () => (tip.hidden = true));
  for (const name of ["keyup", "click"])
    area.addEventListener(name, () => tell(described(wordAt(area.selectionStart)).split("\n")[0]));

  return {
    paint,
    value: () => area.value,
    set(text) {
      area.value = text;
      error = null;
      marked = [];
      paint();
    },
    // Marks the lines of a finding; `scroll`: and scrolls to the first one.
    mark(lines, scroll) {
      marked = lines;
      paintMarks();
      if (scroll && lines.length) box.scrollTop = Math.max(0, (Math.min(...lines) - 4) * lineHeight());
    },
    // Shows the first error that is about this text; true if there is one.
    show(messages) {
      error = messages ? locate(messages) : null;
      paint();
      return error !== null;
    },
    hide() {
      inline.hidden = tip.hidden = true;
    },
  };
}
