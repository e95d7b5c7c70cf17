// The sliders: the scope of all instructions, the placement of threads.
"use strict";

const turn = (() => {
  const scopes = ["as written", "cta", "cluster", "gpu", "sys"];
  const places = ["as written", "one CTA", "one cluster", "one gpu", "different gpus"];

  // The rows of code: after the init block, before the condition. Comments stay as they are.
  function body(text) {
    const close = text.indexOf("}");
    return close < 0 ? text.length : close + 1;
  }

  function setScope(text, level) {
    if (!level) return text;
    const from = body(text);
    return (
      text.slice(0, from) +
      text
        .slice(from)
        .replace(
          /\(\*[\s\S]*?\*\)|\/\/[^\n]*|(\.[a-z_.0-9]*?)?\.(cta|cluster|gpu|sys)\b(?=[.\s])/g,
          (all, before, scope, offset, whole) => {
            if (!scope) return all;
            const start = whole.lastIndexOf("|", offset),
              line = whole.lastIndexOf("\n", offset);
            const opcode = whole
              .slice(Math.max(start, line) + 1, offset)
              .trim()
              .split(/[\s.]/)[0];
            return /^(bar|barrier)$/.test(opcode) ? all : `${before || ""}.${scopes[level]}`;
          },
        )
    );
  }

  function setPlace(text, level) {
    if (!level) return text;
    let n = 0;
    const from = body(text);
    return (
      text.slice(0, from) +
      text.slice(from).replace(/(\bP\d+)@[^|;]*?(\s*)(?=[|;])/g, (all, name, blanks) => {
        const k = n++;
        const place = ["", "cta 0,gpu 0", `cta ${k},cluster 0,gpu 0`, `cta ${k},gpu 0`, `cta 0,gpu ${k}`][level];
        return `${name}@${place}${blanks}`;
      })
    );
  }

  const apply = (text, scope, place) => setPlace(setScope(text, scope), place);
  return { scopes, places, apply };
})();
if (typeof module !== "undefined") module.exports = turn;
