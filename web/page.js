// The playground: the test on the left, what the tool says about it on the right.
"use strict";

const $ = (id) => document.getElementById(id);
const TEST = "test.litmus",
  MODULE = "kernel.ptx";
const state = { written: "", models: ["ptx", "sc"], tab: "graph", chosen: null, edited: {} };

function element(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

// ---- the editors: of the test, and of a model

const tell = (text) => ($("told").textContent = text);
const editor = makeEditor($("editor"), (file) => file === TEST || file === MODULE, tell);
const modelFile = () => $("model-file").value;
const modelEditor = makeEditor($("model-box"), (file) => file === modelFile(), tell);

// CUDA C++ needs a compiler, which the page has not.
const isCuda = (text) => /\b__global__\b/.test(text);
const COMPILE = "This is CUDA C++. Compile it with nvcc -ptx -lineinfo kernel.cu, and paste kernel.ptx here.";

// A PTX module is checked under a launch line; any other text is a test.
const isModule = (text) => !/^\s*PTX\b/.test(text) && /^\s*\.(version|target|entry|visible|extern)\b/m.test(text);
const operands = () => (isModule(editor.value()) ? [MODULE, $("launch").value] : [TEST]);

function showMessages(text, failed) {
  const box = $("messages");
  box.hidden = !text;
  box.textContent = text;
  box.classList.toggle("warning", !failed);
  editor.show(failed && text);
  const model = failed && text.match(/^(models\/[^:\n]*\.cat):\d+:\d+: error/m);
  if (model && model[1] in PTXLIT_FILES && model[1] !== modelFile()) chooseModel(model[1]);
  if (modelEditor.show(failed && text)) $("model-editor").open = true;
}

function setSource(text) {
  editor.set(text);
  state.chosen = null;
  $("launch-line").hidden = !isModule(text);
}

function chooseModel(path) {
  $("model-file").value = path;
  modelEditor.set(state.edited[path] ?? PTXLIT_FILES[path]);
  $("model-reset").disabled = !(path in state.edited);
}

function fillModelFiles() {
  const names = Object.keys(PTXLIT_FILES).filter((path) => path.endsWith(".cat"));
  $("model-file").replaceChildren(...names.map((name) => element("option", { value: name, textContent: name })));
  chooseModel("models/ptx.cat");
}

// ---- sliders

function turned() {
  const scope = +$("scope").value,
    place = +$("place").value;
  $("scope-word").textContent = turn.scopes[scope];
  $("place-word").textContent = turn.places[place];
  $("undo-sliders").hidden = !scope && !place;
  setSource(turn.apply(state.written, scope, place));
  later();
}

function asWritten() {
  state.written = editor.value();
  $("scope").value = $("place").value = 0;
  $("scope-word").textContent = $("place-word").textContent = turn.scopes[0];
  $("undo-sliders").hidden = true;
}

// ---- asking

function limits() {
  const args = ["--timeout", $("timeout").value || "10"];
  if ($("unroll").value) args.push("--unroll", $("unroll").value);
  return args;
}


// The test, the modules of the library that its kernel lines name, and models that the reader changed.
function files() {
  const text = editor.value(),
    found = { ...state.edited, [isModule(text) ? MODULE : TEST]: text };
  for (const [, name] of text.matchAll(/\bkernel\s+"([^"]+)"/g)) {
    const path = Object.keys(PTXLIT_FILES).find((p) => p.endsWith("/" + name));
    if (path) found[name] = PTXLIT_FILES[path];
  }
  return found;
}

// Gets ptxlit's proposed launch lines for a module, and waits for the reader to run one.
async function proposeLaunch() {
  const answer = await ask(["check", ...limits(), MODULE]);
  if (!answer) return;
  const lines = said.launches(answer.out);
  $("launches").replaceChildren(...lines.map((value) => element("option", { value })));
  $("outcomes").replaceChildren();
  $("panel").replaceChildren();
  if (!lines.length) {
    showMessages(answer.err, true);
    $("verdicts").textContent = "None: write a launch line.";
    return;
  }
  showMessages("", false);
  $("launch").value = lines[0];
  $("verdicts").textContent = "None yet: ptxlit proposes the launch below. Change it to yours, and press Run.";
}

const dark = () => matchMedia("(prefers-color-scheme: dark)").matches;

async function ask(args) {
  $("stop").disabled = false;
  $("status").textContent = "Running…";
  const begun = performance.now();
  const answer = await session.ask({ args, files: files() });
  if (!answer) {
    if (!session.busy()) {
      $("stop").disabled = true;
      $("status").textContent = "Stopped.";
    }
    return null;
  }
  $("stop").disabled = true;
  $("status").textContent = `Done in ${Math.round(performance.now() - begun)} ms.`;
  return answer;
}

async function run() {
  if (!state.models.length) {
    $("status").textContent = "Choose a model.";
    return;
  }
  const module = isModule(editor.value());
  $("launch-line").hidden = !module;
  if (isCuda(editor.value())) {
    $("verdicts").textContent = COMPILE;
    return showMessages("", false);
  }
  if (module && !$("launch").value) return proposeLaunch();
  const answer = await ask([
    "--format",
    "json",
    "--model",
    state.models.join(","),
    "--max-outcomes",
    $("max-outcomes").value || "1000",
    ...limits(),
    ...operands(),
  ]);
  if (!answer) return;
  const results = answer.out
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  showMessages(answer.err, !results.length);
  showResults(results);
  if (results.length) return showTab();
  $("verdicts").textContent = "No verdict: see the error below.";
  $("panel").replaceChildren();
}

let timer = 0;
function later() {
  clearTimeout(timer);
  timer = setTimeout(run, 350);
}

// ---- results

const key = (outcome) =>
  Object.entries(outcome.state)
    .map(([name, value]) => `${name}=${value}`)
    .join("; ");

// A finding, which marks its lines in the editor when it is chosen.
function findingButton(finding) {
  const button = element("button", { type: "button", className: "finding", textContent: finding.words });
  button.title = finding.cure;
  button.onclick = () => editor.mark(finding.lines, true);
  return button;
}

function showResults(results) {
  const [first] = results.flatMap(said.findings);
  editor.mark(first ? first.lines : [], first && document.activeElement !== $("source"));
  $("verdicts").replaceChildren(
    ...results.map((r) =>
      element(
        "p",
        {},
        element("b", { textContent: r.model }),
        ": ",
        element("span", { className: "verdict " + r.verdict, textContent: r.verdict }),
        r.observation ? ` (${r.observation})` : "",
        said.hang(r) && " — " + said.hang(r),
        ...said.findings(r).map(findingButton),
        r.expected && !r.expected.met
          ? element("span", { className: "unmet", textContent: " differs from its Expect= line" })
          : "",
        r.vacuous ? " — unreachable even without any axiom" : "",
        said.reason(r) && " — " + said.reason(r),
      ),
    ),
  );
  const rows = new Map();
  for (const r of results)
    for (const o of r.outcomes || []) {
      const name = key(o);
      if (!rows.has(name)) rows.set(name, { satisfies: o.satisfies, under: new Set() });
      rows.get(name).under.add(r.model);
    }
  $("outcomes").replaceChildren(outcomeTable(results, rows));
  const under = $("under").value;
  $("under").replaceChildren(...results.map((r) => element("option", { value: r.model, textContent: r.model })));
  if (results.some((r) => r.model === under)) $("under").value = under;
}

function outcomeTable(results, rows) {
  const head = element(
    "tr",
    {},
    element("th", { scope: "col", textContent: "Outcome" }),
    ...results.map((r) => element("th", { scope: "col", textContent: r.model })),
  );
  const body = [...rows]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, row]) => {
      const button = element("button", { type: "button", textContent: name || "(no observed values)" });
      button.setAttribute("aria-pressed", String(state.chosen === name));
      button.onclick = () => choose(name, [...row.under]);
      const line = element(
        "tr",
        { className: (row.satisfies ? "satisfies " : "") + (state.chosen === name ? "chosen" : "") },
        element(
          "td",
          {},
          button,
          row.satisfies ? element("span", { className: "muted", textContent: " asked about" }) : "",
        ),
        ...results.map((r) =>
          element("td", { textContent: row.under.has(r.model) ? "yes" : r.outcomes ? "no" : "?" }),
        ),
      );
      line.dataset.outcome = name;
      return line;
    });
  return element("table", {}, element("thead", {}, head), element("tbody", {}, ...body));
}

function choose(name, under) {
  state.chosen = state.chosen === name ? null : name;
  if (state.chosen && !under.includes($("under").value)) $("under").value = under[0];
  for (const row of $("outcomes").querySelectorAll("tr[data-outcome]")) {
    const on = row.dataset.outcome === state.chosen;
    row.classList.toggle("chosen", on);
    row.querySelector("button").setAttribute("aria-pressed", String(on));
  }
  if (!["graph", "explain"].includes(state.tab)) selectTab("graph");
  else showTab();
}

// ---- tabs

const tabs = ["graph", "explain", "fix", "races"];

function selectTab(name) {
  state.tab = name;
  for (const tab of tabs) {
    $("tab-" + tab).setAttribute("aria-selected", String(tab === name));
    $("tab-" + tab).tabIndex = tab === name ? 0 : -1;
  }
  $("panel").setAttribute("aria-labelledby", "tab-" + name);
  showTab();
}

async function showTab() {
  if (!$("under").value) return;
  if (state.tab === "graph") return showGraph(false);
  if (state.tab === "fix") return showFix();
  const answer = await askVerb(state.tab, [], state.tab === "explain");
  if (answer) showText(answer);
}

// A verb under the model chosen; `stated`: about the outcome chosen.
function askVerb(verb, options, stated) {
  const outcome = stated && state.chosen ? [state.chosen] : [];
  return ask([verb, "--model", $("under").value, ...limits(), ...options, ...operands(), ...outcome]);
}

const showText = (answer) => $("panel").replaceChildren(element("pre", { textContent: answer.out + answer.err }));

// `every`: all executions of the outcome, else one.
async function showGraph(every) {
  const options = ["--format", "svg", ...(dark() ? ["--dark"] : []), ...picture.options()];
  const answer = await askVerb("graph", [...options, ...(every ? ["--pick", "every"] : [])], true);
  if (!answer) return;
  const pictures = picture.split(answer.out);
  if (pictures.length)
    return picture.show($("panel"), pictures, 0, every ? null : () => showGraph(true), () => showGraph(false));
  showText(answer);
  if (every || picture.options().length) {
    const again = element("button", { type: "button", textContent: "Back to the picture" });
    again.onclick = () => {
      picture.reset();
      showGraph(false);
    };
    $("panel").prepend(again);
  }
}

// The fixes, each with a button that applies it; if none, the output of fix.
async function showFix() {
  const answer = await askVerb("fix", ["--format", "json"], false);
  if (!answer) return;
  const found = answer.out.startsWith("{") ? JSON.parse(answer.out) : {},
    module = isModule(editor.value());
  if (!found.ways || !found.ways.length) {
    const text = await askVerb("fix", [], false);
    return text && showText(text);
  }
  const ways = found.ways.map((changes, i) => {
    const apply = element("button", { type: "button", textContent: "Apply" });
    apply.onclick = () => {
      setSource(edits.apply(editor.value(), changes, module));
      asWritten();
      run();
    };
    return element(
      "li",
      {},
      ...changes.map((c) => element("code", { textContent: edits.told(c, module) })),
      edits.can(changes) ? apply : "",
      found.verdicts[i] ? ` then ${found.verdicts[i]}` : "",
    );
  });
  const goal = found.goal === "safe" ? "makes it safe" : `forbids ${found.forbids}`;
  $("panel").replaceChildren(
    element("p", { textContent: `Each of these ${goal}, the weakest first:` }),
    element("ol", { className: "ways" }, ...ways),
  );
}

// ---- the library

const titleOf = (text) => (text.match(/^\s*"([^"]*)"/m) || ["", ""])[1];

function fillLibrary() {
  const all = Object.keys(PTXLIT_FILES).filter((path) => /\.(litmus|ptx)$/.test(path));
  $("library-count").textContent = all.length;
  const list = () => {
    const wanted = $("library-find").value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = all.filter((path) =>
      wanted.every((w) => (path + " " + titleOf(PTXLIT_FILES[path])).toLowerCase().includes(w)),
    );
    $("library-list").replaceChildren(
      ...found.slice(0, 100).map((path) => {
        const button = element("button", { type: "button", textContent: path.replace(/\.litmus$/, "") });
        button.onclick = () => open(PTXLIT_FILES[path]);
        return element(
          "li",
          {},
          button,
          " ",
          element("span", { className: "muted", textContent: titleOf(PTXLIT_FILES[path]) }),
        );
      }),
      ...(found.length > 100 ? [element("li", { textContent: `and ${found.length - 100} more` })] : []),
    );
  };
  $("library-find").oninput = list;
  list();
}

function open(text, launch) {
  $("launch").value = launch || "";
  setSource(text);
  asWritten();
  run();
}

// ---- the link: test, models and edited models, encoded after the #

const FIRST = "litmus/classic/SB.litmus";

async function openLink() {
  const asked = await link.unpack(location.hash).catch(() => ({}));
  if (asked.models) state.models = asked.models.filter((m) => said.models(PTXLIT_FILES).includes(m));
  state.edited = asked.edited || {};
  chooseModel(Object.keys(state.edited)[0] || "models/ptx.cat");
  fillModels();
  open(asked.test ?? PTXLIT_FILES[FIRST], asked.launch);
}

function fillModels() {
  const names = said.models(PTXLIT_FILES);
  $("models").replaceChildren(
    ...names.map((name) => {
      const box = element("input", { type: "checkbox", checked: state.models.includes(name) });
      box.onchange = () => {
        state.models = names.filter((n) => (n === name ? box.checked : state.models.includes(n)));
        run();
      };
      return element("label", {}, box, " " + name);
    }),
  );
}

// ---- event handlers

$("source").addEventListener("input", () => {
  const text = editor.value();
  if (isModule(text) && !isModule(state.written)) $("launch").value = "";
  state.chosen = null;
  asWritten();
  editor.show("");
  later();
});
$("launch").addEventListener("change", run);
$("model-source").addEventListener("input", () => {
  state.edited[modelFile()] = modelEditor.value();
  $("model-reset").disabled = false;
  modelEditor.show("");
  later();
});
$("model-file").onchange = () => chooseModel(modelFile());
$("model-reset").onclick = () => {
  delete state.edited[modelFile()];
  chooseModel(modelFile());
  run();
};
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run();
  if (event.key === "Escape") {
    editor.hide();
    modelEditor.hide();
    session.stop();
  }
});
$("run").onclick = run;
$("stop").onclick = () => session.stop();
$("link").onclick = async () => {
  const { models, edited } = state;
  const launch = isModule(editor.value()) ? $("launch").value : undefined;
  history.replaceState(null, "", await link.pack({ test: editor.value(), models, launch, edited }));
  const copied = await (navigator.clipboard?.writeText(location.href) ?? Promise.reject()).then(
    () => true,
    () => false,
  );
  $("status").textContent = "The page's address now contains the test" + (copied ? ", and is copied." : ".");
};
for (const id of ["scope", "place"]) $(id).oninput = turned;
$("undo-sliders").onclick = () => {
  $("scope").value = $("place").value = 0;
  turned();
};
$("under").onchange = showTab;
for (const name of tabs) $("tab-" + name).onclick = () => selectTab(name);
$("tabs").addEventListener("keydown", (event) => {
  const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!way) return;
  const next = tabs[(tabs.indexOf(state.tab) + way + tabs.length) % tabs.length];
  selectTab(next);
  $("tab-" + next).focus();
});
window.addEventListener("hashchange", openLink);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", showTab);
const phone = matchMedia("(max-width: 34rem)");
const fold = () => {
  for (const part of document.querySelectorAll(".folds")) part.open = !phone.matches;
};
phone.addEventListener("change", fold);
fold();
fillLibrary();
fillModelFiles();
openLink();
