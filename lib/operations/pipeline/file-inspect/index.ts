import { createHash } from "node:crypto";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { streamRegular } from "#lib/files/regular-files.ts";
import { type MediaType, mediaTypesOf } from "#lib/media/types.ts";
import { defineOperation, type InputFile } from "../../define.ts";
import { writeResult } from "../../write-result.ts";
import { inspectArchive } from "./archive.ts";
import { inspectImage } from "./image.ts";
import { inspectMedia } from "./media.ts";
import { inspectOffice } from "./office.ts";
import { inspectPdf } from "./pdf.ts";
import type { Inspection, Properties } from "./report.ts";
import { type Inspected, inspectionResult } from "./result.ts";
import { inspectText } from "./text.ts";

/**
 * Reports the type and properties of a file. The job also completes for a damaged or encrypted file:
 * then `readable` is false, and `problem` is one of the values of `error_code`.
 */
export const fileInspect = defineOperation({
  id: "pipeline/file-inspect",
  title: "Inspect file",
  summary: "Report the type, size, hash and properties of a file.",
  accepts: mediaTypesOf("image", "video", "audio", "document", "other"),
  params: z.strictObject({}),
  example: {},
  sample: { input: "video.mp4" },
  produces: () => "json",
  partial: true,
  keepsInput: true,
  result: inspectionResult,
  runsIn: "runner",
  requires: ["ffprobe", "image", "exiftool", "poppler", "qpdf"],
  async run({ input, work, signal }) {
    const inspect = inspectorOf(input.type);
    const [sha256, properties] = await Promise.all([
      findHash(input, signal),
      inspect({ input, work, signal }),
    ]);
    const { id: type, mime, extension } = input.type;
    const result = {
      type,
      mime,
      extension,
      bytes: input.bytes,
      sha256,
      readable: true,
      ...properties,
    };
    // `properties` are fields of the schema; the tests parse every result with it.
    return writeResult(result as Inspected, work);
  },
});

const textTypes = ["html", "txt", "csv", "json", "md", "eml", "srt", "vtt", "ass"];

function inspectorOf({ id, kind }: MediaType): (inspection: Inspection) => Promise<Properties> {
  if (kind === "image") return inspectImage;
  if (kind === "video" || kind === "audio") return inspectMedia;
  if (id === "pdf") return inspectPdf;
  if (id === "zip" || id === "epub") return inspectArchive;
  if (textTypes.includes(id)) return inspectText;
  if (kind === "document" && id !== "msg") return inspectOffice;
  return async () => ({});
}

/** The hash of the file; null for a file at a URL that is read in part. */
function findHash(input: InputFile, signal: AbortSignal): Promise<string> | string | null {
  const { sha256, partial, url, path } = input;
  if (sha256 !== undefined) return sha256;
  if (partial && url !== undefined) return null;
  partial?.requireWhole("its hash is not known");
  return hashFile(path, signal);
}

async function hashFile(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(streamRegular(path), hash, { signal });
  return hash.digest("hex");
}
