import type { UploadedFile } from "#lib/api/http/store-upload.ts";
import type { GotenbergError } from "../base/errors.ts";

/** What a request becomes: operations of Mediamill, as data. `lib/gotenberg/run` makes jobs of it. */
export interface Plan {
  /** The files to convert, in order, or the URL of a page. */
  readonly source: { readonly files: readonly UploadedFile[] } | { readonly url: string };
  readonly steps: readonly Step[];
  /** The answer is JSON instead: what this makes of the result of each job, by the names of the files. */
  readonly answer?: (result: Readonly<Record<string, unknown>>) => unknown;
  /** The error that Gotenberg sends for a failed job; undefined for those of any route. */
  readonly explain?: (failure: JobFailure) => GotenbergError | undefined;
}

export interface JobFailure {
  /** The code of a failed job, or `invalid_parameter` and others of a request. */
  readonly code: string;
  readonly message: string;
  /** The message with the names of form fields instead of those of parameters. */
  readonly formMessage: string;
  readonly operation: string;
  /** The name of the file; undefined if it has none. */
  readonly filename: string | undefined;
}

/** A file that an operation takes in addition: a stored one, or files by name as a ZIP. */
export type PlanFile = UploadedFile | { readonly zip: ReadonlyMap<string, UploadedFile> };

/** How the outputs of a step are called in an archive. Without a name, one is made up. */
export type Naming =
  /** As the input. */
  | { readonly kind: "keep" }
  | { readonly kind: "none" }
  /** The name of the input, and its new extension after it: `report.docx.pdf`. */
  | { readonly kind: "append"; readonly extension: string }
  /** `report_0.pdf`, `report_1.pdf`, … */
  | { readonly kind: "number" };

export type Task = Pick<Step, "operation" | "params">;

/** One operation on each file, or on all files together. */
export interface Step {
  readonly operation: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Instead of `params`, by the name of the file; a file without is left as it is. */
  readonly paramsByName?: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  /** Files that have another operation, by their names; undefined for those that are left as they are. */
  readonly otherTasks?: ReadonlyMap<string, Task | undefined>;
  readonly takes: "each" | "all";
  /** Files of the operation in addition, by part. */
  readonly parts?: Readonly<Record<string, PlanFile>>;
  /** Further inputs after the file. */
  readonly others?: readonly UploadedFile[];
  readonly naming: Naming;
  /** The form fields that parameters come from, by the names or paths of these. */
  readonly fields?: FieldNames;
}

export type FieldNames = Readonly<Record<string, string>>;

export const keepName: Naming = { kind: "keep" };
export const noName: Naming = { kind: "none" };

/** A step on each file that keeps its name. */
export function step(
  operation: string,
  params: Readonly<Record<string, unknown>> = {},
  more: Partial<Omit<Step, "operation" | "params">> = {},
): Step {
  return { operation, params, takes: "each", naming: keepName, ...more };
}
