import { rename } from "node:fs/promises";
import { z } from "zod";
import { callInWorker } from "#lib/engines/worker/call.ts";
import { mediaTypesOf } from "#lib/media/types.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { audioInputs, images } from "#lib/operations/fields/index.ts";
import { convertsToPdf } from "../../shared/to-pdf/file-to-pdf.ts";
import { pictureOf, textTypes } from "./picture-of.ts";
import { writeThumbnail } from "./worker-functions.ts";

/** A longer picture is made narrower. */
const maxHeightRatio = 4;

export const fileThumbnail = defineOperation({
  id: "pipeline/thumbnail",
  title: "Thumbnail of any file",
  summary:
    "Make a small JPEG of a file: an image, a frame of a video, a page of a document, a cover or waveform of audio.",
  accepts: [
    ...images,
    ...audioInputs,
    ...mediaTypesOf("document").filter(convertsToPdf),
    ...textTypes,
  ],
  params: z.strictObject({
    width: z.number().int().min(16).max(2048).default(400).meta({
      description:
        "Width of the thumbnail. Its height follows, up to four times the width. A smaller image is not enlarged.",
      unit: "px",
    }),
  }),
  example: { width: 320 },
  sample: { input: "report.docx" },
  produces: () => "jpeg",
  drawingSize: ({ width }) => ({ width }),
  result: z.strictObject({
    source: z
      .enum(["image", "page", "frame", "cover", "waveform"])
      .describe("What the picture shows."),
  }),
  runsIn: "runner",
  requires: ["image", "ffmpeg", "ffprobe", "poppler", "libreoffice", "chromium"],
  async run({ input, params, work, signal, progress }) {
    const { width } = params;
    const { file, source } = await pictureOf({ input, width, work, signal });
    progress(80);
    const { outputs } = await callInWorker(writeThumbnail, {
      files: [file],
      options: { width, maxHeight: width * maxHeightRatio },
      work,
      signal,
    });
    const [drawn] = outputs;
    if (!drawn) throw new Error("a worker returned no thumbnail");
    const output = work.output("jpg");
    await rename(drawn.path, output.path);
    return { outputs: [{ ...drawn, ...output }], result: { source } };
  },
});
