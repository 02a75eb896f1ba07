import { writeCurl } from "./snippets/curl.ts";
import { writePython } from "./snippets/python.ts";
import { type SnippetRequest, toCall } from "./snippets/request.ts";
import { writeTypescript } from "./snippets/typescript.ts";

export { type SnippetFile, type SnippetRequest, snippetInputs } from "./snippets/request.ts";

export interface Snippets {
  readonly curl: string;
  readonly typescript: string;
  readonly python: string;
}

/**
 * A request as runnable code for a shell, Node ≥ 20 and Python ≥ 3.9, without other packages. The
 * code reads the API key from `MEDIAMILL_API_KEY`, creates the job, waits until it is final and
 * prints the URLs of its outputs.
 */
export function requestSnippets(request: SnippetRequest): Snippets {
  const call = toCall(request);
  return {
    curl: writeCurl(call),
    typescript: writeTypescript(call),
    python: writePython(call),
  };
}
