// A picture of an execution: its steps, zoom, downloads, the relations drawn, and all executions of the outcome.
"use strict";

const picture = (() => {
  const RELATIONS = ["po", "rf", "co", "fr", "sync", "sc", "bar", "spawn", "completes", "done", "mbar", "phase", "rmw"];
  RELATIONS.push("addr", "data", "ctrl", "cause");
  let zoom = "fit", // as wide as the panel; else a factor
    chosen = []; // relations; none: the usual ones

  const make = (tag, properties, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  };
  const button = (text, label, onclick) => {
    const made = make("button", { type: "button", textContent: text, onclick });
    made.setAttribute("aria-label", label);
    made.title = label;
    return made;
  };

  function steps(svg) {
    const parts = [...svg.querySelectorAll("[data-step]")];
    const last = parts.reduce((most, part) => Math.max(most, +part.dataset.step), 0);
    if (!last) return null;
    const slider = make("input", { type: "range", min: 0, max: last, value: last, id: "step" });
    const word = make("output", { textContent: "all" });
    const play = make("button", { type: "button", textContent: "Play" });
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
    return make("p", { className: "steps" }, play, make("label", {}, "Step ", slider), word);
  }

  function save(blob, name) {
    const url = URL.createObjectURL(blob);
    make("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }

  const asSvg = (text) => new Blob([text], { type: "image/svg+xml" });

  // Twice as large as on the page, for print.
  function asPng(text) {
    return new Promise((resolve, reject) => {
      const image = new Image(),
        url = URL.createObjectURL(asSvg(text));
      image.onload = () => {
        const canvas = make("canvas", { width: 2 * image.width, height: 2 * image.height });
        canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
        URL.revokeObjectURL(url);
        canvas.toBlob(resolve, "image/png");
      };
      image.onerror = reject;
      image.src = url;
    });
  }

  function relations(changed) {
    const boxes = RELATIONS.map((name) => {
      const box = make("input", { type: "checkbox", checked: chosen.includes(name) });
      box.onchange = () => {
        chosen = RELATIONS.filter((r) => (r === name ? box.checked : chosen.includes(r)));
        changed();
      };
      return make("label", {}, box, " " + name);
    });
    const shown = make("details", { className: "choices relations", open: chosen.length > 0 });
    shown.append(make("summary", { textContent: "Relations" }), "None chosen: the usual ones. ", ...boxes);
    return shown;
  }

  // Shows one of the pictures in the panel. `all`: asks for the pictures of every execution of this outcome;
  // `changed`: draws again.
  function show(panel, pictures, at, all, changed) {
    const holder = make("div", { className: "picture scroll" });
    holder.innerHTML = pictures[at];
    const svg = holder.firstElementChild,
      name = (svg.querySelector("title")?.textContent.split(" ")[0] || "execution").replace(/[^\w.+-]/g, "_");
    const own = (parseFloat(svg.getAttribute("width")) * 96) / 72; // pixels
    const resize = (to) => {
      zoom = to;
      svg.style.width = to === "fit" ? "" : to * own + "px";
      svg.style.maxWidth = to === "fit" ? "100%" : "none";
    };
    const scale = (factor) => resize(Math.min(6, Math.max(0.2, (svg.clientWidth / own) * factor)));
    const go = (to) => show(panel, pictures, to, null, changed);
    const tools = make("p", { className: "tools" });
    tools.append(
      button("−", "Smaller", () => scale(1 / 1.25)),
      button("+", "Larger", () => scale(1.25)),
      button("Fit", "Fit the picture into the page", () => resize("fit")),
      button("SVG", "Download as SVG", () => save(asSvg(pictures[at]), name + ".svg")),
      button("PNG", "Download as PNG", async () => save(await asPng(pictures[at]), name + ".png")),
    );
    if (all) tools.append(button("All executions", "Step through every execution of this outcome", all));
    else
      tools.append(
        button("‹", "The execution before", () => go((at + pictures.length - 1) % pictures.length)),
        make("output", { id: "which", textContent: ` execution ${at + 1} of ${pictures.length} ` }),
        button("›", "The next execution", () => go((at + 1) % pictures.length)),
      );
    const stepped = steps(svg);
    panel.replaceChildren(tools, ...(stepped ? [stepped] : []), holder, relations(changed));
    resize(zoom);
  }

  // Splits the output of `graph` into pictures.
  const split = (text) => text.split(/(?<=<\/svg>\n)/).filter((part) => part.startsWith("<svg"));

  const reset = () => (chosen = []);

  return { show, split, reset, options: () => (chosen.length ? ["--show", chosen.join(",")] : []), asPng };
})();
