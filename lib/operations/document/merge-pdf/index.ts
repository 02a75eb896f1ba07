import { z } from "zod";
import { defineOperation } from "../../define.ts";
import { images, officeDocuments } from "../../fields/index.ts";
import { readEach } from "../../shared/inputs/name-input.ts";
import { mergeFiles } from "../../shared/pdf/pages/worker-functions.ts";
import { rewritePdf } from "../../shared/pdf/rewrite.ts";
import { fileToPdf } from "../../shared/to-pdf/file-to-pdf.ts";

/** The share of the progress that converting the files takes. */
const conversionShare = 0.8;

export const mergePdf = defineOperation({
  id: "document/merge-pdf",
  title: "Merge PDF",
  summary: "Join PDF files, office documents, images and HTML pages to one PDF.",
  accepts: ["pdf", ...officeDocuments, ...images, "html"],
  inputs: { min: 2, max: 100 },
  params: z.strictObject({
    bookmarks: z
      .enum(["files", "titles", "keep", "none"])
      .default("files")
      .describe(
        "The bookmarks of the result: files (one for each file, with its name, above its own), titles (the same with the title of a file that has one), keep (only those of the files) or none.",
      ),
  }),
  example: {},
  sample: { inputs: ["contract.pdf", "report.docx", "scan.jpg"] },
  produces: () => "pdf",
  // Images are converted here, so that drawings get the size of a page.
  keepsInput: true,
  runsIn: "runner",
  requires: ["qpdf", "libreoffice", "chromium", "image"],
  async run({ inputs, params, work, signal, progress }) {
    const files = await readEach(inputs, async (input, index) => {
      const file = await fileToPdf(input, work, signal);
      progress(((index + 1) / inputs.length) * 100 * conversionShare);
      return { ...file, filename: input.filename };
    });
    const options = {
      bookmarks: params.bookmarks,
      titles: inputs.map(({ filename }) => toTitle(filename)),
    };
    const { outputs, warnings } = await rewritePdf(mergeFiles, {
      inputs: files,
      options,
      encryptedOptions: { ...options, isEncrypted: true },
      work,
      signal,
      onProgress: (percent) => progress(100 * conversionShare + percent * (1 - conversionShare)),
    });
    return { outputs, warnings };
  },
});

/** The file name without its extension. */
function toTitle(filename: string): string {
  return filename.replace(/(?!^)\.[a-z0-9]{1,8}$/i, "").slice(0, 300);
}
