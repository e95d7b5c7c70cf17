// The address of a page that holds a test: the state as JSON, compressed, in base64 for addresses.
"use strict";

const link = (() => {
  // A stranger may have written an address: a few kilobytes of it could unpack to gigabytes.
  const MOST = 4 << 20;
  async function through(stream, bytes, most = Infinity) {
    const parts = [],
      reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
    for (let size = 0, part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.length;
      if (size > most) {
        await reader.cancel();
        throw new Error(`the test in this address has more than ${most} bytes`);
      }
      parts.push(part.value);
    }
    return new Uint8Array(await new Blob(parts).arrayBuffer());
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
      const bytes = await through(new DecompressionStream("deflate-raw"), decode(packed), MOST);
      return JSON.parse(new TextDecoder().decode(bytes));
    }
    return {
      models: asked.get("models") ? asked.get("models").split(",") : null,
      test: asked.get("test") ?? PTXLIT_FILES[asked.get("file")],
    };
  }

  return { pack, unpack };
})();
