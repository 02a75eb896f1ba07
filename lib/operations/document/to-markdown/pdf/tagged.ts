import { escapeHtml } from "#lib/formats/markup/escape.ts";
import { renderRuns, trimRuns } from "../content/html.ts";
import { renderCode } from "./code.ts";
import { findRows, type Segment, toSegment } from "./lines.ts";
import { type Box, enclose, type Page, type Run, type StructureNode } from "./page.ts";
import { joinLines } from "./text-style.ts";

/** Reads a page of a tagged PDF in the order and with the roles of its structure tree. */

/** The share of the page's characters that the tree must have. Some trees are incomplete. */
const minShare = 0.9;
const maxDepth = 200;

type Node = StructureNode["children"][number];

/** The page as HTML; undefined if its structure does not say enough. */
export function renderTagged(page: Page): string | undefined {
  const { structure, runs } = page;
  if (!structure) return undefined;
  const byMark = new Map<string, Run[]>();
  for (const run of runs) {
    if (run.mark !== undefined) byMark.set(run.mark, [...(byMark.get(run.mark) ?? []), run]);
  }
  const content = runs.filter(({ isArtifact }) => !isArtifact);
  const tagged = collect(structure, byMark);
  if (length(tagged) < minShare * length(content) || content.length === 0) return undefined;
  return renderNode(structure, byMark, 0);
}

/** Whether the structure of a document says which texts are headings, items or cells. */
export function hasRoles(pages: readonly Page[]): boolean {
  return pages.some(({ structure }) => structure && findRole(structure, 0));
}

function findRole(node: Node, depth: number): boolean {
  if (!isNode(node) || depth > maxDepth) return false;
  return (
    /^(H\d?|L|Table|Title)$/.test(node.role) ||
    node.children.some((one) => findRole(one, depth + 1))
  );
}

function isNode(node: Node): node is StructureNode {
  return "role" in node;
}

function collect(node: Node, byMark: ReadonlyMap<string, Run[]>, depth = 0): Run[] {
  if (!isNode(node)) return byMark.get(node.id) ?? [];
  return depth > maxDepth ? [] : node.children.flatMap((one) => collect(one, byMark, depth + 1));
}

function length(runs: readonly Run[]): number {
  return runs.reduce((sum, { text }) => sum + text.trim().length, 0);
}

type Marks = ReadonlyMap<string, Run[]>;

const blockRoles =
  /^(H\d?|Title|P|L|LI|LBody|Table|BlockQuote|Figure|Caption|Note|TOC|TOCI|Sect|Part|Art|Div|Document|Aside|Formula)$/;

function renderNode(node: Node, marks: Marks, depth: number): string {
  if (!isNode(node)) return renderText(collect(node, marks), "p");
  if (depth > maxDepth) return "";
  const { role } = node;
  const level =
    /^H([1-6])$/.exec(role)?.[1] ?? (role === "Title" || role === "H" ? "1" : undefined);
  if (level) return renderText(collect(node, marks), `h${level}`, true);
  const inside = () => renderChildren(node, marks, depth);
  if (role === "L" || role === "TOC") return renderList(node, marks, depth);
  if (role === "Table") return renderTable(node, marks, depth);
  if (role === "BlockQuote") return `<blockquote>${inside()}</blockquote>`;
  if (role === "Figure" && node.alt) return `<p>${escapeHtml(node.alt)}</p>${inside()}`;
  return inside();
}

/** Blocks below a node; text between them is put together to paragraphs. */
function renderChildren(node: StructureNode, marks: Marks, depth: number): string {
  const parts: string[] = [];
  let text: Run[] = [];
  const flush = () => {
    parts.push(renderText(text, "p"));
    text = [];
  };
  for (const one of node.children) {
    if (isNode(one) && (blockRoles.test(one.role) || hasBlock(one, depth))) {
      flush();
      parts.push(renderNode(one, marks, depth + 1));
    } else {
      text.push(...collect(one, marks));
    }
  }
  flush();
  return parts.join("");
}

function hasBlock(node: StructureNode, depth: number): boolean {
  if (depth > maxDepth) return false;
  return node.children.some(
    (one) => isNode(one) && (blockRoles.test(one.role) || hasBlock(one, depth + 1)),
  );
}

function renderText(runs: readonly Run[], tag: string, plain = false): string {
  const lines = toLines(runs);
  const isCode = tag === "p" && lines.length > 1 && runs.every(({ mono }) => mono);
  if (isCode)
    return renderCode(lines.map((line, index) => ({ ...line, gap: gapAbove(lines, index) })));
  const html = renderInline(runs, plain);
  return html === "" ? "" : `<${tag}>${html}</${tag}>`;
}

function gapAbove(lines: readonly Segment[], index: number): number {
  return (lines[index]?.baseline ?? 0) - (lines[index - 1]?.baseline ?? 0);
}

function renderInline(runs: readonly Run[], plain = false): string {
  return renderRuns(trimRuns(joinLines(toLines(runs), plain)));
}

function toLines(runs: readonly Run[]): Segment[] {
  return splitColumns(runs)
    .flatMap(findRows)
    .map(({ segments }) => toSegment(segments.flatMap((one) => one.runs)));
}

/** The parts of a text that goes on at the top of another column: each part is above the lines before it. */
function splitColumns(runs: readonly Run[]): Run[][] {
  const columns: Run[][] = [];
  let box: Box | undefined;
  for (const [index, run] of runs.entries()) {
    const last = runs[index - 1];
    const isHigher = last && run.baseline < last.baseline - Math.max(last.size, run.size);
    const isAside = box && (run.left >= box.right || run.right <= box.left);
    if (!box || (isHigher && isAside)) {
      columns.push([run]);
      box = run;
    } else {
      columns.at(-1)?.push(run);
      box = enclose([box, run]);
    }
  }
  return columns;
}

function renderList(node: StructureNode, marks: Marks, depth: number): string {
  const items = node.children.filter(isNode).map((item) => {
    if (item.role === "L") return { html: renderNode(item, marks, depth + 1), label: "" };
    const labels = item.children.filter((one) => isNode(one) && one.role === "Lbl");
    const label = labels
      .flatMap((one) => collect(one, marks))
      .map(({ text }) => text)
      .join("")
      .trim();
    const body = { ...item, children: item.children.filter((one) => !labels.includes(one)) };
    const html = renderChildren(body, marks, depth + 1).replace(/^<p>(.*?)<\/p>/s, "$1");
    return { html, label };
  });
  const numbers = items.map(({ label }) => /^\(?(\d{1,6})[.)]?$/.exec(label)?.[1]);
  const isOrdered = items.length > 0 && numbers.every((number) => number !== undefined);
  const start = isOrdered && numbers[0] !== "1" ? ` start="${Number(numbers[0])}"` : "";
  const tag = isOrdered ? "ol" : "ul";
  const content = items.filter(({ html }) => html !== "").map(({ html }) => `<li>${html}</li>`);
  return content.length === 0 ? "" : `<${tag}${start}>${content.join("")}</${tag}>`;
}

function renderTable(node: StructureNode, marks: Marks, depth: number): string {
  const rows = node.children
    .filter(isNode)
    .flatMap((one) => (/^T(Head|Body|Foot)$/.test(one.role) ? one.children.filter(isNode) : [one]));
  const lines = rows
    .filter(({ role }) => role === "TR")
    .map(({ children }) =>
      children
        .filter(isNode)
        .map((cell) => `<td>${renderCellContent(cell, marks, depth)}</td>`)
        .join(""),
    );
  const caption = rows.find(({ role }) => role === "Caption");
  const title = caption ? renderText(collect(caption, marks), "p") : "";
  return `${title}<table>${lines.map((line) => `<tr>${line}</tr>`).join("")}</table>`;
}

function renderCellContent(cell: StructureNode, marks: Marks, depth: number): string {
  if (cell.children.filter(isNode).filter(({ role }) => blockRoles.test(role)).length > 1) {
    return renderChildren(cell, marks, depth + 1);
  }
  return renderInline(collect(cell, marks));
}
