import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readTags } from "#lib/engines/exiftool/exiftool.ts";
import { mediaPath, runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import { probe } from "#lib/engines/ffmpeg/ffprobe.ts";
import { removePdfMetadata } from "#lib/engines/pdf/qpdf.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { prepareOfficeFile } from "#lib/engines/worker/containers.ts";
import { readImageInfo } from "#lib/engines/worker/image-info.ts";
import type { FileLimits, LimitId } from "#lib/limits/limits.ts";
import type { MediaTypeId } from "#lib/media/types.ts";
import type { Operation } from "#lib/operations/define.ts";
import { docToPdf } from "#lib/operations/document/doc-to-pdf/index.ts";
import { htmlToPdf } from "#lib/operations/document/html-to-pdf/index.ts";
import { sharpen } from "#lib/operations/image/sharpen/index.ts";
import { blackPng, pngChunk } from "../samples/image-bytes.ts";
import { paintFrames, paintScene } from "../samples/images.ts";
import { makePdf } from "../samples/metadata.ts";
import { film } from "../samples/videos.ts";
import { makeZip } from "../samples/zip.ts";
import { runOperation, temporaryWorkFolder } from "../support/operation.ts";
import { temporaryFolder } from "../support/processes.ts";

/** Of each cap of a job, a file that keeps to it and one that does not, read by the real engine. */

const never = new AbortController().signal;

type Engine = (file: WorkFile, work: WorkFolder) => Promise<unknown>;

/** Has `engine` read a file of `bytes`; `changed` caps are in the place of the table's. */
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
  (packing: "zip" | "text"): Engine =>
  (file, work) =>
    prepareOfficeFile(file, packing, work, never);

async function animation(frames: number): Promise<Buffer> {
  const colors = Array.from({ length: frames }, (_, index) => `hsl(${index * 50}, 90%, 50%)`);
  return (await paintFrames(colors)).gif().toBuffer();
}

/** A TIFF of one grey pixel with channels beside it, `channels` in all; every tag is a SHORT (TIFF 6.0). */
function manyChannels(channels: number): Buffer {
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

/** 320×180, 25 frames/s, 2 s, one picture and one sound of one channel at 48 kHz. */
const probeFilm = async (changed: Partial<FileLimits>) =>
  read((file, work) => probe(file, work, never), await readFile(film()), "mp4", changed);

const copyFilm = async (changed: Partial<FileLimits>) =>
  read(copyStreams, await readFile(film()), "mp4", changed);

const copyStreams: Engine = (file, work) =>
  runFfmpeg({
    work,
    signal: never,
    build: (command) =>
      command
        .input(mediaPath(file))
        .outputOptions(["-c", "copy"])
        .output(mediaPath(work.output("mp4"))),
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

/** A PNG with a title of so many characters. */
const titled = (length: number) => {
  const title = Buffer.concat([Buffer.from("Title\0"), Buffer.alloc(length, "x")]);
  return blackPng({ width: 1, height: 1, chunks: [pngChunk("tEXt", title)] });
};

const archive = (...sizes: number[]) =>
  makeZip(sizes.map((claimedSize, index) => ({ name: `${index}.xml`, content: "x", claimedSize })));

export interface CapCase {
  /** What is below the cap, or at it, and passes. */
  readonly within: () => Promise<unknown>;
  /** What is above it, and the cap that its sentence names, where that is not the table's. */
  readonly beyond: () => Promise<unknown>;
  readonly named?: number;
}

/** Where a cap is too large to be reached in a test, a smaller one is put in its place. */
export const capCases: Record<Exclude<LimitId, "drawnText">, CapCase> = {
  imagePixels: {
    within: () => read(inspectImage, blackPng({ width: 10_000, height: 10_000 }), "png"),
    beyond: () => read(inspectImage, blackPng({ width: 10_001, height: 10_000 }), "png"),
  },
  imageFrames: {
    within: async () => read(inspectImage, await animation(2), "gif", { imageFrames: 2 }),
    beyond: async () => read(inspectImage, await animation(3), "gif", { imageFrames: 2 }),
    named: 2,
  },
  imageChannels: {
    within: () => read(inspectImage, manyChannels(5), "tiff"),
    beyond: () => read(inspectImage, manyChannels(6), "tiff"),
  },
  svgBytes: {
    within: () => read(inspectImage, svg, "svg", { svgBytes: svg.length }),
    beyond: () => read(inspectImage, svg, "svg", { svgBytes: 50 }),
    named: 50,
  },
  framePixels: around(probeFilm, "framePixels", 320 * 180),
  frameSide: around(probeFilm, "frameSide", 320),
  frameRate: around(probeFilm, "frameRate", 25),
  duration: {
    within: () => probeFilm({ duration: 3 }),
    beyond: () => probeFilm({ duration: 1 }),
    named: 1,
  },
  streams: around(probeFilm, "streams", 2),
  soundChannels: around(probeFilm, "soundChannels", 1),
  sampleRate: around(probeFilm, "sampleRate", 48_000),
  mediaHeaderBytes: {
    within: () => probeFilm({}),
    beyond: () => probeFilm({ mediaHeaderBytes: 100 }),
    named: 100,
  },
  metadataBytes: {
    within: () => read((file) => readTags(file, never), titled(15e6), "png"),
    beyond: () => read((file) => readTags(file, never), titled(17e6), "png"),
  },
  pdfPages: {
    within: () => read(stripPdf, makePdf(), "pdf", { pdfPages: 1 }),
    beyond: () => read(stripPdf, makePdf(), "pdf", { pdfPages: 0 }),
    named: 0,
  },
  pdfStructureBytes: {
    within: () => read(stripPdf, makePdf(), "pdf", { pdfStructureBytes: 100_000 }),
    beyond: () => read(stripPdf, makePdf(), "pdf", { pdfStructureBytes: 1000 }),
    named: 1000,
  },
  officeEntries: {
    within: () => read(prepare("zip"), archive(...ones(10_000)), "docx"),
    beyond: () => read(prepare("zip"), archive(...ones(10_001)), "docx"),
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
    named: 10,
  },
  htmlBytes: {
    within: () => run(htmlToPdf, "html", page, { htmlBytes: page.length }),
    beyond: () => run(htmlToPdf, "html", page, { htmlBytes: page.length - 1 }),
    named: page.length - 1,
  },
  htmlHeight: {
    within: () => run(htmlToPdf, "html", page, { htmlHeight: 2000 }),
    beyond: () => run(htmlToPdf, "html", page, { htmlHeight: 1000 }),
    named: 1000,
  },
  htmlPdfBytes: {
    within: () => run(htmlToPdf, "html", page, { htmlPdfBytes: 100_000 }),
    beyond: () => run(htmlToPdf, "html", page, { htmlPdfBytes: 1000 }),
    named: 1000,
  },
  resultBytes: {
    within: () => copyFilm({ resultBytes: 10e6 }),
    beyond: () => copyFilm({ resultBytes: 10_000 }),
    named: 10_000,
  },
  pageSeconds: {
    within: () => run(htmlToPdf, "html", page),
    beyond: () => run(htmlToPdf, "html", loop, { pageSeconds: 1 }),
    named: 1,
  },
  officeSeconds: {
    within: () => run(docToPdf, "txt", words(10)),
    beyond: () => run(docToPdf, "txt", words(1_000_000), { officeSeconds: 0.5 }),
  },
  imageSeconds: {
    within: async () => run(sharpen, "png", await paintScene().png().toBuffer()),
    beyond: () =>
      run(sharpen, "png", blackPng({ width: 10_000, height: 10_000 }), { imageSeconds: 0.2 }),
  },
  pdfSeconds: {
    within: () => read(stripPdf, makePdf(), "pdf"),
    beyond: () => read(stripPdf, makePdf(), "pdf", { pdfSeconds: 0.001 }),
  },
};

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9"/></svg>';

const ones = (count: number) => Array.from({ length: count }, () => 1);

/** At `measured` the cap lets what is measured pass; one less, and it does not. */
function around(
  measure: (changed: Partial<FileLimits>) => Promise<unknown>,
  id: LimitId,
  measured: number,
): CapCase {
  return {
    within: () => measure({ [id]: measured }),
    beyond: () => measure({ [id]: measured - 1 }),
    named: measured - 1,
  };
}
