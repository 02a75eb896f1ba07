import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { streamRegular, streamToEnd, writeNew } from "#lib/files/regular-files.ts";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import { runPdfEngine } from "./run-pdf.ts";

export interface TextRequest {
  readonly file: WorkFile;
  /** First and last page of each span. */
  readonly spans: readonly (readonly [number, number])[];
  /** Whether spaces keep words where they are on the page; otherwise columns follow each other. */
  readonly layout: boolean;
  readonly output: WorkFile;
  readonly onProgress?: (percent: number) => void;
}

export interface TextSize {
  /** Without spaces and breaks. */
  readonly characters: number;
  /** The pages that were read. Poppler leaves out pages that it does not find. */
  readonly pages: number;
}

/**
 * Writes the text of pages as UTF-8 with pdftotext. A form feed stands between two pages. Throws
 * `JobError`: `encrypted`, `corrupt`, `too_large`, `timed_out`, `out_of_memory`.
 */
export async function extractText(
  { file, spans, layout, output, onProgress }: TextRequest,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<TextSize> {
  const mode = layout ? ["-layout"] : [];
  let characters = 0;
  let pages = 0;
  let isFirst = true;
  await writeNew(output.path, "");
  for (const [index, [first, last]] of spans.entries()) {
    const part = work.scratch("txt");
    await runPdfEngine("poppler", work, signal, {
      command: "pdftotext",
      args: [...mode, "-enc", "UTF-8", "-f", `${first}`, "-l", `${last}`, file.name, part.name],
    });
    const cleaner = new TextCleaner(!isFirst);
    await pipeline(
      streamRegular(part.path, { encoding: "utf8" }),
      cleaner,
      streamToEnd(output.path),
      {
        signal,
      },
    );
    isFirst = false;
    characters += cleaner.characters;
    pages += cleaner.pages;
    onProgress?.(((index + 1) / spans.length) * 100);
  }
  return { characters, pages };
}

/** pdftotext puts these marks around text that runs from right to left. */
const embeddingMarks = /[\u202a-\u202e]/g;

/** Writes form feeds between pages only, and no marks of direction. */
class TextCleaner extends Transform {
  characters = 0;
  pages = 0;
  #pendingBreak: boolean;

  constructor(startsWithBreak: boolean) {
    super({ decodeStrings: false, encoding: "utf8" });
    this.#pendingBreak = startsWithBreak;
  }

  override _transform(chunk: string, _encoding: string, done: () => void): void {
    const text = (this.#pendingBreak ? "\f" : "") + chunk.replace(embeddingMarks, "");
    this.#pendingBreak = text.endsWith("\f");
    const written = this.#pendingBreak ? text.slice(0, -1) : text;
    // One follows each page.
    this.pages += chunk.split("\f").length - 1;
    this.characters += written.replace(/\s/g, "").length;
    this.push(written);
    done();
  }
}
