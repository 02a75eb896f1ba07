import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readTags } from "#lib/engines/exiftool/exiftool.ts";
import { copyStreams } from "#lib/engines/ffmpeg/arguments.ts";
import { runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import { probe } from "#lib/engines/ffmpeg/ffprobe.ts";
import { prepareOfficeInput } from "#lib/engines/libreoffice/worker-functions.ts";
import { removePdfMetadata } from "#lib/engines/pdf/qpdf.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { callInWorker } from "#lib/engines/worker/call.ts";
import { readImageInfo } from "#lib/engines/worker/image/image-info.ts";
import type { FileLimits, LimitId } from "#lib/limits/limits.ts";
import type { MediaTypeId } from "#lib/media/types.ts";
import type { Operation } from "#lib/operations/define.ts";
import { docToPdf } from "#lib/operations/document/doc-to-pdf/index.ts";
import { htmlToPdf } from "#lib/operations/document/html-to-pdf/index.ts";
import { sharpen } from "#lib/operations/image/sharpen/index.ts";
import { makeBlackPng, pngChunk } from "../samples/images/image-bytes.ts";
import { makeTestFrames, makeTestImage } from "../samples/images/images.ts";
import { makePdf } from "../samples/metadata.ts";
import { makeRichPdf } from "../samples/pdf/rich-pdf.ts";
import { sampleVideo } from "../samples/videos.ts";
import { makeZip } from "../samples/zip.ts";
import { runOperation, temporaryWorkFolder } from "../support/operation.ts";
import { temporaryFolder } from "../support/processes.ts";

/**
 * For each limit of a job, there is a file within the limit and one beyond it, read by the real
 * engine.
 */

const never = new AbortController().signal;

type Engine = (file: WorkFile, work: WorkFolder) => Promise<unknown>;

/** Lets `engine` read a file of `bytes`. `changed` limits override the table's. */
async function read(
  engine: Engine,
  bytes: Buffer | string,
  extension: string,
  changed: Partial<FileLimits> = {},
): Promise<unknown> {
  const work = temporaryWorkFolder(changed);
  const file = work.input(extension);
  await writeFile(file.path, bytes);
  return engine(file, work);
}

const inspectImage: Engine = (file, work) => readImageInfo(file, work, never);
const stripPdf: Engine = (file, work) => removePdfMetadata(file, work.output("pdf"), work, never);
const prepare =
  (structure: "zip" | "text"): Engine =>
  (file, work) =>
    callInWorker(prepareOfficeInput, {
      files: [file],
      options: { structure },
      work,
      signal: never,
    });

async function animation(frames: number): Promise<Buffer> {
  const colors = Array.from({ length: frames }, (_, index) => `hsl(${index * 50}, 90%, 50%)`);
  return (await makeTestFrames(colors)).gif().toBuffer();
}

/** A TIFF of one gray pixel with extra channels, `channels` in total. Every tag is a SHORT (TIFF 6.0). */
function makeMultiChannelTiff(channels: number): Buffer {
  const layout = { 256: 1, 257: 1, 258: 8, 259: 1, 262: 1, 273: 8 };
  const tags = Object.entries({ ...layout, 277: channels, 278: 1, 279: channels, 338: 0 });
  const tiff = Buffer.alloc(32 + 2 + 12 * tags.length + 4);
  tiff.write("II*\0", "latin1");
  tiff.writeUInt32LE(32, 4);
  tiff.writeUInt16LE(tags.length, 32);
  for (const [index, [tag, value]] of tags.entries()) {
    const at = 34 + 12 * index;
    tiff.writeUInt16LE(Number(tag), at);
    tiff.writeUInt16LE(3, at + 2);
    tiff.writeUInt32LE(1, at + 4);
    tiff.writeUInt32LE(value, at + 8);
  }
  return tiff;
}

/** Probes a video of 320×180, 25 frames/s, 2 s, with one mono audio stream at 48 kHz. */
const probeVideo = async (changed: Partial<FileLimits>) =>
  read((file, work) => probe(file, work, never), await readFile(sampleVideo()), "mp4", changed);

const copyVideo = async (changed: Partial<FileLimits>) =>
  read(copyFile, await readFile(sampleVideo()), "mp4", changed);

const copyFile: Engine = (file, work) =>
  runFfmpeg({
    work,
    signal: never,
    inputs: [{ file }],
    outputs: [{ file: work.output("mp4"), args: copyStreams }],
  });

/** Runs an operation on a file of `content`, as a job does. */
async function run(
  operation: Operation,
  type: MediaTypeId,
  content: string | Buffer,
  changed: Partial<FileLimits> = {},
): Promise<unknown> {
  const folder = await temporaryFolder();
  const path = join(folder, `input.${type}`);
  await writeFile(path, content);
  return runOperation(operation, { path, type }, {}, {}, never, changed);
}

const page = "<p>a page</p><div style='height:1500px'>of some height</div>";
const loop = "<script>for (;;);</script>";
const words = (count: number) => "word ".repeat(count);

/** A PNG with a title of `length` characters. */
const titled = (length: number) => {
  const title = Buffer.concat([Buffer.from("Title\0"), Buffer.alloc(length, "x")]);
  return makeBlackPng({ width: 1, height: 1, chunks: [pngChunk("tEXt", title)] });
};

const archive = (...sizes: number[]) =>
  makeZip(sizes.map((claimedSize, index) => ({ name: `${index}.xml`, content: "x", claimedSize })));

export interface LimitCase {
  /** Reads a file within the limit. Resolves. */
  readonly within: () => Promise<unknown>;
  /** Reads a file beyond the limit. Rejects. */
  readonly beyond: () => Promise<unknown>;
  /** The limit in the error message, if it is not the table's. */
  readonly namedLimit?: number;
}

/** The cases of each limit. Limits that a test cannot reach are replaced by smaller ones. */
export const limitCases: Record<Exclude<LimitId, "textLength">, LimitCase> = {
  imagePixels: {
    within: () => read(inspectImage, makeBlackPng({ width: 10_000, height: 10_000 }), "png"),
    beyond: () => read(inspectImage, makeBlackPng({ width: 10_001, height: 10_000 }), "png"),
  },
  imageFrames: {
    within: async () => read(inspectImage, await animation(2), "gif", { imageFrames: 2 }),
    beyond: async () => read(inspectImage, await animation(3), "gif", { imageFrames: 2 }),
    namedLimit: 2,
  },
  imageChannels: {
    within: () => read(inspectImage, makeMultiChannelTiff(5), "tiff"),
    beyond: () => read(inspectImage, makeMultiChannelTiff(6), "tiff"),
  },
  svgBytes: {
    within: () => read(inspectImage, svg, "svg", { svgBytes: svg.length }),
    beyond: () => read(inspectImage, svg, "svg", { svgBytes: 50 }),
    namedLimit: 50,
  },
  framePixels: createCasesAround(probeVideo, "framePixels", 320 * 180),
  frameSide: createCasesAround(probeVideo, "frameSide", 320),
  frameRate: createCasesAround(probeVideo, "frameRate", 25),
  duration: {
    within: () => probeVideo({ duration: 3 }),
    beyond: () => probeVideo({ duration: 1 }),
    namedLimit: 1,
  },
  streams: createCasesAround(probeVideo, "streams", 2),
  audioChannels: createCasesAround(probeVideo, "audioChannels", 1),
  sampleRate: createCasesAround(probeVideo, "sampleRate", 48_000),
  mediaHeaderBytes: {
    within: () => probeVideo({}),
    beyond: () => probeVideo({ mediaHeaderBytes: 100 }),
    namedLimit: 100,
  },
  metadataBytes: {
    within: () => read((file) => readTags(file, never), titled(15e6), "png"),
    beyond: () => read((file) => readTags(file, never), titled(17e6), "png"),
  },
  pdfPages: {
    within: () => read(stripPdf, makePdf(), "pdf", { pdfPages: 1 }),
    beyond: () => read(stripPdf, makePdf(), "pdf", { pdfPages: 0 }),
    namedLimit: 0,
  },
  pdfStructureBytes: {
    within: () => read(stripPdf, makePdf(), "pdf", { pdfStructureBytes: 100_000 }),
    beyond: () => read(stripPdf, makePdf(), "pdf", { pdfStructureBytes: 1000 }),
    namedLimit: 1000,
  },
  officeEntries: {
    within: () => read(prepare("zip"), archive(...ones(50)), "docx", { officeEntries: 50 }),
    beyond: () => read(prepare("zip"), archive(...ones(51)), "docx", { officeEntries: 50 }),
    namedLimit: 50,
  },
  officeBytes: {
    within: () => read(prepare("zip"), archive(1000), "docx", { officeBytes: 1000 }),
    beyond: () => read(prepare("zip"), archive(1e9, 1), "docx"),
  },
  officeRatio: {
    within: () => read(prepare("zip"), archive(10e6), "docx"),
    beyond: () => read(prepare("zip"), archive(10e6, 1), "docx"),
  },
  officeTextBytes: {
    within: () => read(prepare("text"), "x".repeat(10), "txt", { officeTextBytes: 10 }),
    beyond: () => read(prepare("text"), "x".repeat(11), "txt", { officeTextBytes: 10 }),
    namedLimit: 10,
  },
  htmlBytes: {
    within: () => run(htmlToPdf, "html", page, { htmlBytes: page.length }),
    beyond: () => run(htmlToPdf, "html", page, { htmlBytes: page.length - 1 }),
    namedLimit: page.length - 1,
  },
  htmlHeight: {
    within: () => run(htmlToPdf, "html", page, { htmlHeight: 2000 }),
    beyond: () => run(htmlToPdf, "html", page, { htmlHeight: 1000 }),
    namedLimit: 1000,
  },
  htmlPdfBytes: {
    within: () => run(htmlToPdf, "html", page, { htmlPdfBytes: 100_000 }),
    beyond: () => run(htmlToPdf, "html", page, { htmlPdfBytes: 1000 }),
    namedLimit: 1000,
  },
  resultBytes: {
    within: () => copyVideo({ resultBytes: 10e6 }),
    beyond: () => copyVideo({ resultBytes: 10_000 }),
    namedLimit: 10_000,
  },
  pageSeconds: {
    within: () => run(htmlToPdf, "html", page),
    beyond: () => run(htmlToPdf, "html", loop, { pageSeconds: 1 }),
    namedLimit: 1,
  },
  officeSeconds: {
    within: () => run(docToPdf, "txt", words(10)),
    beyond: () => run(docToPdf, "txt", words(1_000_000), { officeSeconds: 0.5 }),
  },
  imageSeconds: {
    within: async () => run(sharpen, "png", await makeTestImage().png().toBuffer()),
    beyond: () =>
      run(sharpen, "png", makeBlackPng({ width: 10_000, height: 10_000 }), { imageSeconds: 0.2 }),
  },
  pdfSeconds: {
    within: () => read(stripPdf, makePdf(), "pdf"),
    // A warm qpdf rewrites a small PDF within a millisecond or two.
    beyond: () => read(stripPdf, makeRichPdf({ pages: 3000 }), "pdf", { pdfSeconds: 0.02 }),
  },
};

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9"/></svg>';

const ones = (count: number) => Array.from({ length: count }, () => 1);

/** The measured value is within a limit of the same value, and beyond a limit of one less. */
function createCasesAround(
  measure: (changed: Partial<FileLimits>) => Promise<unknown>,
  id: LimitId,
  measured: number,
): LimitCase {
  return {
    within: () => measure({ [id]: measured }),
    beyond: () => measure({ [id]: measured - 1 }),
    namedLimit: measured - 1,
  };
}
