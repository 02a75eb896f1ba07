import { runPdfEngine } from "#lib/engines/pdf/run-pdf.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import type { PageBox } from "#lib/formats/pdf/structure/page-boxes.ts";

/** Points between the box and the edge of the page. */
const margin = 36;

/** Pixels of the longer side of the picture in which the place is searched. */
const searchSide = 300;

/** Gray values from which a pixel is empty. */
const emptyGray = 250;

interface Page {
  readonly number: number;
  /** The width in points, as a reader shows the page. */
  readonly width: number;
  readonly height: number;
}

/**
 * The lowest empty place of a page for a box of this size, on the right side if possible; the bottom
 * right corner if nothing is empty. Runs poppler and throws what it throws.
 */
export async function findFreePlace(
  file: WorkFile,
  page: Page,
  wanted: { readonly width: number; readonly height: number },
  work: WorkFolder,
  signal: AbortSignal,
): Promise<PageBox> {
  const width = Math.min(wanted.width, page.width);
  const height = Math.min(wanted.height, page.height);
  const scale = searchSide / Math.max(page.width, page.height);
  const number = `${page.number}`;
  const { stdout } = await runPdfEngine("poppler", work, signal, {
    command: "pdftoppm",
    args: [
      "-gray",
      "-cropbox",
      "-singlefile",
      "-scale-to",
      `${searchSide}`,
      "-f",
      number,
      "-l",
      number,
      file.name,
    ],
    timeoutMs: 30_000,
    readsOnly: true,
  });
  const [header, columns, rows] =
    /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(stdout.toString("latin1", 0, 40)) ?? [];
  const corner = {
    left: Math.max(0, page.width - margin - width),
    top: Math.max(0, page.height - margin - height),
    width,
    height,
  };
  if (!header) return corner;
  const pixels = stdout.subarray(header.length);
  const picture = { pixels, columns: Number(columns), rows: Number(rows) };
  const step = 1 / scale;
  for (let top = corner.top; top >= margin; top -= step) {
    for (let left = corner.left; left >= margin; left -= step) {
      const box = { left, top, width, height };
      if (isEmpty(picture, box, scale)) return box;
    }
  }
  return corner;
}

interface Picture {
  readonly pixels: Buffer;
  readonly columns: number;
  readonly rows: number;
}

/** Whether the box and two pixels around it are empty. */
function isEmpty({ pixels, columns, rows }: Picture, box: PageBox, scale: number): boolean {
  const x0 = Math.floor(box.left * scale) - 2;
  const y0 = Math.floor(box.top * scale) - 2;
  const x1 = Math.min(columns, Math.ceil((box.left + box.width) * scale) + 2);
  const y1 = Math.min(rows, Math.ceil((box.top + box.height) * scale) + 2);
  for (let y = Math.max(0, y0); y < y1; y++) {
    for (let x = Math.max(0, x0); x < x1; x++) {
      if ((pixels[y * columns + x] ?? 0) < emptyGray) return false;
    }
  }
  return true;
}
