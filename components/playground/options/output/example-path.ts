import { expandPath, findPlaceholderFault } from "#lib/connections/target-path.ts";
import { labelOf } from "#lib/jobs/run/operation-label.ts";
import { defaultPath } from "../../connections/output-target.ts";
import type { FormOperation, FormValues } from "../../form/form-field.ts";
import { type Sources, sourceName } from "../../form/source.ts";

/** What an example of an output's path is made from. */
export interface OutputExample {
  readonly steps: readonly {
    readonly operation: Pick<FormOperation, "id" | "produces">;
    readonly values: FormValues;
  }[];
  readonly sources: Sources;
}

/** The path that an output of the form would get; undefined for a path that is not allowed. */
export function examplePath(path: string, example: OutputExample, now: Date): string | undefined {
  const whole = path.trim() || defaultPath;
  if (findPlaceholderFault(whole) !== undefined) return undefined;
  const { steps } = example;
  return expandPath(whole, {
    jobId: "job_4f6Hq0aB7cD1eF2gH4iJ5kLm",
    createdAt: now,
    operation: steps.length > 1 ? "chain" : (steps[0]?.operation.id ?? "chain"),
    filename: exampleName(example),
    number: 1,
  });
}

/** The name of an output: that of the input, with the extension of what the last step makes. */
function exampleName({ steps, sources }: OutputExample): string {
  const [source] = sources.file ?? [];
  const input = (source && fileNameOf(sourceName(source))) || "example.jpg";
  const [, stem = input, given = ""] = /^(.+)\.([^.]+)$/.exec(input) ?? [];
  const last = steps.at(-1);
  const produces = last?.operation.produces ?? [];
  const wanted = [last?.values.format, given.toLowerCase()].find(
    (one) => one !== undefined && produces.includes(one),
  );
  const output = `${stem}.${wanted ?? produces[0] ?? given}`;
  if (output.toLowerCase() !== input.toLowerCase()) return output;
  return `${stem}-${labelOf(last?.operation.id ?? "")}.${given}`;
}

/** The name of a file in the browser, at a URL or in a connection. */
function fileNameOf(source: string): string {
  const path = /^https?:/i.test(source)
    ? source.replace(/[?#].*$/, "")
    : source.replace(/^conn_\w+:/, "");
  return path.slice(path.lastIndexOf("/") + 1);
}
