// The playground: the test on the left, what the tool says about it on the right.
"use strict";

const $ = (id) => document.getElementById(id);
const FILE = "test.litmus";
const state = { written: "", models: ["ptx", "sc"], tab: "graph", chosen: null, error: null };

function element(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

// ---- the editor

function paint() {
  const wrong = state.error && state.error.span;
  $("editor").querySelector("pre").innerHTML = highlight.markup($("source").value, wrong);
  $("inline-error").hidden = !state.error;
  if (!state.error) return;
  const height = parseFloat(getComputedStyle($("source")).lineHeight);
  $("inline-error").style.top = `calc(0.6rem + ${(state.error.line - 1) * height}px)`;
  $("inline-error").style.left = `calc(0.6rem + ${state.error.width + 3}ch)`;
  $("inline-error").textContent = state.error.text;
}

// The first message with a place: which part of the text it is about, and how wide its line is, behind which it stands:
// no other line is covered.
function locate(messages) {
  const lines = messages.split("\n");
  for (let i = 0; i < lines.length; i++) {
    const found = lines[i].match(/^test\.litmus:(\d+):(\d+): (?:error|warning): (.*)$/);
    if (!found) continue;
    const line = +found[1],
      source = $("source").value.split("\n");
    let caret = "",
      k = i + 1;
    for (; k < lines.length && /^ {4}/.test(lines[k]); k++) if (/^\s+\^~*$/.test(lines[k])) caret = lines[k].slice(4);
    const before = source.slice(0, line - 1).reduce((sum, l) => sum + l.length + 1, 0) + (+found[2] - 1);
    const width = Math.max(1, caret.trim().length);
    const tabs = (source[line - 1] || "").replace(/\t/g, " ".repeat(8));
    return { line, width: tabs.length, span: [before, before + width], text: found[3] };
  }
  return null;
}

function showMessages(text, failed) {
  const box = $("messages");
  box.hidden = !text;
  box.textContent = text;
  box.classList.toggle("warning", !failed);
  state.error = failed ? locate(text) : null;
  paint();
}

function setSource(text) {
  $("source").value = text;
  state.chosen = null;
  paint();
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
  state.written = $("source").value;
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


// The test, and the modules of the library that its kernel lines name.
function files() {
  const text = $("source").value,
    found = { [FILE]: text };
  for (const [, name] of text.matchAll(/\bkernel\s+"([^"]+)"/g)) {
    const path = Object.keys(PTXLIT_FILES).find((p) => p.endsWith("/" + name));
    if (path) found[name] = PTXLIT_FILES[path];
  }
  return found;
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
  const answer = await ask([
    "--format",
    "json",
    "--model",
    state.models.join(","),
    "--max-outcomes",
    $("max-outcomes").value || "1000",
    ...limits(),
    FILE,
  ]);
  if (!answer) return;
  const results = answer.out
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  showMessages(answer.err, !results.length);
  showResults(results);
  if (results.length) return showTab();
  $("verdicts").textContent = "None: the test is wrong.";
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

function showResults(results) {
  $("verdicts").replaceChildren(
    ...results.map((r) =>
      element(
        "p",
        {},
        element("b", { textContent: r.model }),
        ": ",
        element("span", { className: "verdict " + r.verdict, textContent: r.verdict }),
        ` (${r.observation || "not observed"})`,
        said.hang(r) && " — " + said.hang(r),
        r.expected && !r.expected.met
          ? element("span", { className: "unmet", textContent: " not as its Expect= line says" })
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
      const button = element("button", { type: "button", textContent: name || "(nothing is observed)" });
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
  const verb = state.tab,
    model = $("under").value;
  if (!model) return;
  const args = [verb, "--model", model, ...limits()];
  if (verb === "graph") args.push("--format", "svg", ...(dark() ? ["--dark"] : []));
  const stated = state.chosen && (verb === "graph" || verb === "explain") ? [state.chosen] : [];
  const answer = await ask([...args, FILE, ...stated]);
  if (!answer) return;
  if (verb === "graph" && answer.out.startsWith("<svg")) showPicture(answer.out);
  else $("panel").replaceChildren(element("pre", { textContent: answer.out + answer.err }));
}

// ---- the picture, and its steps

function showPicture(svg) {
  $("panel").innerHTML = svg;
  const parts = [...$("panel").querySelectorAll("[data-step]")];
  const last = parts.reduce((most, part) => Math.max(most, +part.dataset.step), 0);
  if (!last) return;
  const slider = element("input", { type: "range", min: 0, max: last, value: last, id: "step" });
  const word = element("output", { textContent: "all" });
  const play = element("button", { type: "button", textContent: "Play" });
  const show = (step) => {
    slider.value = step;
    word.textContent = step < last ? `${step} of ${last}` : "all";
    for (const part of parts) part.classList.toggle("later", +part.dataset.step > step);
  };
  let playing = 0;
  const stop = () => {
    clearInterval(playing);
    playing = 0;
    play.textContent = "Play";
  };
  slider.oninput = () => {
    stop();
    show(+slider.value);
  };
  play.onclick = () => {
    if (playing) return stop();
    show(0);
    play.textContent = "Pause";
    playing = setInterval(() => (+slider.value < last && slider.isConnected ? show(+slider.value + 1) : stop()), 900);
  };
  $("panel").prepend(element("p", { className: "steps" }, play, element("label", {}, "Step ", slider), word));
}

// ---- the library

const titleOf = (text) => (text.match(/^\s*"([^"]*)"/m) || ["", ""])[1];

function fillLibrary() {
  const all = Object.keys(PTXLIT_FILES).filter((path) => path.endsWith(".litmus"));
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

function open(text) {
  setSource(text);
  asWritten();
  run();
}

// ---- the link: the test and the models, in what stands behind the #

function link() {
  return "#" + new URLSearchParams({ models: state.models.join(","), test: $("source").value });
}

function openLink() {
  const asked = new URLSearchParams(location.hash.slice(1));
  if (asked.get("models"))
    state.models = asked
      .get("models")
      .split(",")
      .filter((m) => said.models(PTXLIT_FILES).includes(m));
  fillModels();
  const file = asked.get("file");
  open(asked.get("test") ?? PTXLIT_FILES[file] ?? PTXLIT_FILES["litmus/classic/SB.litmus"]);
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

// ---- what the reader does

$("source").addEventListener("input", () => {
  state.error = null;
  state.chosen = null;
  asWritten();
  paint();
  later();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run();
  if (event.key === "Escape") {
    $("inline-error").hidden = true;
    session.stop();
  }
});
$("run").onclick = run;
$("stop").onclick = () => session.stop();
$("link").onclick = () => {
  history.replaceState(null, "", link());
  const copied = navigator.clipboard && navigator.clipboard.writeText(location.href);
  Promise.resolve(copied).then(
    () =>
      ($("status").textContent =
        "The address of this page now carries the test" + (copied ? ", and is copied." : ".")),
    () => ($("status").textContent = "The address of this page now carries the test."),
  );
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
fillLibrary();
openLink();
