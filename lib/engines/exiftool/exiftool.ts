import { availableParallelism } from "node:os";
import { z } from "zod";
import { env } from "#lib/env.ts";
import { JobError } from "#lib/errors.ts";
import { limitError, widestLimits } from "#lib/limits/limits.ts";
import { EngineError } from "../sandbox/errors.ts";
import { explainEngineFailure } from "../sandbox/failures.ts";
import type { WorkFile } from "../sandbox/work-folder.ts";
import { WarmPool } from "../warm/pool.ts";
import { slotName } from "../warm/slot.ts";
import { ExiftoolProcess } from "./process.ts";

/** exiftool, kept open: a start of Perl costs 0.4 s, a request to an open one a few milliseconds. */

export type TagValue = string | number | boolean | readonly TagValue[];

/** Tags by group and name, such as `IFD0:Make`; values are numbers where the format has numbers. */
export type Tags = ReadonlyMap<string, TagValue>;

/** What exiftool says of our own copy of the file, or of itself, rather than of the content. */
const ownGroups = new Set(["System", "ExifTool", "SourceFile"]);

/** Longer values are cut: a title may have megabytes. */
const maxValueLength = 2000;
const maxTags = 5000;
const maxListLength = 100;
const readTimeoutMs = 30_000;
const writeTimeoutMs = 300_000;

/** What of EXIF says how the picture is shown, and nothing of who made it. */
const keptTags = ["Orientation", "XResolution", "YResolution", "ResolutionUnit"];

const pool = new WarmPool({
  engine: "exiftool",
  // Reading tags takes milliseconds, so a few processes serve many jobs.
  size: Math.min(env.MEDIA_CONCURRENCY ?? availableParallelism(), 4),
  maxUses: 500,
  start: () => ExiftoolProcess.open(),
});

const answerSchema = z.tuple([z.record(z.string(), z.unknown())]);

/**
 * Reads every tag of `file`. A file that exiftool does not know has few tags or none. Throws
 * `JobError` (`too_complex`, `timed_out`, `engine_crashed`), and `EngineError` where it was stopped.
 */
export async function readTags(file: WorkFile, signal: AbortSignal): Promise<Tags> {
  const options = ["-j", "-G1", "-n", "-m", "-api", "LargeFileSupport=1"];
  const { stdout } = await pool
    .use(async (worker) => {
      const name = await worker.slot.takeIn(file);
      return worker.request([...options, name], { signal, timeoutMs: readTimeoutMs });
    })
    .catch(explainFailure);
  return parseTags(stdout);
}

/** Reads exiftool's `-j -G1` answer; hostile text, so sizes are capped and shapes are checked. */
export function parseTags(json: string): Tags {
  const tags = new Map<string, TagValue>();
  if (json.trim() === "") return tags;
  const [answer] = answerSchema.parse(JSON.parse(json));
  for (const [name, value] of Object.entries(answer)) {
    const [group = ""] = name.split(":");
    if (ownGroups.has(group) || name.endsWith("__proto__") || name.length > 200) continue;
    const read = readValue(value);
    if (read !== undefined) tags.set(name, read);
    if (tags.size >= maxTags) break;
  }
  return tags;
}

function readValue(value: unknown): TagValue | undefined {
  if (typeof value === "string") return value.slice(0, maxValueLength).toWellFormed();
  // JSON has no infinity, but a tag of 1e999 reads as one.
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value === "boolean") return value;
  if (!Array.isArray(value)) return undefined;
  const items = value.slice(0, maxListLength).map(readValue);
  return items.filter((item) => item !== undefined);
}

/**
 * Writes `file` without its metadata to `output`; image data, ICC profile, resolution of a JFIF and
 * orientation stay as they are. Throws `JobError("corrupt")` where the file is too damaged to be
 * rewritten, and what `readTags` throws.
 */
export async function removeTags(
  file: WorkFile,
  output: WorkFile,
  signal: AbortSignal,
): Promise<void> {
  // CommonIFD0: TIFF keeps author, camera and dates beside the tags that its pixels need.
  const removal = ["-m", "-all=", "--ICC_Profile:all", "--JFIF:all", "-CommonIFD0="];
  const kept = ["-tagsFromFile", "@", ...keptTags.map((name) => `-IFD0:${name}`)];
  await pool
    .use(async (worker) => {
      const name = await worker.slot.takeIn(file);
      const { status, stderr } = await worker.request(
        [...removal, ...kept, "-o", slotName(output), name],
        { signal, timeoutMs: writeTimeoutMs },
      );
      if (status !== 0) {
        const cause = new EngineError({ engine: "exiftool", exitCode: status, stderrTail: stderr });
        const sentence = "The file is damaged, so its metadata cannot be removed.";
        throw new JobError("corrupt", sentence, { cause });
      }
      await worker.slot.moveOut(slotName(output), output.path);
    }, isAnswer)
    .catch(explainFailure);
}

/** Starts the warm processes ahead of need. */
export function warmExiftool(): Promise<void> {
  return pool.warm();
}

export function closeExiftool(): Promise<void> {
  return pool.close();
}

/** Image data pass through in small pieces: only metadata can fill its memory. */
const outOfMemory = /out of memory/i;

function explainFailure(error: unknown): never {
  if (
    error instanceof EngineError &&
    (error.outputTooLarge || error.outOfMemory || outOfMemory.test(error.stderrTail))
  ) {
    throw limitError("metadataBytes", widestLimits.metadataBytes, error);
  }
  throw explainEngineFailure(error);
}

function isAnswer(error: unknown): boolean {
  return error instanceof JobError && error.code === "corrupt";
}
