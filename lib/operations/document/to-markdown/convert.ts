import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import type { WorkerCall, WorkerFunction } from "#lib/engines/worker/call.ts";
import { JobError } from "#lib/errors.ts";
import { readRegular, statRegular, writeNew } from "#lib/files/regular-files.ts";
import { decodeHtml } from "#lib/formats/html/decode-html.ts";
import { readMail } from "#lib/formats/mail/read-mail.ts";
import { DocumentPackage } from "#lib/formats/office/package/read-package.ts";
import { limitError } from "#lib/limits/limits.ts";
import type { MediaTypeId } from "#lib/media/types.ts";
import { ImageCollector } from "./content/images.ts";
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
 * Writes the Markdown of a document, then its images. The result has the outline, the pages without text, and
 * whether results of formulas are missing. Throws `JobError` (`corrupt`, `encrypted`, `too_complex`, `unsupported_type`).
 */
export const convertToMarkdown: WorkerFunction<MarkdownOptions> = async (call) => {
  const { options, work } = call;
  const [file] = call.files;
  if (!file) throw new Error("no file");
  const images = new ImageCollector(work, options.stem);
  const { text, ...result } = await convert(file, call, images);
  const output = work.output("md");
  await writeNew(output.path, text);
  return { outputs: [output, ...images.images], result };
};

async function convert(file: WorkFile, call: Call, images: ImageCollector) {
  try {
    const { html, emptyPages = [], needsCalculation } = await readDocument(file, call, images);
    return { ...writeMarkdown(html), emptyPages, needsCalculation: needsCalculation ?? false };
  } catch (cause) {
    // The stack has no place for elements that are nested ten thousand times.
    if (!(cause instanceof RangeError)) throw cause;
    throw new JobError("too_complex", "The document is nested too deeply.", { cause });
  }
}

interface DocumentHtml extends Partial<WorkbookHtml> {
  readonly html: string;
  readonly emptyPages?: readonly number[];
}

async function readDocument(
  file: WorkFile,
  { options, work, progress }: Call,
  images: ImageCollector,
): Promise<DocumentHtml> {
  const { type, url, charset } = options;
  const { limits } = work;
  switch (type) {
    case "pdf":
      return readPdf(file.path, images, progress);
    case "html": {
      if ((await statRegular(file.path)).size > limits.htmlBytes)
        throw limitError("htmlBytes", limits.htmlBytes);
      const html = decodeHtml(await readRegular(file.path), charset);
      return { html: await readHtml(html, { url, images }) };
    }
    case "eml":
    case "msg":
      return { html: await mailToHtml(await readMail(file.path, type), images) };
    default:
      return readPackage(file, type, work.limits, images);
  }
}

async function readPackage(
  file: WorkFile,
  type: MediaTypeId,
  limits: Call["work"]["limits"],
  images: ImageCollector,
): Promise<DocumentHtml> {
  const document = await DocumentPackage.open(file.path, limits);
  try {
    if (type === "docx") return { html: await readDocx(document, images) };
    if (type === "pptx") return { html: await readPptx(document, images) };
    if (type === "xlsx") return await readXlsx(document);
    if (type === "epub") return { html: await readEpub(document, images) };
    throw new JobError("unsupported_type", "Files of this type cannot be converted to Markdown.");
  } finally {
    document.close();
  }
}
