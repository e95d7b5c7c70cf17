// Words of a PTX litmus test in colours: a <pre> of the same text is under the transparent textarea.
"use strict";

const highlight = (() => {
  const tokens = [
    ["c", /\(\*[\s\S]*?\*\)|\/\/[^\n]*/y],
    ["s", /"[^"\n]*"/y],
    ["p", /P\d+(?=[@\s:])/y],
    ["k", /(?:PTX|exists|~exists|forall|locations|filter|not)\b|~exists/y],
    ["k", /[A-Z][A-Za-z-]*(?==)/y],
    ["o", /\.(?:cta|cluster|gpu|sys|relaxed|acquire|release|acq_rel|sc|weak|volatile|mmio)\b/y],
    ["k", /@?!?[a-z][a-z0-9]*(?=\.)/y],
    ["r", /\b[a-zA-Z_]\w*|%\w+/y],
  ];
  const escape = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");

  // `wrong`: [begin, end), to be underlined; null: nothing is.
  function markup(text, wrong) {
    let html = "",
      at = 0;
    const add = (part, cls) => {
      const hit = wrong && at < wrong[1] && at + part.length > wrong[0];
      const classes = [cls === "r" ? "" : cls, hit ? "wrong" : ""].filter(Boolean).join(" ");
      html += classes ? `<span class="${classes}">${escape(part)}</span>` : escape(part);
      at += part.length;
    };
    while (at < text.length) {
      let found = null;
      for (const [cls, pattern] of tokens) {
        pattern.lastIndex = at;
        const match = pattern.exec(text);
        if (match && match[0]) {
          found = [match[0], cls];
          break;
        }
      }
      if (found) add(found[0], found[1]);
      else add(text[at], "");
    }
    return html + "\n";
  }
  return { markup };
})();
