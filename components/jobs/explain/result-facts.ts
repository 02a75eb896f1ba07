import { formatBytes, formatDuration } from "#components/format.ts";
import { inputIndexOf } from "#lib/jobs/sources.ts";
import type { JobDetails, JobInputFile } from "#lib/jobs/view/details.ts";
import type { SerializedOutput } from "#lib/jobs/view/job.ts";

/** What is known of the input apart from its size in bytes. Pixels and seconds. */
export interface MediaSize {
  readonly width?: number;
  readonly height?: number;
  readonly duration?: number;
}

/** What a job has changed: a name and a text such as `4.2 MB → 1.1 MB, 74% smaller`. */
export type ResultFact = readonly [name: string, value: string];

/** The input and the output of a completed job that has one of each; undefined for any other job. */
export function singleFiles({
  job,
  inputs,
}: Pick<JobDetails, "job" | "inputs">):
  | { readonly input: JobInputFile; readonly output: SerializedOutput }
  | undefined {
  const main = inputs.filter(({ part }) => inputIndexOf(part) !== undefined);
  const [input] = main;
  const [output] = job.outputs;
  return input && output && main.length === 1 && job.outputs.length === 1
    ? { input, output }
    : undefined;
}

/** The facts of a completed job; none for a job whose result says nothing about its input. */
export function resultFacts(
  details: Pick<JobDetails, "job" | "inputs" | "phases">,
  before: MediaSize | undefined,
): ResultFact[] {
  const files = singleFiles(details);
  const { result } = details.job;
  // The JSON file of an operation that only reads its input is not a smaller version of it.
  const isData = files?.output.content_type === "application/json";
  return [
    ...(files && !isData ? sizeFacts(files.input, files.output, before) : []),
    ...speedFacts(details, before),
    ...loudnessFacts(result),
    ...similarityFacts(result),
    ...tagFacts(result),
  ];
}

function sizeFacts(
  { bytes, contentType }: JobInputFile,
  output: SerializedOutput,
  before: MediaSize | undefined,
): ResultFact[] {
  const { width, height, duration } = output;
  const facts: ResultFact[] = [];
  if (bytes !== null && bytes > 0) {
    const sizes = `${formatBytes(bytes)} → ${formatBytes(output.bytes)}`;
    const isComparable = kindOf(contentType ?? "") === kindOf(output.content_type);
    const change = isComparable ? `, ${describeChange(bytes, output.bytes)}` : "";
    facts.push(["Size", `${sizes}${change}`]);
  }
  if (before?.width && before.height && width && height) {
    const from = `${before.width} × ${before.height}`;
    const to = `${width} × ${height}`;
    facts.push(["Dimensions", from === to ? `${to}, unchanged` : `${from} → ${to}`]);
  }
  if (before?.duration !== undefined && duration !== undefined) {
    const [from, to] = [before.duration, duration].map((one) => formatDuration(one * 1000));
    facts.push(["Duration", from === to ? `${to}, unchanged` : `${from} → ${to}`]);
  }
  return facts;
}

/** A job that the engine did faster says nothing about its speed: most of it was the start. */
const minWorkingMs = 3000;

/** How fast the engine has worked on a video or audio file. */
function speedFacts(
  { phases }: Pick<JobDetails, "phases">,
  before: MediaSize | undefined,
): ResultFact[] {
  const working = phases.find(({ name, to }) => name === "working" && to !== null);
  if (!working?.to || before?.duration === undefined) return [];
  const ms = Date.parse(working.to) - Date.parse(working.from);
  return ms < minWorkingMs ? [] : [["Speed", describeSpeed(before.duration, ms)]];
}

/** Describes how fast a part of a video or audio file was processed: `2.3 × real time`. */
export function describeSpeed(seconds: number, ms: number): string {
  const factor = (seconds * 1000) / ms;
  return `${factor < 10 ? Number(factor.toPrecision(2)) : Math.round(factor)} × real time`;
}

/** The kind of a file, within which sizes say something about each other: all images, but only PDFs with PDFs. */
function kindOf(contentType: string): string {
  const [kind = ""] = contentType.split("/");
  return ["image", "audio", "video"].includes(kind) ? kind : contentType;
}

/**
 * Describes a change of size as `74% smaller`, `12% larger` or `the same size`. Ten times as large
 * is easier to read as a factor.
 */
export function describeChange(before: number, after: number): string {
  if (before === after) return "the same size";
  if (after >= 10 * before) return `${Math.round(after / before)} times as large`;
  const percent = (100 * Math.abs(after - before)) / before;
  const rounded =
    percent < 0.1 ? "less than 0.1" : `${Number(percent.toFixed(percent < 10 ? 1 : 0))}`;
  // 99.96 % is not all of it.
  const shown = after > 0 && after < before && rounded === "100" ? "more than 99" : rounded;
  return `${shown}% ${after < before ? "smaller" : "larger"}`;
}

/** The facts of results that have the loudness before and after. */
function loudnessFacts(result: JobDetails["job"]["result"]): ResultFact[] {
  const before = asRecord(result?.before);
  const after = asRecord(result?.after);
  if (!before || !after || !("integrated_lufs" in before)) return [];
  const fact = (name: string, field: string, unit: string): ResultFact => {
    const text = (value: unknown) => (typeof value === "number" ? `${value} ${unit}` : "silence");
    return [name, `${text(before[field])} → ${text(after[field])}`];
  };
  return [
    fact("Loudness", "integrated_lufs", "LUFS"),
    fact("Loudness range", "loudness_range_lu", "LU"),
    fact("True peak", "true_peak_dbtp", "dBTP"),
  ];
}

function similarityFacts(result: JobDetails["job"]["result"]): ResultFact[] {
  const ssim = result?.ssim;
  if (typeof ssim !== "number") return [];
  return [["Similarity", `SSIM ${ssim.toFixed(4)}; 1 is identical to the input`]];
}

/** What tags are about, by their names without the group. */
const tagSubjects: readonly (readonly [subject: string, names: RegExp])[] = [
  ["the position", /^GPS|Location/],
  ["the camera or device", /^(Make|Model|CameraModel|Lens|.*Serial|HostComputer|OwnerName)/],
  ["people", /(Artist|Author|Creator|By-line|LastModifiedBy|Copyright|Company|Manager)$/],
  ["dates", /Date|Time/],
  ["the software", /(Software|Encoder|Producer|CreatorTool|Application)$/],
];

/** The facts of results that name the tags that were removed. */
function tagFacts(result: JobDetails["job"]["result"]): ResultFact[] {
  const removed = result?.removed;
  if (!Array.isArray(removed)) return [];
  if (removed.length === 0) return [["Tags removed", "none: the file had no metadata"]];
  const names = removed.map((name) => String(name).replace(/^.*:/, ""));
  const subjects = tagSubjects
    .filter(([, pattern]) => names.some((name) => pattern.test(name)))
    .map(([subject]) => subject);
  const about = new Intl.ListFormat("en").format(subjects);
  return [["Tags removed", about ? `${removed.length}, among them ${about}` : `${removed.length}`]];
}

function asRecord(value: unknown): Record<string, unknown> | undefined {
  // An object of JSON.
  return typeof value === "object" && value !== null
    ? (value as Record<string, unknown>)
    : undefined;
}
