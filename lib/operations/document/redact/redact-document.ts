import { runPdfEngine } from "#lib/engines/pdf/run-pdf.ts";
import { type QpdfArgument, runQpdf } from "#lib/engines/pdf/run-qpdf.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { callInWorker } from "#lib/engines/worker/call.ts";
import { JobError } from "#lib/errors.ts";
import { objectStreamsOf } from "../../shared/pdf/object-streams.ts";
import type { RedactParams } from "./params.ts";
import type { Cleaned, RedactedPages } from "./results.ts";
import { findRemaining, prepareRedaction, redactPages, replacePages } from "./worker-functions.ts";

/** Redacts a PDF in steps of a worker and of poppler, and searches the result for what is left. */

/** Time for the regular expressions of a request on all pages. */
const matchTimeoutMs = 60_000;

/** Pixels of the longer side of a page that becomes a picture: 205 dpi for A4. */
const pictureSide = 2400;

/** Pages that become pictures at most; a picture of A4 has 2 megapixels. */
const maxPictures = 200;

export interface Redacted {
  readonly output: WorkFile;
  readonly areas: RedactedPages["areas"];
  readonly warnings: string[];
}

/**
 * The encryption of the PDF stays. Throws `JobError`: `encrypted` if it needs a password to open, `too_complex`
 * if something of the matches would remain.
 */
export async function redactDocument(
  input: WorkFile,
  params: RedactParams,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<Redacted> {
  const session = new RedactionSession(params, work, signal);
  const { copy, encrypted } = await session.uncompress(input);
  const { pdf, words, cleaned } = await session.prepare(copy);
  let pictures: readonly number[] = [];
  for (let attempt = 0; attempt < 2; attempt++) {
    const redacted = await session.redact(pdf, words, pictures);
    const output = await session.compress(redacted.pdf, encrypted ? input : undefined);
    const left = await session.findRemaining(output);
    if (left.pages.length === 0 && !left.is_in_objects) {
      return { output, areas: redacted.areas, warnings: listWarnings(redacted, cleaned) };
    }
    pictures = [...new Set([...redacted.pictures, ...left.pages])];
  }
  const message =
    "Something of what you want to remove would remain in the PDF, so that it is not returned.";
  throw new JobError("too_complex", message);
}

function listWarnings(
  { pictures, matched, areas, outside }: RedactedPages,
  { strings, attachments, xfa }: Cleaned,
): string[] {
  const warnings: string[] = [];
  if (matched + strings + areas.length === 0) warnings.push("Nothing in the PDF matches.");
  if (outside > 0) {
    const count = outside === 1 ? "One of the regions lies" : `${outside} of the regions lie`;
    warnings.push(
      `${count} outside of the page, where there is nothing to remove. Regions are in points (1/72 inch) from the top left of the page.`,
    );
  }
  if (pictures.length > 0) {
    const list = pictures.slice(0, 50).join(", ");
    warnings.push(
      `These pages became pictures, because their content cannot be rewritten safely: ${list}.`,
    );
  }
  if (attachments)
    warnings.push("The attached files were removed, because their contents cannot be redacted.");
  if (xfa)
    warnings.push("The XFA part of the form was removed, because it repeats the values of fields.");
  return warnings;
}

class RedactionSession {
  readonly #params: RedactParams;
  readonly #work: WorkFolder;
  readonly #signal: AbortSignal;

  constructor(params: RedactParams, work: WorkFolder, signal: AbortSignal) {
    this.#params = params;
    this.#work = work;
    this.#signal = signal;
  }

  /** A copy whose contents a worker can read, without encryption and earlier revisions of the file. */
  async uncompress(file: WorkFile): Promise<{ copy: WorkFile; encrypted: boolean }> {
    const copy = this.#work.scratch("pdf");
    const structure = ["--decrypt", "--object-streams=disable"];
    const contents = ["--stream-data=uncompress", "--coalesce-contents"];
    const { encrypted } = await this.#qpdf([...structure, ...contents, file], copy);
    return { copy, encrypted };
  }

  /** `protectedBy`: a file whose encryption the result gets. */
  async compress(file: WorkFile, protectedBy: WorkFile | undefined): Promise<WorkFile> {
    const output = this.#work.output("pdf");
    const structure = `--object-streams=${await objectStreamsOf(file)}`;
    const args: QpdfArgument[] = [structure, "--compress-streams=y", file];
    if (protectedBy) args.push(["--copy-encryption=", protectedBy]);
    await this.#qpdf(args, output);
    return output;
  }

  async prepare(file: WorkFile) {
    const { outputs, result } = await callInWorker(prepareRedaction, this.#call([file], []));
    const [pdf, analyzed] = outputs;
    if (!pdf || !analyzed) throw new Error("a worker returned no PDF");
    const words = this.#work.scratch("html");
    await runPdfEngine("poppler", this.#work, this.#signal, {
      command: "pdftotext",
      args: ["-bbox", "-enc", "UTF-8", analyzed.name, words.name],
    });
    return { pdf, words, cleaned: result };
  }

  async redact(pdf: WorkFile, words: WorkFile, pictures: readonly number[]) {
    const { outputs, result } = await callInWorker(redactPages, this.#call([pdf, words], pictures));
    const [redacted] = outputs;
    if (!redacted) throw new Error("a worker returned no PDF");
    if (result.pictures.length === 0) return { ...result, pdf: redacted };
    return { ...result, pdf: await this.#replacePages(redacted, result) };
  }

  async findRemaining(output: WorkFile) {
    const { copy } = await this.uncompress(output);
    // Only the words: the PDF of this step is cleaned a second time.
    const { words } = await this.prepare(copy);
    const { result } = await callInWorker(findRemaining, this.#call([copy, words], []));
    return result;
  }

  async #replacePages(pdf: WorkFile, { pictures, areas }: RedactedPages) {
    if (pictures.length > maxPictures) {
      throw new JobError(
        "too_complex",
        `More than ${maxPictures} pages would have to become pictures.`,
      );
    }
    const files = [pdf];
    for (const page of pictures) {
      const picture = this.#work.scratch("ppm");
      const root = picture.name.slice(0, -".ppm".length);
      const size = ["-hide-annotations", "-scale-to", `${pictureSide}`];
      await runPdfEngine("poppler", this.#work, this.#signal, {
        command: "pdftoppm",
        args: [...size, "-f", `${page}`, "-l", `${page}`, "-singlefile", pdf.name, root],
      });
      files.push(picture);
    }
    const { outputs } = await callInWorker(replacePages, {
      files,
      options: { color: this.#params.color, pages: pictures, areas },
      work: this.#work,
      signal: this.#signal,
    });
    if (!outputs[0]) throw new Error("a worker returned no PDF");
    return outputs[0];
  }

  #call(files: readonly WorkFile[], pictures: readonly number[]) {
    const options = { ...this.#params, pictures };
    const common = { work: this.#work, signal: this.#signal, timeoutMs: matchTimeoutMs };
    return { files, options, ...common };
  }

  #qpdf(args: readonly QpdfArgument[], output: WorkFile) {
    return runQpdf({ args, output }, this.#work, this.#signal);
  }
}
