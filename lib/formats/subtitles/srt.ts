import { type Cue, createCueList, splitTime, toMilliseconds } from "./cues.ts";
import { parseMarkup, parseTagColor, wrapSpan } from "./markup.ts";

/** SubRip (SRT). It has no specification; these are the forms that players accept. */

const time = String.raw`(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[,.:](\d{1,9}))?`;
const timing = new RegExp(
  String.raw`^\s{0,20}${time}\s{0,20}-{1,3}>\s{0,20}${time}(?:\s.{0,500})?$`,
);

export function parseSrt(text: string): Cue[] {
  const lines = text.split(/\r\n|\n|\r/);
  const list = createCueList();
  for (let at = 0; at < lines.length; at++) {
    const match = timing.exec(lines[at] ?? "");
    if (!match) continue;
    const body: string[] = [];
    // Text may contain empty lines. A cue ends where the next begins, with its number.
    while (at + 1 < lines.length && !timing.test(lines[at + 1] ?? "")) body.push(lines[++at] ?? "");
    const isLast = at + 1 >= lines.length;
    if (!isLast && /^\s{0,20}\d{1,9}\s{0,20}$/.test(body.at(-1) ?? "")) body.pop();
    const [, h1, m1, s1, f1, h2, m2, s2, f2] = match;
    list.add({
      start: toMilliseconds(h1, m1, s1, f1),
      end: toMilliseconds(h2, m2, s2, f2),
      ...parseText(body.join("\n").trim()),
    });
  }
  return list.sorted();
}

/** Some writers use the overrides of ASS in SRT: the alignment, and bold, italic and the like. */
function parseText(text: string): Pick<Cue, "spans" | "alignment"> {
  const alignment = Number(/\{\\an([1-9])\}/.exec(text)?.[1] ?? 0);
  const converted = text
    .replaceAll(/\{\\([bius])([01])\}/g, (_, name, on) => (on === "1" ? `<${name}>` : `</${name}>`))
    .replaceAll(/\{\\[^{}]{0,500}\}/g, "");
  const spans = parseMarkup(converted, { styleOf: fontStyle, decode: (raw) => raw });
  return { spans, ...(alignment > 0 ? { alignment } : {}) };
}

function fontStyle(name: string, tag: string) {
  if (name !== "font") return undefined;
  const color = parseTagColor(/\bcolor\s{0,9}=\s{0,9}["']?([#\w]{1,30})/i.exec(tag)?.[1] ?? "");
  return color === undefined ? {} : { color };
}

export function writeSrt(cues: readonly Cue[]): string {
  return cues
    .map((cue, index) => {
      const prefix = cue.alignment && cue.alignment !== 2 ? `{\\an${cue.alignment}}` : "";
      const text = cue.spans.map((span) => wrapSpan(span, span.text, colorTags)).join("");
      return `${index + 1}\n${format(cue.start)} --> ${format(cue.end)}\n${prefix}${fillEmptyLines(text)}\n`;
    })
    .join("\n");
}

const colorTags = (color: string) => [`<font color="${color}">`, "</font>"] as const;

function format(milliseconds: number): string {
  const [clock, rest] = splitTime(milliseconds, 2);
  return `${clock},${`${rest}`.padStart(3, "0")}`;
}

/** An empty line would end the cue. */
export function fillEmptyLines(text: string): string {
  return text.replaceAll(/\n(?=\n)/g, "\n\u00a0");
}
