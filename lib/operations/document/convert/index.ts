import { z } from "zod";
import { exportOffice } from "#lib/engines/libreoffice/libreoffice.ts";
import { mediaType } from "#lib/media/types.ts";
import { defineOperation, type OperationContext, type OperationFiles } from "../../define.ts";
import { nameSheets } from "./name-sheets.ts";
import { convertText, type TextTarget } from "./rich-text/convert-text.ts";
import {
  convertible,
  explainImpossible,
  exportOf,
  type Format,
  formats,
  htmlExportOf,
  isTextSource,
} from "./targets.ts";

/** HTML is never given to LibreOffice: it is read here, and LibreOffice gets flat OpenDocument. */
export const convert = defineOperation({
  id: "document/convert",
  title: "Convert document",
  summary: "Convert an office document, e-book, Markdown or HTML file to another format.",
  accepts: convertible,
  params: z.strictObject({
    format: z
      .enum(formats)
      .describe(
        "The format of the output. Texts, Markdown, HTML and e-books become docx, odt, rtf, txt, html or epub, spreadsheets xlsx, ods, csv (one file for each visible sheet) or html, and presentations pptx or odp. Macros are not kept, and linked files are not fetched.",
      ),
  }),
  // Each kind of document has its own formats.
  example: { format: "docx" },
  sample: { input: "report.docx", params: { format: "epub" } },
  produces: (_, { format }) => format,
  rejects: (type, { format }) => explainImpossible(type, format),
  runsIn: "runner",
  requires: ["libreoffice"],
  async run(context) {
    const { input, params } = context;
    if (isTextSource(input.type.id)) return convertTextSource(context, params.format);
    const target = exportOf(params.format);
    return target ? convertInOffice(context, target) : convertToPage(context, params.format);
  },
});

type Context = OperationContext<{ format: Format }>;

async function convertInOffice(
  { input, params, work, signal }: Context,
  target: NonNullable<ReturnType<typeof exportOf>>,
): Promise<OperationFiles> {
  const output = work.output(mediaType(params.format).extension);
  const sheets = await exportOffice({ input, output, work, signal }, target);
  return { outputs: target.eachSheet ? nameSheets(sheets) : [output] };
}

/** Texts and spreadsheets to HTML or EPUB: LibreOffice writes HTML, of which only the content is kept. */
async function convertToPage(
  { input, work, signal }: Context,
  format: Format,
): Promise<OperationFiles> {
  const html = work.scratch("html");
  await exportOffice({ input, output: html, work, signal }, htmlExportOf(input.type.id));
  const target = format === "epub" ? "epub" : "html";
  const options = { source: "html", target, title: titleOf(input.filename), isOurs: true } as const;
  const { file } = await convertText(html, options, work, signal);
  return { outputs: [file] };
}

async function convertTextSource(
  { input, work, signal }: Context,
  format: Format,
): Promise<OperationFiles> {
  const { id } = input.type;
  if (!isTextSource(id)) throw new Error("not a text");
  const target: TextTarget = format === "html" || format === "epub" ? format : "fodt";
  const { filename, charset } = input;
  const options = { source: id, target, title: titleOf(filename), ...(charset ? { charset } : {}) };
  const { file, omittedPictures } = await convertText(input, options, work, signal);
  const warnings = describeOmitted(omittedPictures);
  const officeTarget = exportOf(format);
  if (!officeTarget) return { outputs: [file], warnings };
  const output = work.output(mediaType(format).extension);
  const flat = { ...file, type: mediaType("fodt") };
  await exportOffice({ input: flat, output, work, signal }, officeTarget);
  return { outputs: [output], warnings };
}

function titleOf(filename: string): string {
  return filename.replace(/\.[^.]*$/, "");
}

function describeOmitted(count: number): string[] {
  if (count === 0) return [];
  return [
    `${count === 1 ? "1 picture was" : `${count} pictures were`} left out: only pictures in the file are converted.`,
  ];
}
