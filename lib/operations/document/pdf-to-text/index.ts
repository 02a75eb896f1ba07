import { z } from "zod";
import { extractText } from "#lib/engines/pdf/extract-text.ts";
import { readPageInfo } from "#lib/engines/pdf/qpdf.ts";
import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import { appendToRegular } from "#lib/files/regular-files.ts";
import { defineOperation } from "../../define.ts";
import { countSelected, selectedPages, selectPages } from "../../fields/index.ts";
import { countResult } from "../../result-fields.ts";
import { normalizePdf } from "../../shared/pdf/normalize-pdf.ts";

export const pdfToText = defineOperation({
  id: "document/pdf-to-text",
  title: "PDF to text",
  summary: "Extract the text of a PDF in reading order, or as it is laid out on the page.",
  accepts: ["pdf"],
  params: z.strictObject({
    pages: selectedPages("Pages whose text is extracted"),
    layout: z
      .boolean()
      .default(false)
      .describe(
        "Keep the layout: words stay in their columns, by spaces. By default, one column follows the other.",
      ),
  }),
  example: { pages: "1-3", layout: true },
  sample: { input: "contract.pdf", params: { layout: true } },
  produces: () => "txt",
  result: z.strictObject({
    pages: countResult("Number of pages that were read."),
    characters: countResult("Number of characters of the text."),
  }),
  runsIn: "runner",
  requires: ["poppler", "qpdf"],
  async run({ input, params, work, signal, progress }) {
    const extract = async (file: WorkFile) => {
      const info = await readPageInfo(file, work, signal);
      const spans = selectPages(params.pages, info.pages);
      const output = work.output("txt");
      const { layout } = params;
      const request = { file, spans, layout, output, onProgress: progress };
      const { pages: read, characters } = await extractText(request, work, signal);
      const pages = countSelected(spans);
      return { output, pages, characters, missing: Math.max(0, pages - read) };
    };
    let text = await extract(input);
    // Poppler leaves out the pages next to gaps of the page tree, which qpdf removes.
    if (text.missing > 0) {
      text = await extract(await normalizePdf(input, work, signal, { flatPages: true }));
    }
    const { output, pages, characters, missing } = text;
    // No output file is empty.
    if (characters === 0) await appendToRegular(output.path, "\n");
    const warnings = characters === 0 ? [noText] : [];
    if (missing > 0) warnings.push(`Pages that are damaged were left out: ${missing}.`);
    return { outputs: [{ ...output, pages }], result: { pages, characters }, warnings };
  },
});

const noText =
  "The pages have no text. If they are scanned, document/ocr can recognize their text.";
