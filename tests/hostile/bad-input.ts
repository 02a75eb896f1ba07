import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { processPath } from "#lib/engines/sandbox/folder/process-folder.ts";
import type { JobErrorCode } from "#lib/errors.ts";
import { type MediaTypeId, mediaType } from "#lib/media/types.ts";
import type { Operation } from "#lib/operations/define.ts";
import { type Canary, startCanary } from "./canary.ts";
import type { Sample } from "./watched-run.ts";

/** The format of the catalogue of bad inputs, and how a row's file is built. */

/** The outcome of a job: it completes, or fails with a code. */
export type Outcome = "completes" | JobErrorCode;

export interface BadInput {
  readonly id: string;
  /** The detected type, by file name or first bytes. Operations that accept this type get the row. */
  readonly type: MediaTypeId;
  /** Returns the bytes, or the path of a file that must not be changed. Called once per process. */
  readonly build: (canary: Canary) => Buffer | string | Promise<Buffer | string>;
  /** The allowed outcomes of an operation that reads the whole content. */
  readonly expected: readonly Outcome[];
  /**
   * Other allowed outcomes, by operation id, group, or `operation/file` for an additional file. Some
   * operations read only the audio, and some only copy streams.
   */
  readonly expectedFor?: Readonly<Partial<Record<string, readonly Outcome[]>>>;
  /** The time limit on a busy machine. Default: 120. */
  readonly timeoutSeconds?: number;
  /** The limit of the memory that all engines together may take for it. What idle ones keep does not count. */
  readonly maxEngineBytes?: number;
  /** The file name from the client. */
  readonly filename?: string;
  /** Whether it is slow on any machine, so that only the soak runs use it. */
  readonly isSlow?: boolean;
  /** It waits for a time limit of many seconds, so it runs once for each engine and not more often. */
  readonly isCostly?: boolean;
}

/** Operations that copy or list content without decoding it. They do not notice damage in what they skip. */
const tolerantOperations = [
  "pipeline/strip-metadata",
  "pipeline/file-inspect",
  "image/metadata",
  "video/extract-audio",
  "video/replace-audio",
];

/** Operations that take a file as bytes and never read its content. */
const opaqueOperations = ["pipeline/hash", "pipeline/archive"];

/** Operations of other groups that read only the audio, so that the rows' outcomes of audio apply. */
const audioOperations = ["video/extract-audio", "pipeline/podcast-visual"];

/** Operations on a kind of track that the rows do not have. They may reject every row for that. */
const trackOperations = ["video/extract-subtitles"];

/** Operations on content that the rows do not have, and what they answer then. */
const emptyOutcomes: Readonly<Record<string, Outcome>> = { "document/extract-images": "empty" };

/** The allowed outcomes of `operation` for `row`, as its main file or as its additional file `extraFile`. */
export function expectedOutcomes(
  row: BadInput,
  operation: Operation,
  extraFile?: string,
): readonly Outcome[] {
  if (opaqueOperations.includes(operation.id)) return ["completes"];
  const key = extraFile ? `${operation.id}/${extraFile}` : operation.id;
  const readsAudio = extraFile === "audio" || audioOperations.includes(operation.id);
  const group = readsAudio ? "audio" : operation.group;
  const specific =
    row.expectedFor?.[key] ?? (extraFile && !readsAudio ? undefined : row.expectedFor?.[group]);
  if (trackOperations.includes(operation.id)) return ["unsupported_type", ...row.expected];
  if (specific) return specific;
  const empty = emptyOutcomes[operation.id];
  if (empty) return [empty, ...row.expected];
  // An inspection completes and reports the problem in its result.
  if (operation.id === "pipeline/file-inspect") return ["completes"];
  // Without a browser, nothing of a page is laid out or runs.
  const readsSource = row.type === "html" && !operation.requires.includes("chromium");
  const isTolerant = readsSource || tolerantOperations.includes(operation.id);
  return isTolerant ? ["completes", ...row.expected] : row.expected;
}

const built = new Map<BadInput, Promise<Sample>>();

/** The row's file. The first call builds it. */
export function buildBadInput(row: BadInput): Promise<Sample> {
  const sample = built.get(row) ?? build(row);
  built.set(row, sample);
  return sample;
}

async function build(row: BadInput): Promise<Sample> {
  const content = await row.build(await startCanary());
  const { type, filename } = row;
  const name = filename === undefined ? {} : { filename };
  if (typeof content === "string") return { path: content, type, ...name };
  const folder = processPath("built");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${built.size}.${mediaType(type).extension}`);
  writeFileSync(path, content);
  return { path, type, ...name };
}
