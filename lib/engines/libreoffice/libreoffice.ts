import { availableParallelism } from "node:os";
import { z } from "zod";
import { env } from "#lib/env.ts";
import { JobError } from "#lib/errors.ts";
import { type OfficeFormat, officeFormat } from "#lib/formats/office/formats.ts";
import type { MediaTypeId } from "#lib/media/types.ts";
import { timeStep } from "#lib/timings.ts";
import { EngineError } from "../sandbox/failures/errors.ts";
import { translateEngineError } from "../sandbox/failures/failures.ts";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import { WarmPool } from "../warm/pool.ts";
import { slotOutputName } from "../warm/slot-folder.ts";
import { callInWorker } from "../worker/call.ts";
import { createOfficeFailure } from "./prepare-input.ts";
import { LibreOfficeProcess } from "./process.ts";
import { prepareOfficeInput } from "./worker-functions.ts";

/** Converts office documents with warm, sandboxed LibreOffice processes. */

const pool = new WarmPool({
  engine: "libreoffice",
  size: env.MEDIA_CONCURRENCY ?? availableParallelism(),
  maxUses: 500,
  start: () => LibreOfficeProcess.start(),
  // It needs more than a second to start.
  keptIdle: 1,
});

interface OfficeInput {
  readonly input: WorkFile & { readonly type: { readonly id: MediaTypeId } };
  readonly output: WorkFile;
  /** The job's folder, for intermediate files. */
  readonly work: WorkFolder;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
  /** The password that opens the document. */
  readonly password?: string | undefined;
}

export const sheetFits = ["auto", "always", "never"] as const;
export const changeViews = ["show", "accept"] as const;

/** How a document is printed. */
export interface PrintView {
  /** Whether sheets that are wider than their page are scaled to its width. */
  readonly fit?: (typeof sheetFits)[number];
  /** Tracked changes of a text: marked, or as if they were accepted. */
  readonly changes?: (typeof changeViews)[number];
  /** Whether comments become notes of the PDF. */
  readonly comments?: boolean;
  /** Whether all pages are wider than high. */
  readonly landscape?: boolean;
  /** Whether tables of contents and other indexes are updated. */
  readonly updateIndexes?: boolean;
  /** Further options of LibreOffice's export by their names. */
  readonly filterData?: Readonly<Record<string, string | number | boolean>>;
}

export interface OfficeRequest extends OfficeInput {
  /** The sorted page ranges, such as `1-3,5`; empty for all pages. */
  readonly pages: string;
  readonly view?: PrintView;
}

/**
 * Converts an office document to PDF. Throws `JobError` (`corrupt`, `encrypted`, `too_complex`,
 * `empty` if the page ranges match no page, `timed_out`, `out_of_memory`, `engine_crashed`), and
 * `EngineError` if it was aborted.
 */
export async function convertToPdf({ pages, view, ...request }: OfficeRequest): Promise<void> {
  await convertOffice(request, ({ application, structure }) => ({
    export: `${application}_pdf_Export`,
    pages,
    table: structure === "table",
    fit: "auto",
    ...view,
  }));
}

/** How LibreOffice writes a document. */
export interface OfficeExport {
  /** A filter of LibreOffice's registry, and its options. */
  readonly export: string;
  readonly exportOptions?: string;
  /** The visible sheets as files of their own; `{sheet}` in the options is the number of each. */
  readonly eachSheet?: boolean;
}

/** The names of the sheets, and the files that they became. */
export type SheetFiles = readonly { readonly name: string; readonly file: WorkFile }[];

/**
 * Converts an office document to another office format. Returns the sheets if each is a file; the
 * first is `output`. Throws like `convertToPdf`.
 */
export function exportOffice(request: OfficeInput, target: OfficeExport): Promise<SheetFiles> {
  return convertOffice(request, () => ({ ...target, pages: "", table: false }));
}

const replySchema = z.object({ sheets: z.array(z.string().max(1000)).max(10_000).optional() });

async function convertOffice(
  {
    input,
    output,
    signal,
    work,
    password,
    timeoutMs = work.limits.officeSeconds * 1000,
  }: OfficeInput,
  buildMessage: (format: OfficeFormat) => object,
): Promise<SheetFiles> {
  const format = officeFormat(input.type.id);
  if (!format) throw new JobError("unsupported_type", "The file is not an office document.");
  if (signal.aborted) throw new EngineError({ engine: "libreoffice", aborted: true });
  const { outputs, result } = await timeStep("check", () =>
    callInWorker(prepareOfficeInput, {
      files: [input],
      options: { structure: format.structure, hasPassword: password !== undefined },
      work,
      signal,
    }),
  );
  // A copy to open instead, if there is one.
  const [file = input] = outputs;
  const { options } = result;
  const convert = async (process: LibreOfficeProcess): Promise<SheetFiles> => {
    const name = slotOutputName(output);
    const message = {
      input: await process.slot.linkIn(file),
      output: name,
      filter: format.importFilter,
      options,
      ...buildMessage(format),
      ...(password === undefined ? {} : { password }),
    };
    const { result: reply, error } = await timeStep("convert", () =>
      process.request(message, { timeoutMs, signal }),
    );
    if (error) throw createOfficeFailure(error.code);
    await process.slot.moveOut(name, output.path);
    const sheets: { name: string; file: WorkFile }[] = [];
    for (const [index, sheet] of (replySchema.parse(reply).sheets ?? []).entries()) {
      const sheetFile = index === 0 ? output : work.output(output.extension);
      const written = name.replace(/(\.\w+)$/, `-${index}$1`);
      if (index > 0) await process.slot.moveOut(written, sheetFile.path);
      sheets.push({ name: sheet, file: sheetFile });
    }
    return sheets;
  };
  return pool.run(convert, keepsProcessHealthy).catch((error: unknown) => {
    throw translateEngineError(error);
  });
}

/** Starts the warm processes before they are needed. */
export function warmUpLibreOffice(): Promise<void> {
  return pool.warmUp();
}

export function closeLibreOffice(): Promise<void> {
  return pool.close();
}

/** Whether the error is only about the document. */
function keepsProcessHealthy(error: unknown): boolean {
  return error instanceof JobError && (error.code === "encrypted" || error.code === "empty");
}
