import { link } from "node:fs/promises";
import { JobError } from "#lib/errors.ts";
import { statRegular, writeNew } from "#lib/files/regular-files.ts";
import { extensionOf } from "#lib/formats/sniff/text.ts";
import { EngineError, type EngineName } from "../sandbox/failures/errors.ts";
import { translateEngineError } from "../sandbox/failures/failures.ts";
import { type EngineOutput, runEngine } from "../sandbox/run-engine.ts";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import type { RawMode } from "./types.ts";
import { decodeWithVips } from "./vips.ts";

/** Camera RAW files: the JPEG that the camera has embedded, or the sensor data developed by LibRaw. */

/** Tags that may hold a JPEG of the photograph, best first. */
const previewTags = ["JpgFromRaw", "PreviewImage", "OtherImage"];

/** An embedded JPEG below this size is a thumbnail. */
const minPreviewBytes = 30_000;

const maxPreviewBytes = 64 * 2 ** 20;

/**
 * Writes the photograph in a RAW file as a JPEG, with the file's EXIF tags. Without an embedded JPEG,
 * the sensor data is developed. Throws `JobError`: `corrupt`, `too_complex`, `timed_out`.
 */
export async function readRawPhoto(
  input: WorkFile & { readonly filename: string },
  mode: RawMode,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<WorkFile> {
  // exiftool knows where the picture is by the extension. An input, because the storage may share it.
  const file = work.input(rawExtensionOf(input.filename));
  await link(input.path, file.path);
  const photo =
    (mode === "preview" ? await extractPreview(file, work, signal) : undefined) ??
    (await develop(file, work, signal));
  // LibRaw has rotated the pixels already; the camera's JPEG is as the sensor saw it.
  const orientation = mode === "preview" ? ["-Orientation"] : ["--Orientation"];
  await runRawEngine(
    "exiftool",
    "exiftool",
    [
      "-q",
      "-m",
      "-overwrite_original",
      "-TagsFromFile",
      file.name,
      "-EXIF:all",
      "-XMP:all",
      ...orientation,
      "--ThumbnailImage",
      "--PreviewImage",
      "--ColorSpace",
      photo.name,
    ],
    { work, signal, successCodes: [0, 1] },
  );
  return photo;
}

const rawExtensions = ["cr2", "cr3", "nef", "arw", "dng", "raf", "orf", "rw2"];

/** The extension of a RAW file if exiftool knows it. */
function rawExtensionOf(filename: string): string {
  const extension = extensionOf(filename);
  return rawExtensions.includes(extension) ? extension : "dng";
}

/** The largest embedded JPEG; undefined if there is none of a useful size. */
async function extractPreview(
  file: WorkFile,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<WorkFile | undefined> {
  for (const tag of previewTags) {
    const args = ["-b", "-m", `-${tag}`, file.name];
    const run = { work, signal, successCodes: [0, 1], readsOnly: true };
    const { stdout } = await runRawEngine("exiftool", "exiftool", args, run);
    const isJpeg = stdout[0] === 0xff && stdout[1] === 0xd8;
    if (!isJpeg || stdout.length < minPreviewBytes) continue;
    const preview = work.scratch("jpg");
    await writeNew(preview.path, stdout);
    return preview;
  }
  return undefined;
}

/** Develops the sensor data to sRGB with the camera's white balance. */
async function develop(file: WorkFile, work: WorkFolder, signal: AbortSignal): Promise<WorkFile> {
  const tiff = work.scratch("tiff");
  const args = ["-w", "-o", "1", "-q", "3", "-T", "-Z", tiff.name, file.name];
  await runRawEngine("libraw", "dcraw_emu", args, { work, signal });
  if (!(await statRegular(tiff.path).catch(() => undefined))) throw damaged();
  return decodeWithVips({ file: tiff, loader: "tiffload", to: "jpg" }, work, signal);
}

interface RawRun {
  readonly work: WorkFolder;
  readonly signal: AbortSignal;
  readonly successCodes?: readonly number[];
  /** The result is what it writes to stdout. */
  readonly readsOnly?: boolean;
}

async function runRawEngine(
  engine: EngineName,
  command: string,
  args: readonly string[],
  { work, signal, successCodes = [0], readsOnly = false }: RawRun,
): Promise<EngineOutput> {
  try {
    return await runEngine({
      engine,
      command,
      args,
      signal,
      successCodes,
      ...(readsOnly ? work.readOnlyView : work.view),
      limits: {
        timeoutMs: work.limits.imageSeconds * 1000,
        memoryBytes: 3 * 2 ** 30,
        limitsAddressSpace: true,
        fileBytes: work.limits.resultBytes,
        outputBytes: maxPreviewBytes,
      },
    });
  } catch (error) {
    if (!(error instanceof EngineError) || error.aborted) throw error;
    const isOurs = error.timedOut || error.signal || error.outOfMemory;
    throw isOurs ? translateEngineError(error) : damaged(error);
  }
}

function damaged(cause?: unknown): JobError {
  return new JobError("corrupt", "The RAW file is damaged or of an unsupported camera.", { cause });
}
