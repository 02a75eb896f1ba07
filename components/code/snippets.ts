import type { Snippets } from "./snippet-languages.ts";
import { writeCli, writeFolderCommand } from "./snippets/cli.ts";
import { writeCurl } from "./snippets/curl.ts";
import { writePython } from "./snippets/python.ts";
import { type SnippetRequest, toCall } from "./snippets/request.ts";
import { writeTypescript } from "./snippets/typescript.ts";

export type { Snippets } from "./snippet-languages.ts";
export { type SnippetFile, type SnippetRequest, snippetInputs } from "./snippets/request.ts";

/** A request as the command that runs it on each file of a folder. */
export function folderCommand(request: SnippetRequest): string {
  return writeFolderCommand(toCall(request));
}

/**
 * A request as runnable code: curl in a shell, the TypeScript SDK, the Python package, and the CLI. The
 * code reads the API key from `MEDIAMILL_API_KEY` and waits for the job. All but the CLI, which saves
 * them, print the URLs of the outputs.
 */
export function requestSnippets(request: SnippetRequest): Snippets {
  const call = toCall(request);
  return {
    curl: writeCurl(call),
    typescript: writeTypescript(call),
    python: writePython(call),
    cli: writeCli(call),
  };
}
