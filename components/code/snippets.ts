import { writeCurl } from "./snippets/curl.ts";
import { writePython } from "./snippets/python.ts";
import { readCall, type SnippetRequest } from "./snippets/request.ts";
import { writeTypescript } from "./snippets/typescript.ts";

export type { SnippetFile, SnippetRequest } from "./snippets/request.ts";

export interface Snippets {
  readonly curl: string;
  readonly typescript: string;
  readonly python: string;
}

/**
 * One request as code that runs when pasted, with the key in `MEDIAMILL_API_KEY` and nothing
 * installed: for a shell, for Node ≥ 20 and for Python ≥ 3.9. Each makes the job, waits for its end
 * and prints where the outputs are.
 */
export function requestSnippets(request: SnippetRequest): Snippets {
  const call = readCall(request);
  return {
    curl: writeCurl(call),
    typescript: writeTypescript(call),
    python: writePython(call),
  };
}
