import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import { runPdfEngine } from "./run-pdf.ts";

/** A row of the table of pdfimages: one drawing of an image, or a mask of the image before it. */
export interface ListedImage {
  readonly page: number;
  /** The number in the name of the extracted file. */
  readonly number: number;
  readonly kind: "image" | "stencil" | "mask" | "smask";
  readonly width: number;
  readonly height: number;
  /** The number of the image's object; undefined for an inline image. */
  readonly object: number | undefined;
  /** Pixels per inch on the page, the smaller one of both directions. */
  readonly ppi: number;
}

/** Between the height and the object are the color space, its depth and the encoding. */
const row =
  /^ *(\d+) +(\d+) +(image|stencil|mask|smask) +(\d+) +(\d+) +(?:\S+ +){1,9}?(?:(\d+) +\d+|\[inline\]) +(\d+) +(\d+) +\S+ +\S+$/;

/** The images that pages draw, by pdfimages. Throws `JobError` as `runPdfEngine` does. */
export async function listImages(
  file: WorkFile,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<ListedImage[]> {
  const { stdout } = await runPdfEngine("poppler", work, signal, {
    command: "pdfimages",
    args: ["-list", file.name],
    readsOnly: true,
  });
  return parseImageList(stdout.toString("utf8"));
}

export function parseImageList(text: string): ListedImage[] {
  return text.split("\n").flatMap((line): ListedImage[] => {
    const [found, page, number, kind, width, height, object, x, y] = row.exec(line) ?? [];
    if (!found) return [];
    return [
      {
        page: Number(page),
        number: Number(number),
        // One of the names in the pattern.
        kind: kind as ListedImage["kind"],
        width: Number(width),
        height: Number(height),
        object: object === undefined ? undefined : Number(object),
        ppi: Math.min(Number(x), Number(y)),
      },
    ];
  });
}
