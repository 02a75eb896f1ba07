import { makePdfBytes, pdfStream } from "./pdf-bytes.ts";

/** A page of a PDF that `makePages` writes. Lengths are in points, from the bottom left. */
export interface DrawnPage {
  readonly lines?: readonly DrawnLine[];
  /** Content operators in addition to the lines. */
  readonly content?: string;
  /** The `MediaBox`; by default 300 × 200. */
  readonly box?: readonly [number, number, number, number];
  /** Further entries, such as `/Rotate 90`. Objects that they need follow `extraObjects`. */
  readonly more?: string;
}

export interface DrawnLine {
  readonly text: string;
  readonly x?: number;
  readonly y: number;
  readonly size?: number;
}

export interface PageOptions {
  /** Further objects; the first one has the number `firstExtra(pages)`. */
  readonly extra?: readonly (string | Buffer)[];
  readonly resources?: string;
  readonly catalog?: string;
  readonly trailer?: string;
}

/** The number of the first of `extra`. */
export const firstExtra = (pages: readonly DrawnPage[]): number => 7 + 2 * pages.length;

/**
 * A PDF whose text is in a font that is not embedded: any character, each 0.6 of the size wide, from left
 * to right. Its characters have Unicode values. The Latin font Helvetica is `/H`.
 */
export function makePages(pages: readonly DrawnPage[], options: PageOptions = {}): Buffer {
  const characters = [...new Set(pages.flatMap(({ lines = [] }) => lines.flatMap(charactersOf)))];
  const code = (character: string) => hex(characters.indexOf(character) + 1);
  const kids = pages.map((_, index) => `${7 + 2 * index} 0 R`).join(" ");
  const objects: (string | Buffer)[] = [
    `<< /Type /Catalog /Pages 2 0 R ${options.catalog ?? ""} >>`,
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    "<< /Type /Font /Subtype /Type0 /BaseFont /Noto /Encoding /Identity-H /DescendantFonts [4 0 R] /ToUnicode 5 0 R >>",
    "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Noto /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 600 /FontDescriptor << /Type /FontDescriptor /FontName /Noto /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /StemV 80 >> >>",
    pdfStream("", unicodeMap(characters)),
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  for (const { lines = [], content = "", box = [0, 0, 300, 200], more = "" } of pages) {
    const text = lines.map(
      ({ text, x = 20, y, size = 12 }) =>
        `BT /F ${size} Tf ${x} ${y} Td <${[...text].map(code).join("")}> Tj ET`,
    );
    const resources = `<< /Font << /F 3 0 R /H 6 0 R >> ${options.resources ?? ""} >>`;
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [${box.join(" ")}] /Resources ${resources} /Contents ${objects.length + 2} 0 R ${more} >>`,
      pdfStream("", `${text.join("\n")}\n${content}`),
    );
  }
  objects.push(...(options.extra ?? []));
  const { trailer } = options;
  return makePdfBytes({ objects, ...(trailer ? { trailer } : {}) });
}

const charactersOf = ({ text }: DrawnLine): string[] => [...text];
const hex = (number: number) => number.toString(16).padStart(4, "0");

function unicodeMap(characters: readonly string[]): string {
  const rows = characters.map((character, index) => {
    const units = [...Array(character.length).keys()].map((at) => hex(character.charCodeAt(at)));
    return `<${hex(index + 1)}> <${units.join("")}>`;
  });
  const head =
    "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def 1 begincodespacerange <0000> <ffff> endcodespacerange";
  return `${head} ${rows.length} beginbfchar\n${rows.join("\n")}\nendbfchar endcmap end end`;
}
