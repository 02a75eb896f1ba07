import { z } from "zod";
import { extractText } from "#lib/engines/pdf/extract-text.ts";
import { readPageInfo } from "#lib/engines/pdf/qpdf.ts";
import { type QpdfArgument, runQpdf } from "#lib/engines/pdf/run-qpdf.ts";
import { parseLanguages } from "#lib/engines/tesseract/languages.ts";
import { JobError } from "#lib/errors.ts";
import { readReport } from "#lib/files/regular-files.ts";
import { defineOperation } from "../../define.ts";
import { images } from "../../fields/index.ts";
import { languagesField } from "../../fields/ocr-languages.ts";
import { countResult } from "../../result-fields.ts";
import { normalizePdf } from "../../shared/pdf/normalize-pdf.ts";
import { objectStreamsOf } from "../../shared/pdf/object-streams.ts";
import { signatureWarnings } from "../../shared/pdf/signature-warning.ts";
import { fileToPdf } from "../../shared/to-pdf/file-to-pdf.ts";
import { ocrPdf } from "./ocr-pdf.ts";

/** Each page takes a few seconds. */
const maxPages = 1000;

/** The longest text of the job's result, which is in the database. */
const maxTextLength = 500_000;

export const documentOcr = defineOperation({
  id: "document/ocr",
  title: "Make PDF searchable",
  summary:
    "Recognize the text of scanned pages, turn them upright, and make a PDF in which it can be searched and copied.",
  accepts: ["pdf", ...images],
  params: z.strictObject({
    languages: languagesField,
    deskew: z
      .boolean()
      .default(true)
      .describe("Straighten crooked pages. Their pictures are then encoded again."),
    force: z
      .boolean()
      .default(false)
      .describe(
        "Recognize pages that have text too. They become pictures first. By default, they are not changed.",
      ),
  }),
  example: { languages: "eng" },
  sample: { input: "scan.jpg" },
  produces: () => "pdf",
  result: z.strictObject({
    pages: countResult("Number of pages."),
    text: z.string().describe("The text of all pages, up to 500,000 characters."),
  }),
  runsIn: "runner",
  requires: ["ocrmypdf", "tesseract", "ghostscript", "qpdf", "poppler", "image"],
  async run({ input, params, work, signal, progress }) {
    const { deskew, force } = params;
    const source = await fileToPdf(input, work, signal);
    const { pages } = await readPageInfo(source, work, signal);
    if (pages > maxPages) {
      const message = `The document has ${pages} pages. Text can be recognized on at most ${maxPages}.`;
      throw new JobError("too_complex", message);
    }
    const file = await normalizePdf(source, work, signal, { flatPages: true });
    progress(5);
    const objectStreams = await objectStreamsOf(file);
    const isRewritten = file.encrypted || objectStreams === "disable";
    const recognized = isRewritten ? work.scratch("pdf") : work.output("pdf");
    const languages = parseLanguages(params.languages) ?? ["eng"];
    const onProgress = (percent: number) => progress(5 + percent * 0.9);
    const ocr = { file, output: recognized, languages, deskew, force, onProgress };
    await ocrPdf(ocr, work, signal);
    const output = isRewritten ? work.output("pdf") : recognized;
    if (isRewritten) {
      const args: QpdfArgument[] = [`--object-streams=${objectStreams}`, recognized];
      // With a forced version, qpdf leaves out an encryption that the version does not have.
      if (file.encrypted) args.push(["--copy-encryption=", source]);
      else if (objectStreams === "disable") args.push("--force-version=1.4");
      await runQpdf({ args, output }, work, signal);
    }
    const plain = work.scratch("txt");
    const request = {
      file: recognized,
      spans: [[1, pages]],
      layout: false,
      output: plain,
    } as const;
    await extractText(request, work, signal);
    const text = (await readReport(plain.path, "utf8")).trim();
    const warnings = await signatureWarnings(input);
    if (text === "") warnings.push("No text was found on the pages.");
    if (text.length > maxTextLength) {
      warnings.push("The result has only the first part of the text. The PDF has all of it.");
    }
    const result = { pages, text: text.slice(0, maxTextLength).toWellFormed() };
    return { outputs: [{ ...output, pages }], result, warnings };
  },
});
