import { z } from "zod";
import { stemOf } from "#lib/engines/worker/output-name.ts";
import { statRegular } from "#lib/files/regular-files.ts";
import { mediaTypesOf } from "#lib/media/types.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { countResult } from "../../result-fields.ts";
import { isCompressedType, uniqueNames } from "./entries.ts";
import { writeSevenZip, writeTarGz, writeZip } from "./write-archive.ts";

const formats = {
  zip: { type: "zip", extension: "zip", fileExtension: "zip", write: writeZip },
  "tar.gz": { type: "tgz", extension: "tgz", fileExtension: "tar.gz", write: writeTarGz },
  "7z": { type: "7z", extension: "7z", fileExtension: "7z", write: writeSevenZip },
} as const;

export const archive = defineOperation({
  id: "pipeline/archive",
  title: "Create archive",
  summary: "Pack files of any type into a ZIP, TAR.GZ or 7z archive.",
  accepts: mediaTypesOf("image", "video", "audio", "document", "other"),
  inputs: { min: 1, max: 100 },
  params: z.strictObject({
    format: z
      .enum(["zip", "tar.gz", "7z"])
      .default("zip")
      .describe(
        "zip opens everywhere, 7z is the smallest. In both, files that are compressed already, such as photos and videos, are stored as they are.",
      ),
    name: z
      .string()
      .min(1)
      .max(100)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are rejected
      .regex(/^[^/\\:*?"<>|\u0000-\u001f\u007f]*[^/\\:*?"<>|\u0000-\u001f\u007f .]$/, {
        error: "must be a file name without folders",
      })
      .optional()
      .meta({
        description:
          "Name of the archive, without its extension. The default is the name of the file if there is one, else archive.",
        control: "text",
      }),
  }),
  example: { format: "zip", name: "files" },
  sample: { inputs: ["report.docx", "photo.jpg", "speech.mp3"], params: { name: "press-kit" } },
  produces: (_, { format }) => formats[format].type,
  keepsInput: true,
  result: z.strictObject({
    files: countResult("Number of files."),
    bytes: countResult("Bytes of all files."),
    archive_bytes: countResult("Bytes of the archive."),
    ratio: z.number().describe("Size of the archive, as a share of that of the files."),
    entries: z
      .array(z.strictObject({ name: z.string(), bytes: z.number().int() }))
      .describe("The files, in order."),
  }),
  runsIn: "runner",
  requires: ["7-zip"],
  async run({ input, inputs, params, work, signal, progress }) {
    const { extension, fileExtension, write } = formats[params.format];
    const names = uniqueNames(inputs.map(({ filename }) => filename));
    const entries = inputs.map((file, index) => {
      const { bytes, type } = file;
      return { file, bytes, name: names[index] ?? "file", isCompressed: isCompressedType(type) };
    });
    const total = entries.reduce((sum, { bytes }) => sum + bytes, 0);
    const output = work.output(extension);
    let done = 0;
    const onBytes = (bytes: number) => {
      done += bytes;
      progress(Math.min(99, (100 * done) / Math.max(1, total)));
    };
    await write({ entries, output, modified: new Date(), work, signal, onBytes });
    const { size } = await statRegular(output.path);
    const stem = params.name ?? (inputs.length === 1 ? stemOf(input.filename) : "archive");
    const ratio = Math.round((size / Math.max(1, total)) * 1e4) / 1e4;
    return {
      outputs: [{ ...output, filename: `${stem}.${fileExtension}` }],
      result: {
        files: entries.length,
        bytes: total,
        archive_bytes: size,
        ratio,
        entries: entries.map(({ name, bytes }) => ({ name, bytes })),
      },
    };
  },
});
