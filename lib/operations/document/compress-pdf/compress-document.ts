import { deflateSync, inflateSync } from "node:zlib";
import { PDFDict, PDFName, PDFRawStream } from "@cantoo/pdf-lib";
import { z } from "zod";
import type { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import type { WorkerCall } from "#lib/engines/worker/worker-function.ts";
import { JobError } from "#lib/errors.ts";
import { readRegular, writeNew } from "#lib/files/regular-files.ts";
import { isImage } from "#lib/formats/pdf/images/find-images.ts";
import { isPlainError } from "#lib/media/damaged-data.ts";
import {
  isPdfDamage,
  openDocument,
  translateStructureErrors,
} from "../../shared/pdf/open-document.ts";
import { encodeImage } from "./encode-image.ts";
import { filtersOf, readImageSource } from "./image-pixels.ts";
import { mergeDuplicates } from "./merge-duplicates.ts";

export interface CompressOptions {
  /** The resolution in pixels per inch above which images get fewer pixels. */
  readonly ppi: number;
  /** The quality of JPEG from 1 to 100. */
  readonly quality: number;
}

/** The pixels per inch of images by their object numbers, where they are largest on a page. */
export const resolutionsSchema = z.record(z.string(), z.number());

/** An image that is hardly above the wanted resolution would only blur. */
const tolerance = 1.15;

/** Smaller streams are not worth the time. */
const leastImageBytes = 2048;
const leastStreamBytes = 256;

/** Larger streams are attacks, or data that an application knows to compress. */
const maxInflatedBytes = 2 ** 28;

/**
 * Worker function: writes the PDF with smaller images, better compressed streams, and equal objects once.
 * The files are the PDF and its images' resolutions as JSON.
 */
export const compressDocument = async (call: WorkerCall<CompressOptions>) => {
  const { files, options, work, progress } = call;
  const [file, list] = files;
  if (!file || !list) throw new Error("a PDF and a list are needed");
  const resolutions = resolutionsSchema.parse(JSON.parse(await readRegular(list.path, "utf8")));
  const document = await openDocument(file);
  return translateStructureErrors(async () => {
    const { context } = document;
    const objects = context.enumerateIndirectObjects();
    let images = 0;
    for (const [index, [ref, object]] of objects.entries()) {
      if (!(object instanceof PDFRawStream)) {
        if (object instanceof PDFDict) dropPrivateData(object);
        continue;
      }
      const ppi = resolutions[`${ref.objectNumber}`] ?? 0;
      const scale = ppi > options.ppi * tolerance ? options.ppi / ppi : 1;
      const { quality } = options;
      const smaller = isImage(object.dict)
        ? await recompressImage(object, { quality, scale }, work)
        : deflateBetter(object);
      if (smaller && isImage(object.dict)) images++;
      if (smaller) context.assign(ref, smaller);
      if (index % 50 === 0) progress((100 * index) / objects.length);
    }
    mergeDuplicates(context);
    const output = work.scratch("pdf");
    const save = { useObjectStreams: false, addDefaultPage: false, updateFieldAppearances: false };
    await writeNew(output.path, await document.save(save));
    return { outputs: [output], result: { images } };
  });
};

async function recompressImage(
  stream: PDFRawStream,
  options: { readonly quality: number; readonly scale: number },
  work: WorkFolder,
): Promise<PDFRawStream | undefined> {
  if (stream.contents.length < leastImageBytes) return undefined;
  try {
    const source = readImageSource(stream, work.limits.imagePixels);
    return source && (await encodeImage(stream, source, options, work));
  } catch (error) {
    if (!(error instanceof JobError) && !isPlainError(error) && !isPdfDamage(error)) throw error;
    // The data is damaged, so it stays as it is; viewers may show a part of it.
    return undefined;
  }
}

/** Thumbnails of pages and data of editors are of no use to readers. */
function dropPrivateData(dict: PDFDict): void {
  dict.delete(PDFName.of("PieceInfo"));
  if (dict.get(PDFName.of("Type")) === PDFName.of("Page")) dict.delete(PDFName.of("Thumb"));
}

function deflateBetter(stream: PDFRawStream): PDFRawStream | undefined {
  const { dict, contents } = stream;
  const isDeflated = filtersOf(stream).join() === "FlateDecode";
  if (!isDeflated || contents.length < leastStreamBytes || dict.has(PDFName.of("DecodeParms"))) {
    return undefined;
  }
  try {
    const deflated = deflateSync(inflateSync(contents, { maxOutputLength: maxInflatedBytes }), {
      level: 9,
    });
    return deflated.length < contents.length ? PDFRawStream.of(dict, deflated) : undefined;
  } catch {
    // Readers may still read a part of damaged data.
    return undefined;
  }
}
