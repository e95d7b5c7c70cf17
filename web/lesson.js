// Makes the commands of a lesson run in place: each has a button, shown tests can be edited, and later commands use the
// edits. Exercises get a form whose answers the tool checks.
"use strict";

const edited = {};
let turnOf = Promise.resolve();

// One after another: the worker is asked one thing at a time.
function runLine(line) {
  const mine = turnOf.then(() => session.ask({ line, files: edited }));
  turnOf = mine.catch(() => null);
  return mine;
}

const make = (tag, properties, ...children) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
};

// The commands of a block ("$ a"), each with its output.
function commandsOf(text) {
  const found = [];
  for (const line of text.replace(/\n$/, "").split("\n")) {
    if (line.startsWith("$ ")) found.push({ line: line.slice(2), printed: [] });
    else if (found.length) found[found.length - 1].printed.push(line);
  }
  return found;
}

function editorFor(path) {
  const area = make("textarea", { value: edited[path] ?? PTXLIT_FILES[path], spellcheck: false, wrap: "off" });
  area.rows = area.value.split("\n").length;
  area.setAttribute("aria-label", path);
  area.oninput = () => (edited[path] = area.value);
  const open = make("a", { textContent: "in the playground", href: "#" });
  open.onclick = () => (open.href = "index.html#" + new URLSearchParams({ test: area.value, models: "ptx,sc" }));
  return make(
    "div",
    { className: "live" },
    make("p", { className: "muted" }, path + " (you can edit it; ", open, ")"),
    area,
  );
}

// The picture of an execution of the test that a command names, under the first model named; null: there is none.
async function drawnFor(line) {
  const [, test] = line.match(/^ptxlit\b.*?(\S+\.litmus)/) || [],
    [, model] = line.match(/--model[ =]([\w.-]+)/) || [];
  if (!test || / graph /.test(line)) return null;
  const dark = matchMedia("(prefers-color-scheme: dark)").matches ? " --dark" : "";
  const { text } = await runLine(`ptxlit graph -f svg${dark} --model ${model || "ptx"} ${test}`);
  return text.startsWith("<svg") ? text.replace(/<\/svg>[\s\S]*$/, "</svg>") : null;
}

function liveCommand(command) {
  const show = command.line.match(/^cat (\S+)$/);
  if (show && show[1] in PTXLIT_FILES) return editorFor(show[1]);
  const box = make("input", { type: "text", value: command.line, spellcheck: false });
  const button = make("button", { type: "button", textContent: "Run" });
  const output = make("pre", { textContent: command.printed.join("\n") });
  const drawn = make("figure", { className: "scroll", hidden: true });
  box.size = Math.max(30, command.line.length);
  box.style.maxWidth = "100%";
  box.style.font = "0.84rem var(--mono)";
  box.setAttribute("aria-label", "command");
  output.setAttribute("aria-live", "polite");
  const go = async () => {
    button.disabled = true;
    const answer = await runLine(box.value).catch((problem) => ({ text: String(problem) }));
    const printed = command.printed.map((text) => text.trimEnd());
    const lines = answer ? answer.text.replace(/\n$/, "").split("\n") : ["stopped"];
    output.replaceChildren(
      ...lines.map((text) =>
        make("span", { className: printed.includes(text.trimEnd()) ? "" : "differs", textContent: text + "\n" }),
      ),
    );
    const svg = answer && (await drawnFor(box.value).catch(() => null));
    drawn.hidden = !svg;
    drawn.innerHTML = svg ? "<figcaption>An execution, drawn by ptxlit graph:</figcaption>" + svg : "";
    button.disabled = false;
  };
  button.onclick = go;
  box.onkeydown = (event) => event.key === "Enter" && go();
  return make("div", { className: "live" }, make("div", {}, "$ ", box, " ", button), output, drawn);
}

function makeLive() {
  for (const code of document.querySelectorAll("pre > code.language-console")) {
    const commands = commandsOf(code.textContent);
    if (!commands.length || code.closest(".answer")) continue;
    code.parentElement.replaceWith(
      ...commands.map((command) => {
        if (shell.runnable(command.line)) return liveCommand(command);
        return make("pre", { textContent: ["$ " + command.line, ...command.printed].join("\n") });
      }),
    );
  }
}

// ---- exercises: the reader first guesses the verdicts, races, outcomes, or yes or no

function yesNo(truth) {
  const said = make("p", { role: "status" });
  const buttons = ["Yes", "No"].map((word) =>
    make("button", {
      type: "button",
      textContent: word,
      onclick() {
        said.className = word === truth ? "right-answer" : "wrong-answer";
        said.textContent = word === truth ? "Correct. Can you say why?" : "No. See the hint.";
      },
    }),
  );
  return make("div", {}, buttons[0], " ", buttons[1], said);
}

const VERDICTS = ["allowed", "forbidden", "undefined", "unknown"],
  JUDGEMENTS = ["safe", "unsafe"]; // of a kernel
const VERDICT = new RegExp(`^Test (.+?) (\\S+) (${[...VERDICTS, ...JUDGEMENTS].join("|")})(?: |$)`);

// All combinations of the values in the printed outcomes.
function combinations(states) {
  const values = new Map();
  for (const state of states)
    for (const [place, value] of state.map((part) => part.split("=")))
      values.set(place, (values.get(place) || new Set()).add(value));
  let found = states.length ? [[]] : [];
  for (const [place, set] of values)
    found = found.flatMap((begun) => [...set].sort().map((value) => [...begun, `${place}=${value}`]));
  return found.map((parts) => parts.join("; "));
}

// What can be asked of what a command printed: [{question, choices, truth}].
function questions(printed) {
  const found = [],
    states = [];
  for (const text of printed) {
    const [, test, model, verdict] = text.match(VERDICT) || [],
      race = text.match(/^Test (.+): (no|\d+) races? under (\S+)$/);
    if (verdict)
      found.push({
        question: `${test} under ${model}`,
        choices: JUDGEMENTS.includes(verdict) ? JUDGEMENTS : VERDICTS,
        truth: verdict,
      });
    else if (race)
      found.push({
        question: `${race[1]} under ${race[3]}`,
        choices: ["a race", "no race"],
        truth: race[2] === "no" ? "no race" : "a race",
      });
    else if (/^([^ =]+=[^ ;]+; ?)+$/.test(text)) states.push(text.match(/[^ =]+=[^ ;]+/g));
  }
  const happen = new Set(states.map((parts) => parts.join("; ")));
  for (const question of combinations(states))
    found.push({
      question,
      choices: ["can happen", "cannot happen"],
      truth: happen.has(question) ? "can happen" : "cannot happen",
    });
  return found;
}

// The correct answer is the command's output on the edited tests.
function quiz(line, printed) {
  const asked = questions(printed);
  if (!asked.length) return null;
  const form = make("form", {}),
    said = make("p", { role: "status" });
  for (const { question, choices } of asked) {
    const choice = make(
      "select",
      { name: question },
      ...["?", ...choices].map((word) => make("option", { textContent: word })),
    );
    form.append(make("label", {}, question + ": ", choice), make("br", {}));
  }
  form.append(make("button", { textContent: "Check" }), said);
  form.onsubmit = async (event) => {
    event.preventDefault();
    const { text } = await runLine(line);
    const truth = Object.fromEntries(questions(text.split("\n")).map((q) => [q.question, q.truth]));
    const wrong = [...form.elements].filter((e) => e.name && e.value !== (truth[e.name] ?? "cannot happen"));
    said.className = wrong.length ? "wrong-answer" : "right-answer";
    said.textContent = wrong.length
      ? `Not yet: look again at ${wrong.map((e) => e.name).join(", ")}.`
      : "Correct.";
  };
  return form;
}

function makeExercises() {
  const heads = [...document.querySelectorAll("h2")];
  const listAfter = (title) => {
    let at = heads.find((h) => h.textContent === title);
    while (at && at.tagName !== "OL") at = at.nextElementSibling;
    return at;
  };
  const tasks = listAfter("Exercises"),
    answers = listAfter("Answers");
  if (!tasks || !answers) return;
  [...tasks.children].forEach((task, i) => {
    const answer = answers.children[i];
    const hint = [...task.querySelectorAll("em")].find((em) => em.textContent.startsWith("Hint:"));
    task.classList.add("exercise");
    if (hint)
      hint.replaceWith(
        make("details", {}, make("summary", { textContent: "Hint" }), hint.textContent.slice(5).trim()),
      );
    if (!answer) return;
    const commands = [...answer.querySelectorAll("code.language-console")].flatMap((code) =>
      commandsOf(code.textContent),
    );
    for (const command of commands) {
      const form = shell.runnable(command.line) && quiz(command.line, command.printed);
      if (form) task.append(form);
    }
    const word = answer.textContent.trim().match(/^(Yes|No)\b/);
    if (word && !task.querySelector("form")) task.append(yesNo(word[1]));
    const shown = make("details", { className: "answer" }, make("summary", { textContent: "Answer" }));
    shown.append(...answer.childNodes);
    task.append(shown);
  });
  heads.find((h) => h.textContent === "Answers").remove();
  answers.remove();
}

makeExercises();
makeLive();
