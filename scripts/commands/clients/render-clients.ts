import type { Operation } from "#lib/operations/define.ts";
import type { GeneratedFile } from "../generated-files.ts";
import { renderN8nOperations } from "./render-n8n.ts";
import {
  renderChainStub,
  renderPythonParams,
  renderPythonTables,
  renderRunStub,
} from "./render-python.ts";
import { renderPythonSync } from "./render-python-sync.ts";
import { renderSdkTypes } from "./render-sdk.ts";
import { renderPythonResponses, renderSdkResponses } from "./response-types.ts";

const header = "// Generated from the operations' folders and the API. Do not edit.\n";

/** The files of the packages that are made from the operations. Git ignores them. */
export function renderClients(operations: readonly Operation[]): GeneratedFile[] {
  const types = `${renderSdkResponses()}\n${renderSdkTypes(operations)}`;
  const nodes = renderN8nOperations(operations);
  return [
    { path: "packages/sdk/src/generated.ts", content: `${header}\n${types}` },
    { path: "packages/n8n/nodes/Mediamill/generated.ts", content: `${header}\n${nodes}` },
    ...renderPython(operations),
  ];
}

function renderPython(operations: readonly Operation[]): GeneratedFile[] {
  const folder = "packages/python/src/mediamill";
  const pythonHeader = header.replace("//", "#");
  const stubs = [true, false].flatMap((isAsync) => {
    const client = `${folder}/${isAsync ? "_async" : "_sync"}`;
    return [
      { path: `${client}/operation_methods.pyi`, content: renderRunStub(operations, isAsync) },
      { path: `${client}/chain.pyi`, content: renderChainStub(operations, isAsync) },
    ];
  });
  const modules = [
    { path: `${folder}/operations.py`, content: renderPythonParams(operations) },
    { path: `${folder}/_responses.py`, content: renderPythonResponses() },
    { path: `${folder}/_catalogue.py`, content: renderPythonTables(operations) },
  ];
  return [
    ...[...modules, ...stubs].map(({ path, content }) => ({
      path,
      content: `${pythonHeader}\n${content}`,
    })),
    ...renderPythonSync(pythonHeader.replace("the operations' folders and the API", "`_async`")),
  ];
}
