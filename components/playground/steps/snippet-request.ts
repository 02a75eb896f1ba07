import { type SnippetFile, type SnippetRequest, snippetInputs } from "#components/code/snippets.ts";
import type { FileField } from "../form/form-field.ts";
import { type JobOptions, optionFields } from "../form/job-options.ts";
import { providedSources, type Sources } from "../form/source.ts";
import { jsonValues } from "../form/values.ts";
import { toOperations } from "./run-request.ts";
import type { Step } from "./step.ts";

/** The values of the playground's form. */
export interface FilledForm {
  /** The operations in order: several for a chain. */
  readonly steps: readonly Step[];
  readonly sources: Sources;
  readonly options: JobOptions;
  /** The service's URL, without a trailing slash. */
  readonly baseUrl: string;
}

/** The form as the request that code is written for. */
export function snippetOfForm({
  steps,
  sources,
  options,
  baseUrl,
}: FilledForm): SnippetRequest | undefined {
  const [first] = steps;
  if (!first) return undefined;
  const { operation, values } = first;
  const additional = operation.files.flatMap((field) => {
    const [file] = toSnippetFiles(field, sources);
    return field.part === "file" || !file ? [] : [[field.part, file] as const];
  });
  const main = operation.files.find(({ part }) => part === "file");
  const isChain = steps.length > 1;
  const params = isChain
    ? { operations: toOperations(steps, "hidden") }
    : jsonValues(operation.fields, values);
  return {
    operation: isChain ? "chain" : operation.id,
    params: { ...params, ...optionFields(options) },
    ...(main ? snippetInputs({ inputs: main.count }, toSnippetFiles(main, sources)) : {}),
    files: Object.fromEntries(additional),
    baseUrl,
  };
}

/** The chosen files, and a made-up name for each that is still missing. */
function toSnippetFiles({ part, count }: FileField, sources: Sources): SnippetFile[] {
  const given = providedSources(sources, part, count.max).map((source) =>
    source.kind === "file" ? { file: source.file.name } : { url: source.url.trim() },
  );
  const name = part === "file" ? "input" : part;
  const missing = Array.from({ length: Math.max(0, count.min - given.length) }, (_, index) => ({
    file: count.max === 1 ? name : `${name}-${given.length + index + 1}`,
  }));
  return [...given, ...missing];
}
