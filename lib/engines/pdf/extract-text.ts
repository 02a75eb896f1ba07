import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { JobError } from "#lib/errors.ts";
import { streamRegular, streamToEnd, writeNew } from "#lib/files/regular-files.ts";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import { runPdfEngine } from "./run-pdf.ts";

type PageSpan = readonly [first: number, last: number];

export interface TextRequest {
  readonly file: WorkFile;
  /** In ascending order. */
  readonly spans: readonly PageSpan[];
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
  const runs = groupSpans(spans);
  for (const [index, run] of runs.entries()) {
    await extract(run);
    onProgress?.(((index + 1) / runs.length) * 100);
  }
  return { characters, pages };

  async function extract(run: readonly PageSpan[]): Promise<void> {
    const hull = [run[0]?.[0] ?? 1, run.at(-1)?.[1] ?? 1] as const;
    const part = run.length > 1 ? await readAll(hull) : await read(hull);
    if (!part) {
      for (const span of run) await extract([span]);
      return;
    }
    const cleaner = new TextCleaner(!isFirst, hull[0], run);
    const text = streamRegular(part.path, { encoding: "utf8" });
    await pipeline(text, cleaner, streamToEnd(output.path), { signal });
    isFirst = false;
    characters += cleaner.characters;
    pages += cleaner.pages;
  }

  async function read([first, last]: PageSpan): Promise<WorkFile> {
    const part = work.scratch("txt");
    await runPdfEngine("poppler", work, signal, {
      command: "pdftotext",
      args: [...mode, "-enc", "UTF-8", "-f", `${first}`, "-l", `${last}`, file.name, part.name],
    });
    return part;
  }

  /** Undefined if pages are missing, of which it is not known which, or if one fails, which may be none of the spans. */
  async function readAll([first, last]: PageSpan): Promise<WorkFile | undefined> {
    try {
      const part = await read([first, last]);
      return (await countBreaks(part)) === last - first + 1 ? part : undefined;
    } catch (error) {
      if (error instanceof JobError) return undefined;
      throw error;
    }
  }
}

/** Pages of a run with several spans; progress is reported after each. */
const maxRunPages = 200;

/** Spans in runs of one process. It also reads single pages between them, which takes less time than another process. */
function groupSpans(spans: readonly PageSpan[]): PageSpan[][] {
  const runs: PageSpan[][] = [];
  for (const span of spans) {
    const run = runs.at(-1);
    const [start, end] = [run?.[0]?.[0] ?? 0, run?.at(-1)?.[1] ?? 0];
    const isNear = span[0] - end <= 2 && span[1] - start < maxRunPages;
    if (run && isNear) run.push(span);
    else runs.push([span]);
  }
  return runs;
}

/** One follows each page. */
async function countBreaks(text: WorkFile): Promise<number> {
  let breaks = 0;
  for await (const chunk of streamRegular(text.path, { encoding: "utf8" })) {
    breaks += `${chunk}`.split("\f").length - 1;
  }
  return breaks;
}

/** pdftotext puts these marks around text that runs from right to left. */
const embeddingMarks = /[\u202a-\u202e]/g;

/** Writes the pages of `spans`, with form feeds between them only and without marks of direction. */
class TextCleaner extends Transform {
  characters = 0;
  pages = 0;
  #pendingBreak: boolean;
  #page: number;
  readonly #spans: readonly PageSpan[];

  /** `page` is the first one of the text. */
  constructor(startsWithBreak: boolean, page: number, spans: readonly PageSpan[]) {
    super({ decodeStrings: false, encoding: "utf8" });
    this.#pendingBreak = startsWithBreak;
    this.#page = page;
    this.#spans = spans;
  }

  override _transform(chunk: string, _encoding: string, done: () => void): void {
    const selected = this.#select(chunk);
    const text = (this.#pendingBreak ? "\f" : "") + selected.replace(embeddingMarks, "");
    this.#pendingBreak = text.endsWith("\f");
    const written = this.#pendingBreak ? text.slice(0, -1) : text;
    this.pages += selected.split("\f").length - 1;
    this.characters += written.replace(/\s/g, "").length;
    this.push(written);
    done();
  }

  /** The selected pages of a text, each with the form feed at its end. */
  #select(text: string): string {
    if (this.#spans.length === 1) return text;
    let selected = "";
    for (const [index, part] of text.split("\f").entries()) {
      if (index > 0) {
        if (this.#isSelected()) selected += "\f";
        this.#page++;
      }
      if (this.#isSelected()) selected += part;
    }
    return selected;
  }

  #isSelected(): boolean {
    return this.#spans.some(([first, last]) => first <= this.#page && this.#page <= last);
  }
}
