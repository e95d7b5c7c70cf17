// Starts the language server. `npm install --omit=dev` in this directory fetches the client; without it the extension
// highlights and no more.
"use strict";

const vscode = require("vscode");

let client = null;

function library() {
  try {
    return require("vscode-languageclient/node");
  } catch {
    return null;
  }
}

exports.activate = () => {
  const lsp = library();
  if (!lsp) return;
  const settings = vscode.workspace.getConfiguration("ptxlit");
  const [command, ...args] = settings.get("command");
  const documentSelector = ["litmus", "cat", "map"].map((language) => ({ language: `ptxlit-${language}` }));
  if (settings.get("compile")) {
    args.push("--compile");
    documentSelector.push({ scheme: "file", pattern: "**/*.cu" });
  }
  client = new lsp.LanguageClient("ptxlit", "ptxlit", { command, args }, { documentSelector });
  return client.start();
};

exports.deactivate = () => client && client.stop();
