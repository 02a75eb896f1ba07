/** The root element of SVG files, as bytes in `latin1`: its markup is ASCII in every encoding but UTF-16. */

export interface CssSize {
  /** In CSS pixels, 1/96 inch. */
  readonly width: number;
  readonly height: number;
}

/** CSS pixels of the units of CSS (CSS Values and Units, 6.2). */
const unitPixels: Readonly<Record<string, number>> = {
  "": 1,
  px: 1,
  pt: 96 / 72,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
};

/** Whether a length may be in a unit of print, which libvips measures at the resolution that it draws in. */
export function mayHavePrintUnits(svg: string): boolean {
  return /\d(?:mm|cm|in|pt|pc)\b/i.test(svg);
}

const maxPrologParts = 1000;
const maxTagLength = 20_000;

/** Where the root element begins, after declarations, comments and the document type; undefined if it is not found. */
export function findRoot(svg: string): number | undefined {
  const part = /\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^[>]*(?:\[[^\]]*\]\s*)?>/isy;
  let at = svg.startsWith("\xef\xbb\xbf") ? 3 : 0;
  for (let parts = 0; parts < maxPrologParts; parts++) {
    part.lastIndex = at;
    if (!part.test(svg)) break;
    at = part.lastIndex;
  }
  return /^<([\w-]{1,40}:)?svg[\s>/]/.test(svg.slice(at, at + 50)) ? at : undefined;
}

/** The size that the root element at `start` declares; undefined if it is relative. */
export function readRootSize(svg: string, start: number): CssSize | undefined {
  const tag = /^<(?:[^"'>]|"[^"]*"|'[^']*')*>/;
  const [text = ""] = tag.exec(svg.slice(start, start + maxTagLength)) ?? [];
  const read = (name: string) => {
    const pattern = new RegExp(
      `\\s${name}\\s*=\\s*["']\\s*([\\d.]+)(px|pt|pc|in|cm|mm|)\\s*["']`,
      "i",
    );
    const [, number, unit = ""] = pattern.exec(text) ?? [];
    return Number(number) * (unitPixels[unit.toLowerCase()] ?? Number.NaN);
  };
  const size = { width: read("width"), height: read("height") };
  return size.width > 0 && size.height > 0 ? size : undefined;
}

/**
 * The document with its root in another one of `size`, which is drawn `scale` times as large. Lengths in the
 * document, also those in units of print, keep their ratio to its size.
 */
export function scaleSvg(svg: string, root: number, { width, height }: CssSize, scale: number) {
  const size = `width="${width * scale}px" height="${height * scale}px"`;
  const outer = `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${width} ${height}">`;
  return `${svg.slice(0, root)}${outer}${svg.slice(root)}</svg>`;
}
