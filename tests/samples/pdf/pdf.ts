import { execProgram } from "../zygote/exec-program.ts";

/** Reads PDFs with poppler. Lengths are in points, from the top left. */

export interface PdfSummary {
  readonly pages: number;
  readonly width: number;
  readonly height: number;
  readonly text: string;
}

export interface PdfWord {
  readonly text: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/**
 * Reads the number of pages, the size of the first one, and the text with collapsed white space. Tests that look at only
 * one of them start only one program: each is read when it is asked for.
 */
export function readPdf(path: string): PdfSummary {
  const info = once(() => poppler("pdfinfo", path));
  const size = () => /Page size:\s+([\d.]+) x ([\d.]+)/.exec(info()) ?? [];
  const text = once(() => poppler("pdftotext", path, "-").replace(/\s+/g, " ").trim());
  return {
    get pages() {
      return Number(/Pages:\s+(\d+)/.exec(info())?.[1]);
    },
    get width() {
      return Number(size()[1]);
    },
    get height() {
      return Number(size()[2]);
    },
    get text() {
      return text();
    },
  };
}

/** A function that calls `read` only the first time. */
export function once<Value>(read: () => Value): () => Value {
  let found: { readonly value: Value } | undefined;
  return () => {
    found ??= { value: read() };
    return found.value;
  };
}

/** Reads the words of all pages with their positions. */
export function readWords(path: string): PdfWord[] {
  const pattern =
    /<word xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">(.*?)</g;
  return [...poppler("pdftotext", "-bbox", path, "-").matchAll(pattern)].map((match) => {
    const [left = 0, top = 0, right = 0, bottom = 0] = match.slice(1, 5).map(Number);
    return { text: match[5] ?? "", left, top, right, bottom };
  });
}

/** Reads the URLs of all links. */
export function readLinks(path: string): string[] {
  const rows = poppler("pdfinfo", "-url", path).split("\n").slice(1);
  return rows.map((row) => row.trim().split(/\s+/).at(-1) ?? "").filter((url) => url !== "");
}

/** Renders the first page at 36 dpi: RGB, row by row. */
export function renderPdf(path: string): { width: number; height: number; pixels: Buffer } {
  const ppm = execProgram("pdftoppm", ["-r", "36", "-f", "1", "-l", "1", path]);
  const [header = "", width, height] =
    /^P6\n(\d+) (\d+)\n255\n/.exec(ppm.toString("latin1", 0, 64)) ?? [];
  return { width: Number(width), height: Number(height), pixels: ppm.subarray(header.length) };
}

function poppler(command: string, ...args: string[]): string {
  return execProgram(command, args, { encoding: "utf8" });
}
