// The address of a page that holds a test: the state as JSON, compressed, in base64 for addresses.
"use strict";

const link = (() => {
  async function through(stream, bytes) {
    const answer = new Response(new Blob([bytes]).stream().pipeThrough(stream));
    return new Uint8Array(await answer.arrayBuffer());
  }
  const encode = (bytes) =>
    btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(""))
      .replace(/\+/g, "-")
      .replace(/\//g, "_")
      .replace(/=+$/, "");
  const decode = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));

  async function pack(state) {
    const text = new TextEncoder().encode(JSON.stringify(state));
    return "#z=" + encode(await through(new CompressionStream("deflate-raw"), text));
  }

  // The state that an address holds. A lesson's address holds the plain test, or the name of a shipped one.
  async function unpack(hash) {
    const asked = new URLSearchParams(hash.slice(1)),
      packed = asked.get("z");
    if (packed) {
      const bytes = await through(new DecompressionStream("deflate-raw"), decode(packed));
      return JSON.parse(new TextDecoder().decode(bytes));
    }
    return {
      models: asked.get("models") ? asked.get("models").split(",") : null,
      test: asked.get("test") ?? PTXLIT_FILES[asked.get("file")],
    };
  }

  return { pack, unpack };
})();
