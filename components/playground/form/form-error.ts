import type { FormOperation } from "./form-field.ts";

/** An error at a field, at a file, or above the form. */
export interface FormError {
  /** The name of a parameter or of a file part, or `form`. */
  readonly field: string;
  readonly message: string;
  /** The index of the step that it is about. Default: the first. */
  readonly step?: number;
  /** The focus stays where it is: the user has just left the field. */
  readonly keepsFocus?: boolean;
  /** The session has ended: the user must sign in before the form can be sent. */
  readonly isSignedOut?: boolean;
  /** A limit of the plan is reached. */
  readonly isPlanLimit?: boolean;
}

/** Error codes that are about the input file if the message names no other field. */
const fileCodes = new Set([
  "invalid_input",
  "too_large",
  "corrupt",
  "encrypted",
  "unsupported_type",
]);

/** Error codes of requests beyond a limit of the plan. */
const limitCodes = new Set(["rate_limited", "usage_limit_reached"]);

/** Assigns a rejection to a field: the message starts with the field's name, such as "`text` is required." */
export function assignFormError(
  { fields, files }: FormOperation,
  message: string,
  code: string | null,
): FormError {
  if (code === "unauthorized") return { field: "form", message, isSignedOut: true };
  if (code !== null && limitCodes.has(code)) return { field: "form", message, isPlanLimit: true };
  const [, named = ""] = /^(?:The )?`?([A-Za-z][\w-]*)/.exec(message) ?? [];
  const part = /^inputs?$/.test(named) ? "file" : named.replace(/_url$/, "");
  if (files.some((file) => file.part === part)) return { field: part, message };
  const isOption = ["webhook_url", "metadata", "output"].includes(named);
  if (isOption || fields.some(({ name }) => name === named)) return { field: named, message };
  const isAboutFile = code !== null && fileCodes.has(code) && files.some(isMain);
  return { field: isAboutFile ? "file" : "form", message };
}

/** Assigns the rejection of a chain to a step and its field: "Operation 2, image/sharpen: `sigma` must be …". */
export function assignChainError(
  operations: readonly FormOperation[],
  message: string,
  code: string | null,
): FormError {
  const [, number = "1", rest = message] = /^Operation (\d+), [^:]+: (.*)$/s.exec(message) ?? [];
  const step = Number(number) - 1;
  const operation = operations[step] ?? operations[0];
  const isFirst = step === 0;
  if (!operation) return { field: "form", message };
  const error = assignFormError(isFirst ? operation : { ...operation, files: [] }, rest, code);
  return error.field === "form" ? { ...error, message, step } : { ...error, step };
}

const isMain = ({ part }: { part: string }) => part === "file";
