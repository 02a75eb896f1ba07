import { escapeXml } from "#lib/formats/markup/escape.ts";
import { flatStyles } from "./flat-styles.ts";
import type { Block, Cell, Inline, Marks, Picture, Pictures, RichText } from "./model.ts";

/** The width of the text on an A4 page with margins of 2.5 cm, in centimeters. */
const textWidth = 16;
const textHeight = 23;
const centimetersPerPixel = 2.54 / 96;

/** Writes a text as flat OpenDocument (ODF 1.3), which LibreOffice converts to other formats. */
export function writeFlatText({ title, language, blocks }: RichText, pictures: Pictures): string {
  const writer = new FlatWriter(pictures);
  const body = writer.writeBlocks(blocks, "Text_20_body");
  return flatStyles({
    title: escapeXml(title),
    language,
    automatic: writer.automaticStyles(),
    body,
  });
}

class FlatWriter {
  readonly #pictures: Pictures;
  readonly #characterStyles = new Map<string, string>();
  #tables = 0;
  #frames = 0;

  constructor(pictures: Pictures) {
    this.#pictures = pictures;
  }

  automaticStyles(): string {
    const characters = [...this.#characterStyles].map(
      ([properties, name]) =>
        `<style:style style:name="${name}" style:family="text"><style:text-properties ${properties}/></style:style>`,
    );
    return characters.join("");
  }

  writeBlocks(blocks: readonly Block[], style: string): string {
    return blocks.map((block) => this.#writeBlock(block, style)).join("");
  }

  #writeBlock(block: Block, style: string): string {
    switch (block.kind) {
      case "paragraph": {
        const content = block.inlines.map((inline) => this.#writeInline(inline)).join("");
        if (block.level) {
          const heading = `Heading_20_${block.level}${block.isRightToLeft ? "_20_RTL" : ""}`;
          return `<text:h text:style-name="${heading}" text:outline-level="${block.level}">${content}</text:h>`;
        }
        // A picture in a line of other height than its own would cover the line before it.
        const isFigure = block.inlines.some(({ kind }) => kind === "picture");
        return `<text:p text:style-name="${isFigure ? "Figure" : style}${block.isRightToLeft ? "_20_RTL" : ""}">${content}</text:p>`;
      }
      case "list": {
        const [first = [], ...rest] = block.items;
        const name = block.start === undefined ? "Bullets" : "Numbers";
        const items = [
          this.#writeItem(first, block.start),
          ...rest.map((item) => this.#writeItem(item)),
        ];
        return `<text:list text:style-name="${name}">${items.join("")}</text:list>`;
      }
      case "table":
        return this.#writeTable(block.rows);
      case "quote":
        return this.writeBlocks(block.blocks, "Quotations");
      case "code":
        return block.text
          .split("\n")
          .map(
            (line) =>
              `<text:p text:style-name="Preformatted_20_Text">${writeSpaces(line)}</text:p>`,
          )
          .join("");
      case "rule":
        return `<text:p text:style-name="Horizontal_20_Line"/>`;
    }
  }

  #writeItem(blocks: readonly Block[], start?: number): string {
    const value = start === undefined || start === 1 ? "" : ` text:start-value="${start}"`;
    return `<text:list-item${value}>${this.writeBlocks(blocks, "List_20_Text")}</text:list-item>`;
  }

  /** Cells that a span covers are written as such, so that all rows have the same columns. */
  #writeTable(rows: readonly (readonly Cell[])[]): string {
    const covered = new Map<string, true>();
    const columnCount = Math.min(
      256,
      Math.max(...rows.map((row) => row.reduce((sum, cell) => sum + cell.columns, 0))),
    );
    const lines = rows.map((row, y) => {
      const waiting = [...row];
      let line = "";
      for (let x = 0; x < columnCount; x++) {
        if (covered.has(`${x},${y}`)) {
          line += "<table:covered-table-cell/>";
          continue;
        }
        const cell = waiting.shift();
        if (!cell) {
          line += `<table:table-cell table:style-name="Cell"><text:p/></table:table-cell>`;
          continue;
        }
        const columns = Math.min(cell.columns, columnCount - x);
        const height = Math.min(cell.rows, rows.length - y);
        for (let right = 0; right < columns; right++) {
          for (let down = 0; down < height; down++) {
            if (right > 0 || down > 0) covered.set(`${x + right},${y + down}`, true);
          }
        }
        line += this.#writeCell(cell, columns, height);
      }
      return `<table:table-row>${line}</table:table-row>`;
    });
    const heads = rows.findIndex((row) => !row.every(({ isHeader }) => isHeader));
    const headCount = Math.max(0, heads);
    const head =
      headCount > 0
        ? `<table:table-header-rows>${lines.slice(0, headCount).join("")}</table:table-header-rows>`
        : "";
    const name = `Table${++this.#tables}`;
    return `<table:table table:name="${name}" table:style-name="Table"><table:table-column table:number-columns-repeated="${columnCount}"/>${head}${lines.slice(headCount).join("")}</table:table><text:p text:style-name="Gap"/>`;
  }

  #writeCell({ blocks, isHeader }: Cell, columns: number, rows: number): string {
    const spans = `${columns > 1 ? ` table:number-columns-spanned="${columns}"` : ""}${rows > 1 ? ` table:number-rows-spanned="${rows}"` : ""}`;
    const style = isHeader ? "Table_20_Heading" : "Table_20_Contents";
    const content = this.writeBlocks(blocks, style) || `<text:p text:style-name="${style}"/>`;
    const name = isHeader ? "HeadCell" : "Cell";
    return `<table:table-cell table:style-name="${name}"${spans}>${content}</table:table-cell>`;
  }

  #writeInline(inline: Inline): string {
    if (inline.kind === "picture") {
      const picture = this.#pictures.get(inline.source);
      return picture ? this.#writePicture(picture, inline) : escapeXml(inline.alt);
    }
    const { href, ...marks } = inline.marks;
    const text = inline.text.split("\n").map(writeSpaces).join("<text:line-break/>");
    const style = this.#characterStyle(marks);
    const span = style ? `<text:span text:style-name="${style}">${text}</text:span>` : text;
    if (!href) return span;
    return `<text:a xlink:type="simple" xlink:href="${escapeXml(href)}">${span}</text:a>`;
  }

  #characterStyle(marks: Marks): string | undefined {
    const properties = Object.keys(marks)
      .map((mark) => characterProperties[mark as keyof typeof characterProperties]) // keys of `Marks`
      .join(" ");
    if (!properties) return undefined;
    const name = this.#characterStyles.get(properties) ?? `T${this.#characterStyles.size + 1}`;
    this.#characterStyles.set(properties, name);
    return name;
  }

  #writePicture(picture: Picture, { alt, width }: { alt: string; width?: number }): string {
    const wanted = (width ?? picture.width) * centimetersPerPixel;
    const ratio = picture.height / picture.width;
    const shown = Math.min(wanted, textWidth, textHeight / ratio);
    const size = `svg:width="${shown.toFixed(3)}cm" svg:height="${(shown * ratio).toFixed(3)}cm"`;
    const title = alt ? `<svg:title>${escapeXml(alt)}</svg:title>` : "";
    const name = `Picture ${++this.#frames}`;
    return `<draw:frame draw:style-name="Picture" draw:name="${name}" text:anchor-type="as-char" ${size}><draw:image><office:binary-data>${picture.content.toString("base64")}</office:binary-data></draw:image>${title}</draw:frame>`;
  }
}

const strong =
  'fo:font-weight="bold" style:font-weight-asian="bold" style:font-weight-complex="bold"';

const characterProperties = {
  bold: strong,
  italic:
    'fo:font-style="italic" style:font-style-asian="italic" style:font-style-complex="italic"',
  underline: 'style:text-underline-style="solid" style:text-underline-width="auto"',
  strike: 'style:text-line-through-style="solid"',
  code: 'style:font-name="Mono" style:font-name-asian="Mono" style:font-name-complex="Mono"',
  sub: 'style:text-position="sub 65%"',
  sup: 'style:text-position="super 65%"',
} as const;

/** Text in which each run of spaces is kept (ODF 1.3, 6.1.3). */
function writeSpaces(text: string): string {
  return escapeXml(text)
    .replaceAll("\t", "<text:tab/>")
    .replace(/ {2,}|^ /g, (spaces) => `<text:s text:c="${spaces.length}"/>`);
}
