/** Tables of HTML as tables of Markdown. */

/** Repeats of a cell that are taken from `colspan` and `rowspan`, which may claim any number. */
const maxSpan = 100;
const maxColumns = 200;

/** Content that a cell of a Markdown table cannot hold: the table only arranges it. */
const blockContent = "table,h1,h2,h3,h4,h5,h6,ul,ol,pre,blockquote,page-mark";

/**
 * A table as Markdown: its first row is the header. A table of one column, or one with blocks in its
 * cells, arranges a page: its cells follow each other as text.
 */
export function renderTable(
  table: HTMLTableElement,
  convert: (cell: HTMLElement) => string,
): string {
  const rows = listRows(table);
  const grid = fillGrid(rows);
  const width = Math.max(0, ...grid.map((row) => row.length));
  const arranges = rows.some((row) => row.some((cell) => cell.querySelector(blockContent)));
  const caption = Array.from(table.children).find(({ nodeName }) => nodeName === "CAPTION");
  const title = caption ? convert(caption as HTMLElement).trim() : "";
  if (arranges || width < 2) {
    const blocks = rows.flat().map((cell) => convert(cell).trim());
    return `\n\n${[title, ...blocks].filter((block) => block !== "").join("\n\n")}\n\n`;
  }
  const texts = grid.map((row) =>
    Array.from({ length: width }, (_, index) => {
      const cell = row[index];
      return cell ? renderCell(convert(cell)) : "";
    }),
  );
  const kept = texts.filter((row) => row.some((text) => text !== ""));
  if (kept.length === 0) return title;
  const [first = [], ...body] = kept;
  // Markdown shows the first row in bold type anyway.
  const header = first.map((text) => text.replace(/^\*\*([^*]+)\*\*$/, "$1"));
  const lines = [header, alignments(grid, width), ...body].map((row) => `| ${row.join(" | ")} |`);
  return `\n\n${title === "" ? "" : `${title}\n\n`}${lines.join("\n")}\n\n`;
}

function listRows(table: HTMLTableElement): HTMLElement[][] {
  const sections = Array.from(table.children).flatMap((element) =>
    /^(THEAD|TBODY|TFOOT)$/.test(element.nodeName) ? Array.from(element.children) : [element],
  );
  return sections
    .filter(({ nodeName }) => nodeName === "TR")
    .map((row) => Array.from(row.children).filter(({ nodeName }) => /^T[DH]$/.test(nodeName)))
    .map((cells) => cells as HTMLElement[]);
}

/** The cells by row and column. A cell over several rows or columns is in the first of each only. */
function fillGrid(rows: readonly HTMLElement[][]): (HTMLElement | undefined)[][] {
  const grid: (HTMLElement | undefined)[][] = rows.map(() => []);
  const taken = rows.map(() => new Set<number>());
  for (const [y, cells] of rows.entries()) {
    let x = 0;
    for (const cell of cells) {
      while (taken[y]?.has(x)) x++;
      if (x >= maxColumns) break;
      const columns = readSpan(cell, "colspan");
      const lines = readSpan(cell, "rowspan");
      for (let row = y; row < Math.min(y + lines, rows.length); row++) {
        for (let column = x; column < x + columns; column++) taken[row]?.add(column);
      }
      const target = grid[y] ?? [];
      target[x] = cell;
      target.length = Math.max(target.length, x + columns);
      x += columns;
    }
  }
  return grid;
}

function readSpan(cell: HTMLElement, name: string): number {
  const span = Number.parseInt(cell.getAttribute(name) ?? "1", 10);
  return Number.isNaN(span) ? 1 : Math.max(1, Math.min(span, maxSpan));
}

function renderCell(markdown: string): string {
  return markdown
    .trim()
    .replace(/\\?\n+/g, "<br>")
    .replace(/(?<!\\)\|/g, "\\|");
}

/** The line under the header; columns whose cells are aligned to the right are so, too. */
function alignments(grid: readonly (HTMLElement | undefined)[][], width: number): string[] {
  const body = grid.length > 1 ? grid.slice(1) : grid;
  return Array.from({ length: width }, (_, column) => {
    const cells = body.flatMap((row) => row[column] ?? []);
    const isRight = (cell: HTMLElement) =>
      cell.getAttribute("align") === "right" ||
      /text-align:\s*(right|end)/.test(cell.getAttribute("style") ?? "");
    return cells.length > 0 && cells.every(isRight) ? "---:" : "---";
  });
}
