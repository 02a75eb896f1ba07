import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import type { WorkerCall } from "#lib/engines/worker/worker-function.ts";
import { JobError } from "#lib/errors.ts";
import { readRegular, statRegular, writeNew } from "#lib/files/regular-files.ts";
import { readMail } from "#lib/formats/mail/read-mail.ts";
import { DocumentPackage } from "#lib/formats/office/package/read-package.ts";
import { decodeText } from "#lib/formats/office/text-import.ts";
import { limitError } from "#lib/limits/limits.ts";
import { exceedsProgramLimits } from "#lib/media/damaged-data.ts";
import type { MediaTypeId } from "#lib/media/types.ts";
import { ImageCollector } from "./content/images.ts";
import { Omitted } from "./content/omitted.ts";
import { readDocx } from "./office/read-docx.ts";
import { readPptx } from "./office/read-pptx.ts";
import { readXlsx, type WorkbookHtml } from "./office/read-xlsx.ts";
import { readPdf } from "./pdf/read-pdf.ts";
import { readEpub } from "./read-epub.ts";
import { readHtml } from "./read-html.ts";
import { mailToHtml } from "./read-mail.ts";
import { writeMarkdown } from "./write-markdown.ts";

export interface MarkdownOptions {
  readonly type: MediaTypeId;
  /** Begins the names of the files of images; images are left out without it. */
  readonly stem?: string;
  /** Resolves relative links of a page. */
  readonly url?: string;
  /** The encoding of a page that its server declared. */
  readonly charset?: string;
}

type Call = WorkerCall<MarkdownOptions>;

/**
 * Writes the Markdown of a document, then its images. The result has the outline, what is left out, the pages
 * without text or with equations, and whether results of formulas are missing. Throws `JobError` (`corrupt`, `encrypted`, `too_complex`, `unsupported_type`).
 */
export const convertToMarkdown = async (call: WorkerCall<MarkdownOptions>) => {
  const { options, work } = call;
  const [file] = call.files;
  if (!file) throw new Error("no file");
  const images = new ImageCollector(work, options.stem);
  const omitted = new Omitted();
  const { text, ...result } = await convert(file, call, images, omitted);
  const output = work.output("md");
  await writeNew(output.path, text);
  return { outputs: [output, ...images.images], result: { ...result, omitted: omitted.list() } };
};

async function convert(file: WorkFile, call: Call, images: ImageCollector, omitted: Omitted) {
  try {
    const document = await readDocument(file, call, images, omitted);
    const { html, emptyPages = [], equationPages = [], needsCalculation = false } = document;
    return { ...writeMarkdown(html), emptyPages, equationPages, needsCalculation };
  } catch (cause) {
    // The stack has no place for elements that are nested ten thousand times.
    if (!exceedsProgramLimits(cause)) throw cause;
    throw new JobError("too_complex", "The document is nested too deeply.", { cause });
  }
}

interface DocumentHtml extends Partial<WorkbookHtml> {
  readonly html: string;
  readonly emptyPages?: readonly number[];
  readonly equationPages?: readonly number[];
}

async function readDocument(
  file: WorkFile,
  { options, work, progress }: Call,
  images: ImageCollector,
  omitted: Omitted,
): Promise<DocumentHtml> {
  const { type, url, charset } = options;
  const { limits } = work;
  switch (type) {
    case "pdf":
      return readPdf(file.path, images, omitted, progress);
    case "html": {
      if ((await statRegular(file.path)).size > limits.htmlBytes)
        throw limitError("htmlBytes", limits.htmlBytes);
      const html = decodeText(await readRegular(file.path), charset);
      return { html: await readHtml(html, { url, images, omitted }) };
    }
    case "eml":
    case "msg":
      return { html: await mailToHtml(await readMail(file.path, type), images, omitted) };
    default:
      return readPackage(file, type, work.limits, images, omitted);
  }
}

async function readPackage(
  file: WorkFile,
  type: MediaTypeId,
  limits: Call["work"]["limits"],
  images: ImageCollector,
  omitted: Omitted,
): Promise<DocumentHtml> {
  const document = await DocumentPackage.open(file.path, limits);
  try {
    if (type === "docx") return { html: await readDocx(document, images, omitted) };
    if (type === "pptx") return { html: await readPptx(document, images, omitted) };
    if (type === "xlsx") return await readXlsx(document, omitted);
    if (type === "epub") return { html: await readEpub(document, images, omitted) };
    throw new JobError("unsupported_type", "Files of this type cannot be converted to Markdown.");
  } finally {
    document.close();
  }
}
