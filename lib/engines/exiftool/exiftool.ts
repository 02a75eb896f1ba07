import { availableParallelism } from "node:os";
import { z } from "zod";
import { env } from "#lib/env.ts";
import { JobError } from "#lib/errors.ts";
import { limitError, widestLimits } from "#lib/limits/limits.ts";
import { EngineError } from "../sandbox/failures/errors.ts";
import { translateEngineError } from "../sandbox/failures/failures.ts";
import type { WorkFile } from "../sandbox/work-folder.ts";
import { WarmPool } from "../warm/pool.ts";
import { slotOutputName } from "../warm/slot-folder.ts";
import { ExiftoolProcess } from "./process.ts";

/**
 * Reads and removes tags with warm exiftool processes. Starting Perl takes 0.4 s, a request some
 * ms.
 */

export type TagValue = string | number | boolean | readonly TagValue[];

/** Tags by group and name, such as `IFD0:Make`; values are numbers if the format stores numbers. */
export type Tags = ReadonlyMap<string, TagValue>;

/** Groups about the copy of the file on disk or about exiftool, not about the content. */
const excludedGroups = new Set(["System", "ExifTool", "SourceFile"]);

/** The longest value in characters. Longer values are truncated; a title may have megabytes. */
const maxValueLength = 2000;
const maxTags = 5000;
const maxListLength = 100;
const readTimeoutMs = 30_000;
const writeTimeoutMs = 300_000;

/** EXIF tags that define how the image is displayed; they contain no personal data. */
const displayTags = ["Orientation", "XResolution", "YResolution", "ResolutionUnit"];

const pool = new WarmPool({
  engine: "exiftool",
  // Reading tags takes milliseconds, so a few processes are enough for many jobs.
  size: Math.min(env.MEDIA_CONCURRENCY ?? availableParallelism(), 4),
  maxUses: 500,
  start: () => ExiftoolProcess.start(),
});

const outputSchema = z.tuple([z.record(z.string(), z.unknown())]);

/**
 * Reads all tags of `file`. A file of an unknown type has few tags or none. Throws `JobError`
 * (`too_complex`, `timed_out`, `engine_crashed`), and `EngineError` if it was aborted.
 */
export async function readTags(file: WorkFile, signal: AbortSignal): Promise<Tags> {
  return parseTags(await read(file, ["-G1", "-n"], signal));
}

/** Reads the tags as exiftool shows them to people: by name without a group, dates and flags as text. */
export async function readShownTags(file: WorkFile, signal: AbortSignal): Promise<Tags> {
  const shown = ["--System:all", "--ExifTool:all"];
  const tags = new Map(parseTags(await read(file, shown, signal)));
  tags.delete("SourceFile");
  return tags;
}

async function read(file: WorkFile, options: string[], signal: AbortSignal): Promise<string> {
  const common = ["-j", "-m", "-api", "LargeFileSupport=1"];
  const { stdout } = await pool
    .run(async (process) => {
      const name = await process.slot.linkIn(file);
      return process.request([...common, ...options, name], { signal, timeoutMs: readTimeoutMs });
    })
    .catch(translateExiftoolError);
  return stdout;
}

/**
 * Writes `file` with other values of tags to `output`. Names and values must have no control characters. Throws
 * `JobError("empty")` if none of the tags can be written, and what `readTags` throws.
 */
export async function writeTags(
  file: WorkFile,
  output: WorkFile,
  tags: readonly (readonly [name: string, value: string])[],
  signal: AbortSignal,
): Promise<void> {
  const args = tags.map(([name, value]) => `-${name}=${value}`);
  if (args.some((arg) => /[\r\n\0]/.test(arg))) throw new Error("a tag has a line break");
  await pool
    .run(async (process) => {
      const name = await process.slot.linkIn(file);
      const written = slotOutputName(output);
      const { status, stderr } = await process.request(["-m", ...args, "-o", written, name], {
        signal,
        timeoutMs: writeTimeoutMs,
      });
      if (status !== 0) {
        const cause = new EngineError({ engine: "exiftool", exitCode: status, stderrTail: stderr });
        throw new JobError("empty", "None of the tags could be written.", { cause });
      }
      await process.slot.moveOut(written, output.path);
    }, keepsProcessHealthy)
    .catch(translateExiftoolError);
}

/**
 * Parses the output of exiftool `-j -G1`. It is untrusted: sizes are limited and types are checked.
 */
export function parseTags(json: string): Tags {
  const tags = new Map<string, TagValue>();
  if (json.trim() === "") return tags;
  const [values] = outputSchema.parse(JSON.parse(json));
  for (const [name, value] of Object.entries(values)) {
    const [group = ""] = name.split(":");
    if (excludedGroups.has(group) || name.endsWith("__proto__") || name.length > 200) continue;
    const parsed = parseValue(value);
    if (parsed !== undefined) tags.set(name, parsed);
    if (tags.size >= maxTags) break;
  }
  return tags;
}

function parseValue(value: unknown): TagValue | undefined {
  if (typeof value === "string") return value.slice(0, maxValueLength).toWellFormed();
  // JSON has no infinity, but `JSON.parse` reads 1e999 as one.
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value === "boolean") return value;
  if (!Array.isArray(value)) return undefined;
  const items = value.slice(0, maxListLength).map(parseValue);
  return items.filter((item) => item !== undefined);
}

/**
 * Writes `file` without its metadata to `output`. Image data, ICC profile, JFIF resolution and
 * orientation remain unchanged. Throws `JobError("corrupt")` if the file is too damaged to be
 * rewritten, and what `readTags` throws.
 */
export async function removeTags(
  file: WorkFile,
  output: WorkFile,
  signal: AbortSignal,
): Promise<void> {
  // CommonIFD0: in a TIFF, author, camera and dates are in the same IFD as the tags of its pixels.
  const removal = ["-m", "-all=", "--ICC_Profile:all", "--JFIF:all", "-CommonIFD0="];
  const kept = ["-tagsFromFile", "@", ...displayTags.map((name) => `-IFD0:${name}`)];
  await pool
    .run(async (process) => {
      const name = await process.slot.linkIn(file);
      const { status, stderr } = await process.request(
        [...removal, ...kept, "-o", slotOutputName(output), name],
        { signal, timeoutMs: writeTimeoutMs },
      );
      if (status !== 0) {
        const cause = new EngineError({ engine: "exiftool", exitCode: status, stderrTail: stderr });
        const message = "The file is damaged, so its metadata cannot be removed.";
        throw new JobError("corrupt", message, { cause });
      }
      await process.slot.moveOut(slotOutputName(output), output.path);
    }, keepsProcessHealthy)
    .catch(translateExiftoolError);
}

/**
 * Copies EXIF, XMP and IPTC data of `source` to the image `target`, whose orientation becomes 1. What
 * describes the pixels, and damaged tags, are left out. Throws what `readTags` throws.
 */
export async function copyTags(
  source: WorkFile,
  target: WorkFile,
  signal: AbortSignal,
): Promise<void> {
  const copied = ["-exif:all", "-xmp:all", "-iptc:all", "--orientation", "--thumbnailimage"];
  await pool
    .run(async (process) => {
      const from = await process.slot.linkIn(source);
      const to = await process.slot.linkIn(target);
      const written = slotOutputName(target);
      const tags = ["-m", "-q", "-tagsFromFile", from, ...copied, "-o", written];
      const options = { signal, timeoutMs: writeTimeoutMs };
      // A failure leaves the file as it is: metadata alone must not make a conversion fail.
      const { status } = await process.request([...tags, to], options);
      if (status === 0) await process.slot.moveOut(written, target.path);
    })
    .catch(translateExiftoolError);
}

/** Starts the warm processes before they are needed. */
export function warmUpExiftool(): Promise<void> {
  return pool.warmUp();
}

export function closeExiftool(): Promise<void> {
  return pool.close();
}

/** Image data is streamed, so only metadata can use up the memory of the process. */
const outOfMemory = /out of memory/i;

function translateExiftoolError(error: unknown): never {
  if (
    error instanceof EngineError &&
    (error.outputTooLarge || error.outOfMemory || outOfMemory.test(error.stderrTail))
  ) {
    throw limitError("metadataBytes", widestLimits.metadataBytes, error);
  }
  throw translateEngineError(error);
}

function keepsProcessHealthy(error: unknown): boolean {
  return error instanceof JobError && error.code === "corrupt";
}
