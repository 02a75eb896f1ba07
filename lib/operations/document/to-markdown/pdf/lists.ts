import { renderRuns, trimRuns } from "../content/html.ts";
import { markerPattern, type Segment, toSegment } from "./lines.ts";
import type { Run } from "./page.ts";
import { joinLines } from "./text-style.ts";

export interface Marker {
  readonly isOrdered: boolean;
  readonly number: number;
  /** The line without the marker. */
  readonly content: Segment;
  /** Where the text after it begins. */
  readonly textLeft: number;
}

export interface Item {
  readonly left: number;
  readonly marker: Marker;
  readonly lines: readonly Segment[];
}

/** The marker of an item at the start of a line; undefined if it has none. */
export function readMarker(line: Segment): Marker | undefined {
  const [text = ""] = markerPattern.exec(line.text) ?? [];
  if (text === "") return undefined;
  const rest = withoutStart(line.runs, text.length);
  const [first] = rest;
  if (!first) return undefined;
  // A sentence that begins with "A." or a year is no item, without a gap after it.
  const isLetter = /^\(?[a-zA-Z]+[.)]$/.test(text);
  if (isLetter && first.left - line.left < text.length * 0.45 * line.size && !text.endsWith(")"))
    return undefined;
  if (/^[–—-]$/.test(text) && rest.length === 0) return undefined;
  const number = Number(text.replace(/\D/g, ""));
  const isOrdered = /^\(?\d/.test(text) || isLetter;
  return {
    isOrdered,
    number: isLetter || !isOrdered ? 1 : number,
    content: toSegment(rest),
    textLeft: first.left,
  };
}

/** The runs after `count` characters and the white space that follows them. */
function withoutStart(runs: readonly Run[], count: number): Run[] {
  const kept: Run[] = [];
  let left = count;
  for (const run of runs) {
    if (kept.length > 0) {
      kept.push(run);
      continue;
    }
    const text = run.text.trimStart();
    const isWhole = text.length <= left;
    if (isWhole) {
      left -= text.length;
      continue;
    }
    const rest = text.slice(left).trimStart();
    left = 0;
    if (rest === "") continue;
    const share = 1 - rest.length / Math.max(1, run.text.length);
    kept.push({ ...run, text: rest, left: run.left + share * (run.right - run.left) });
  }
  return kept;
}

/** Items as nested lists: one that is further to the right is below the item before it. */
export function renderItems(items: readonly Item[]): string {
  let html = "";
  const open: { left: number; tag: string }[] = [];
  for (const { left, marker, lines } of items) {
    while (open.length > 1 && left < (open.at(-1)?.left ?? 0) - 3)
      html += `</li></${open.pop()?.tag}>`;
    const last = open.at(-1);
    const tag = marker.isOrdered ? "ol" : "ul";
    const start = marker.isOrdered && marker.number > 1 ? ` start="${marker.number}"` : "";
    if (!last || left > last.left + 3) {
      html += `<${tag}${start}>`;
      open.push({ left, tag });
    } else if (last.tag !== tag) {
      html += `</li></${last.tag}><${tag}${start}>`;
      open[open.length - 1] = { left, tag };
    } else {
      html += "</li>";
    }
    html += `<li>${renderRuns(trimRuns(joinLines(lines)))}`;
  }
  for (const { tag } of open.toReversed()) html += `</li></${tag}>`;
  return html;
}
