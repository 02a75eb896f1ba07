import { formText } from "#components/code/snippets/request.ts";
import { type SnippetRequest, snippetInputs } from "#components/code/snippets.ts";
import type { SharedResult } from "#lib/jobs/view/shared-result.ts";
import { findOperation } from "#lib/operations/catalogue/index.ts";

type Recipe = Pick<SharedResult, "operation" | "steps" | "inputs" | "parts">;

/** The title of an operation, or those of a chain: "Trim video, then Resize video". */
export function titleOfRecipe({ steps }: Pick<Recipe, "steps">): string {
  return steps.map(({ type }) => findOperation(type)?.title ?? type).join(", then ");
}

/** The request of a shared result with a file of one's own. */
export function requestOfRecipe(
  { operation, steps, inputs, parts }: Recipe,
  baseUrl: string,
): SnippetRequest {
  const [first] = steps;
  const files = Array.from({ length: inputs }, (_, index) => ({
    file: inputs === 1 ? "your-file" : `your-file-${index + 1}`,
  }));
  if (operation === "chain" || first === undefined) {
    const operations = steps.map(({ type, params }) => ({ type, params }));
    return {
      operation,
      params: { operations },
      ...snippetInputs({ inputs: { max: 1 } }, files),
      baseUrl,
    };
  }
  const max = Math.max(1, inputs);
  return {
    operation,
    params: first.params,
    ...snippetInputs(findOperation(operation) ?? { inputs: { max } }, files),
    files: Object.fromEntries(parts.map((part) => [part, { file: `your-${part}` }])),
    baseUrl,
  };
}

/** The path of the playground with the recipe filled in. */
export function playgroundPathOf({ steps }: Pick<Recipe, "steps">): string {
  const query = new URLSearchParams({
    operations: formText(steps.map(({ type, params }) => ({ type, params }))),
  });
  return `/dashboard/playground?${query}`;
}
