import { readdir, rename } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import type { PdfPageSize } from "./qpdf.ts";
import { runPdfEngine } from "./run-pdf.ts";

/** Formats that pdftoppm writes. */
export type RenderFormat = "png" | "jpeg" | "tiff";

const formats = {
  png: { args: ["-png"], extension: "png" },
  jpeg: { args: ["-jpeg", "-jpegopt", "quality=90,optimize=y"], extension: "jpg" },
  tiff: { args: ["-tiff", "-tiffcompression", "deflate"], extension: "tif" },
} as const satisfies Record<RenderFormat, { args: readonly string[]; extension: string }>;

const pointsPerInch = 72;

/** The size of the image of a page, in pixels. */
export function renderedSize({ width, height }: PdfPageSize, dpi: number): PdfPageSize {
  const toPixels = (points: number) => Math.max(1, Math.ceil((points * dpi) / pointsPerInch));
  return { width: toPixels(width), height: toPixels(height) };
}

/** The resolution at which a page of `points` has an image of `pixels`; `renderedSize` rounds up. */
export function resolutionFor(pixels: number, points: number): number {
  return (pointsPerInch * (pixels - 0.01)) / points;
}

/** How large an image is: pixels per inch, which need not be an integer, or pixels of its longer side. */
type RenderScale = { readonly dpi: number } | { readonly side: number };

export type RenderRequest = RenderScale & {
  readonly file: WorkFile;
  readonly span: readonly [first: number, last: number];
  readonly format: RenderFormat;
  readonly isGray?: boolean;
  /** Where the image of a page is written. */
  readonly allocate: (page: number) => WorkFile;
};

/**
 * Renders pages with pdftoppm: the crop box, upright, on white, with annotations and form fields. Pages
 * that cannot be rendered are not in the result. The caller limits the pixels. Throws `JobError`:
 * `encrypted`, `corrupt`, `too_large`, `timed_out`, `out_of_memory`.
 */
export async function renderPages(
  request: RenderRequest,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<Map<number, WorkFile>> {
  const { file, span, format, isGray = false, allocate } = request;
  const { args, extension } = formats[format];
  const scale = "dpi" in request ? ["-r", `${request.dpi}`] : ["-scale-to", `${request.side}`];
  const scratch = work.scratch(extension);
  const prefix = scratch.name.slice(0, -extension.length - 1);
  const [first, last] = span;
  await runPdfEngine("poppler", work, signal, {
    command: "pdftoppm",
    args: [
      "-cropbox",
      ...args,
      ...(isGray ? ["-gray"] : []),
      ...scale,
      "-f",
      `${first}`,
      "-l",
      `${last}`,
      file.name,
      prefix,
    ],
  });
  const folder = dirname(scratch.path);
  // The numbers in the names have leading zeros.
  const pattern = new RegExp(`^${basename(prefix)}-0*(\\d+)\\.${extension}$`);
  const rendered = new Map<number, string>();
  for (const name of await readdir(folder)) {
    const page = Number(pattern.exec(name)?.[1]);
    if (page >= first && page <= last) rendered.set(page, join(folder, name));
  }
  const images = new Map<number, WorkFile>();
  for (const [page, path] of [...rendered].sort(([left], [right]) => left - right)) {
    const image = allocate(page);
    await rename(path, image.path);
    images.set(page, image);
  }
  return images;
}
