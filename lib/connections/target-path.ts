/** Placeholders in the path of an export: `{date}/{job_id}/{filename}`. Forms use it too, so this loads nothing of Node. */

/** The guide says what each of them stands for. */
const placeholders = [
  "date",
  "time",
  "job_id",
  "operation",
  "filename",
  "stem",
  "ext",
  "n",
] as const;

type Placeholder = (typeof placeholders)[number];

/** All placeholders as they are written: `{date} {time} …`. */
export const placeholderList = placeholders.map((name) => `{${name}}`).join(" ");

/** What the placeholders of one output stand for. */
export interface ExportedOutput {
  readonly jobId: string;
  readonly createdAt: Date;
  readonly operation: string;
  readonly filename: string;
  /** Counted from 1. */
  readonly number: number;
}

const pattern = /\{([^{}]*)\}/g;

/** What is wrong with the placeholders of a path; it follows the name of the field. */
export function findPlaceholderFault(path: string): string | undefined {
  const unknown = [...path.matchAll(pattern)].find(([, name]) => !isPlaceholder(name));
  if (unknown) {
    return `has the unknown placeholder ${unknown[0].slice(0, 60)}. There are ${placeholderList}`;
  }
  if (/[{}]/.test(path.replaceAll(pattern, ""))) return "must have no single braces";
  return undefined;
}

/** The path of one output. */
export function expandPath(path: string, output: ExportedOutput): string {
  const [date = "", time = ""] = output.createdAt.toISOString().split(/[T.]/);
  const extension = extensionOf(output.filename);
  const values: Record<Placeholder, string> = {
    date,
    time: time.replaceAll(":", ""),
    job_id: output.jobId,
    operation: output.operation.replaceAll("/", "-"),
    filename: output.filename,
    stem: output.filename.slice(0, output.filename.length - extension.length),
    ext: extension.slice(1),
    n: String(output.number),
  };
  // A value cannot add a folder.
  return path.replaceAll(pattern, (whole, name: string) =>
    isPlaceholder(name) ? values[name].replaceAll(/[/\\]/g, "_") : whole,
  );
}

/** With its period; empty without one. A name that begins with a period has none. */
function extensionOf(filename: string): string {
  return /[^/.](\.[^./]*)$/.exec(filename)?.[1] ?? "";
}

function isPlaceholder(name: string | undefined): name is Placeholder {
  return placeholders.some((one) => one === name);
}
