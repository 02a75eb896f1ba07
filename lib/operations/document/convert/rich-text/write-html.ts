import { escapeXml } from "#lib/formats/markup/escape.ts";
import type { Block, Cell, Inline, Pictures } from "./model.ts";

/** Writes blocks as XHTML elements. `sourceOf` is the `src` of a picture. */
export function writeBlocks(
  blocks: readonly Block[],
  pictures: Pictures,
  sourceOf: (source: string) => string,
): string {
  const writeAll = (content: readonly Block[]): string => content.map(write).join("\n");
  const write = (block: Block): string => {
    switch (block.kind) {
      case "paragraph": {
        const name = block.level ? `h${block.level}` : "p";
        const direction = block.isRightToLeft ? ' dir="rtl"' : "";
        return `<${name}${direction}>${block.inlines.map(writeInline).join("")}</${name}>`;
      }
      case "list": {
        const isOrdered = block.start !== undefined;
        const start = isOrdered && block.start !== 1 ? ` start="${block.start}"` : "";
        const name = isOrdered ? "ol" : "ul";
        const items = block.items.map((item) => `<li>${writeItem(item)}</li>`);
        return `<${name}${start}>\n${items.join("\n")}\n</${name}>`;
      }
      case "table":
        return writeTable(block.rows);
      case "quote":
        return `<blockquote>\n${writeAll(block.blocks)}\n</blockquote>`;
      case "code":
        return `<pre><code>${escapeXml(block.text)}</code></pre>`;
      case "rule":
        return "<hr/>";
    }
  };
  /** A single paragraph of an item or a cell needs no element. */
  const writeItem = (content: readonly Block[]): string => {
    const [first, ...rest] = content;
    if (first?.kind !== "paragraph" || first.level || first.isRightToLeft) return writeAll(content);
    const text = first.inlines.map(writeInline).join("");
    return rest.length === 0 ? text : `${text}\n${writeAll(rest)}`;
  };
  const writeTable = (rows: readonly (readonly Cell[])[]): string => {
    const body = rows.findIndex((row) => !row.every(({ isHeader }) => isHeader));
    const headRows = body < 0 ? rows.length : body;
    const writeRows = (part: readonly (readonly Cell[])[]) =>
      part.map((row) => `<tr>${row.map(writeCell).join("")}</tr>`).join("\n");
    const head = headRows > 0 ? `<thead>\n${writeRows(rows.slice(0, headRows))}\n</thead>\n` : "";
    return `<table>\n${head}<tbody>\n${writeRows(rows.slice(headRows))}\n</tbody>\n</table>`;
  };
  const writeCell = ({ blocks: content, isHeader, columns, rows }: Cell): string => {
    const name = isHeader ? "th" : "td";
    const spans = `${columns > 1 ? ` colspan="${columns}"` : ""}${rows > 1 ? ` rowspan="${rows}"` : ""}`;
    return `<${name}${spans}>${writeItem(content)}</${name}>`;
  };
  const writeInline = (inline: Inline): string => {
    if (inline.kind === "picture") {
      const picture = pictures.get(inline.source);
      if (!picture) return escapeXml(inline.alt);
      const width = Math.min(inline.width ?? picture.width, picture.width * 4);
      return `<img src="${escapeXml(sourceOf(inline.source))}" alt="${escapeXml(inline.alt)}" width="${width}"/>`;
    }
    const { href, ...marks } = inline.marks;
    const text = escapeXml(inline.text).replaceAll("\n", "<br/>");
    const marked = Object.keys(marks).reduce((content, mark) => {
      const name = elements[mark as keyof typeof elements]; // the keys of `Marks` without `href`
      return `<${name}>${content}</${name}>`;
    }, text);
    return href ? `<a href="${escapeXml(href)}">${marked}</a>` : marked;
  };
  return writeAll(blocks);
}

const elements = {
  bold: "strong",
  italic: "em",
  underline: "u",
  strike: "s",
  code: "code",
  sub: "sub",
  sup: "sup",
} as const;

/** The style of pages: a column of readable width, and tables with lines. */
export const pageStyle = `
body { font: 1em/1.6 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; color: #1f2328; max-width: 46rem; margin: 2.5rem auto; padding: 0 1.25rem; }
h1, h2, h3, h4, h5, h6 { line-height: 1.25; margin: 1.8em 0 0.6em; }
h1 { font-size: 1.9em; margin-top: 0.6em; } h2 { font-size: 1.4em; } h3 { font-size: 1.15em; }
a { color: #0b57d0; } img { max-width: 100%; height: auto; }
table { border-collapse: collapse; margin: 1.2em 0; }
th, td { border: 1px solid #d0d7de; padding: 0.4em 0.8em; text-align: start; vertical-align: top; }
th { background: #f6f8fa; }
blockquote { margin: 1.2em 0; padding-inline-start: 1em; border-inline-start: 3px solid #d0d7de; color: #57606a; }
pre { background: #f6f8fa; padding: 0.9em 1em; overflow-x: auto; } code { font-family: ui-monospace, Consolas, monospace; font-size: 0.92em; }
hr { border: 0; border-top: 1px solid #d0d7de; margin: 2em 0; }
`;
