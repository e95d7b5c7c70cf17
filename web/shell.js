// Runs the command lines of the lessons: ptxlit and the few filters used there. Runs in the
// worker, and in node for the tests.
"use strict";

// Words of a command line; quotes as in a shell; in unquoted words `*` matches names of files and {a,b} is a choice.
function words(line) {
  const found = [];
  let word = null,
    glob = false;
  for (let i = 0; i < line.length; i++) {
    const c = line[i];
    if (c === "'" || c === '"') {
      const end = line.indexOf(c, i + 1);
      if (end < 0) throw new Error("a quote is not closed");
      word = (word || "") + line.slice(i + 1, end);
      i = end;
    } else if (c === " " || c === "\n") {
      if (word !== null) found.push({ word, glob });
      word = null;
      glob = false;
    } else if (c === "|") {
      if (word !== null) found.push({ word, glob });
      found.push({ pipe: true });
      word = null;
      glob = false;
    } else {
      glob = glob || c === "*" || c === "{";
      word = (word || "") + c;
    }
  }
  if (word !== null) found.push({ word, glob });
  return found;
}

function expand(entry, files) {
  if (!entry.glob) return [entry.word];
  const choice = entry.word.match(/^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/);
  if (choice)
    return choice[2].split(",").flatMap((part) => expand({ word: choice[1] + part + choice[3], glob: true }, files));
  const pattern = new RegExp("^" + entry.word.replace(/[.+^${}()|[\]\\]/g, "\\$&").replace(/\*/g, "[^/]*") + "$");
  const names = Object.keys(files)
    .filter((name) => pattern.test(name))
    .sort();
  return names.length ? names : [entry.word];
}

// "a | b c" as [["a"], ["b", "c"]].
function pipeline(line, files) {
  const commands = [[]];
  for (const entry of words(line.replace(/\\\n/g, " "))) {
    if (entry.pipe) commands.push([]);
    else commands[commands.length - 1].push(...expand(entry, files));
  }
  return commands;
}

// A basic regular expression as JavaScript's.
function basic(pattern) {
  return new RegExp(pattern.replace(/\\?[+?(){}|]/g, (m) => (m.length === 2 ? m[1] : "\\" + m)));
}

const lines = (text) => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));
const joined = (list) => (list.length ? list.join("\n") + "\n" : "");

// `sed -n`: addresses with p. `sed`: s/// on every line.
function sed(args, input) {
  let quiet = false;
  const scripts = [];
  const names = [];
  for (let i = 0; i < args.length; i++) {
    if (args[i] === "-n") quiet = true;
    else if (args[i] === "-e") scripts.push(args[++i]);
    else if (!scripts.length) scripts.push(args[i]);
    else names.push(args[i]);
  }
  const parts = scripts.join(";").split(/;\s*/).filter(Boolean);
  const state = parts.map(() => false);
  const out = [];
  lines(input(names)).forEach((text, index) => {
    parts.forEach((part, k) => {
      let m;
      if ((m = part.match(/^s\/((?:[^/\\]|\\.)*)\/((?:[^/\\]|\\.)*)\/$/))) text = text.replace(basic(m[1]), m[2]);
      else if ((m = part.match(/^(\d+)(?:,(\d+))?p$/)) && index + 1 >= +m[1] && index + 1 <= +(m[2] || m[1]))
        out.push(text);
      else if ((m = part.match(/^\/(.*?)\/,\/(.*?)\/p$/))) {
        if (state[k]) {
          out.push(text);
          state[k] = !basic(m[2]).test(text);
        } else if (basic(m[1]).test(text)) {
          out.push(text);
          state[k] = true;
        }
      } else if ((m = part.match(/^\/([^/]*)\/ ?p$/)) && basic(m[1]).test(text)) out.push(text);
    });
    if (!quiet) out.push(text);
  });
  return joined(out);
}

function grep(args, input) {
  const patterns = [],
    names = [];
  let after = 0,
    without = false;
  for (let i = 0; i < args.length; i++) {
    if (args[i] === "-e") patterns.push(basic(args[++i]));
    else if (args[i] === "-v") without = true;
    else if (args[i] === "-A") after = +args[++i];
    else if (!patterns.length) patterns.push(basic(args[i]));
    else names.push(args[i]);
  }
  const out = [];
  let left = 0,
    gap = false;
  for (const text of lines(input(names))) {
    const hit = patterns.some((pattern) => pattern.test(text)) !== without;
    if (hit && after && gap && out.length) out.push("--");
    if (hit) left = after + 1;
    if (left > 0) out.push(text);
    gap = left <= 0;
    left--;
  }
  return joined(out);
}

// `head` and `tail`: -n COUNT, or -COUNT, and files.
function some(args, input, take) {
  const [option, ...rest] = args;
  const count = option === "-n" ? rest.shift() : option.slice(1);
  return joined(take(lines(input(rest)), +count));
}

// `cut -d SEPARATOR -f FIRST-LAST`.
function cut(args, input) {
  const separator = args[args.indexOf("-d") + 1],
    [first, last] = args[args.indexOf("-f") + 1].split("-");
  return joined(lines(input([])).map((l) => l.split(separator).slice(first - 1, +(last || first)).join(separator)));
}

const filters = {
  cat: (args, input) => input(args),
  head: (args, input) => some(args, input, (all, count) => all.slice(0, count)),
  tail: (args, input) => some(args, input, (all, count) => all.slice(-count)),
  cut,
  sed,
  grep,
};

// True if run() supports every command of the line.
function runnable(line) {
  return pipeline(line, {}).every((command) => command[0] === "ptxlit" || command[0] in filters);
}

// Files that every run gets: models and modules.
const everyRun = (path) => path.startsWith("models/") || path.endsWith(".ptx");

// The files and directories that a command line names.
function needed(files, args) {
  const some = {};
  for (const path of Object.keys(files))
    if (
      everyRun(path) ||
      args.some(
        (a) => a === path || path.startsWith(a.replace(/\/?$/, "/")) || (path.endsWith(".cat") && a.includes(path)),
      )
    )
      some[path] = files[path];
  return some;
}

// Runs a line; `tool(args, stdin, files)` gives {out, err, status}, the tool's two streams and its status. Returns text
// and status: stderr after stdout, or before it if there is a filter, which gets it with 2>&1.
async function run(line, files, tool) {
  let text = "",
    messages = "",
    status = 0;
  const input = (names) =>
    names.length
      ? names.map((name) => (name === "-" ? text : name in files ? files[name] : `${name}: no such file\n`)).join("")
      : text;
  for (const [name, ...args] of pipeline(line, files)) {
    if (name === "ptxlit") {
      const merged = args.includes("2>&1"),
        rest = args.filter((word) => word !== "2>&1"),
        done = await tool(rest, text, needed(files, rest));
      text = done.out + (merged ? done.err : "");
      messages += merged ? "" : done.err;
      status = done.status;
    } else if (Object.hasOwn(filters, name)) {
      text = filters[name](args, input);
    } else {
      return { text: `${name}: only ptxlit, ${Object.keys(filters).join(", ")} run here\n`, status: 127 };
    }
  }
  return { text: text + messages, status };
}

const shell = { run, runnable, everyRun };
if (typeof module !== "undefined") module.exports = shell;
