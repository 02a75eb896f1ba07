import { escapeText } from "#lib/formats/markup/escape.ts";
import { type Cue, type CueSpan, createCueList, splitTime, toMilliseconds } from "./cues.ts";
import { namedColors, parseMarkup, parseTagColor, wrapSpan } from "./markup.ts";
import { fillEmptyLines } from "./srt.ts";

/** Reads and writes WebVTT: https://www.w3.org/TR/webvtt1/ */

const time = String.raw`(?:(\d{1,4}):)?(\d{2}):(\d{2})\.(\d{3})`;
// The arrow needs no spaces, as in browsers.
const timing = new RegExp(String.raw`^\s{0,20}${time}\s{0,20}-->\s{0,20}${time}(\s.{0,500})?$`);

/** Classes of colors: those of the specification, and those of the file's style blocks. */
type Classes = ReadonlyMap<string, string>;

const standardClasses = ["white", "lime", "cyan", "red", "yellow", "magenta", "blue", "black"];

export function parseVtt(text: string): Cue[] {
  const lines = text.split(/\r\n|\n|\r/);
  const list = createCueList();
  const classes = readClasses(text);
  for (let at = 0; at < lines.length; at++) {
    const match = timing.exec(lines[at] ?? "");
    if (!match) continue;
    const body: string[] = [];
    while ((lines[at + 1] ?? "") !== "" && !lines[at + 1]?.includes("-->")) {
      body.push(lines[++at] ?? "");
    }
    const [, h1, m1, s1, f1, h2, m2, s2, f2, settings = ""] = match;
    const raw = body.join("\n").trim();
    const speaker = /<v(?:\.[^\s<>]{0,100})?\s{1,9}([^<>]{1,100})>/.exec(raw)?.[1]?.trim();
    const alignment = readAlignment(settings);
    list.add({
      start: toMilliseconds(h1, m1, s1, f1),
      end: toMilliseconds(h2, m2, s2, f2),
      spans: parseMarkup(raw, { styleOf: (_, tag) => readStyle(tag, classes), decode }),
      ...(alignment === 2 ? {} : { alignment }),
      ...(speaker ? { speaker: decode(speaker) } : {}),
    });
  }
  return list.sorted();
}

function readClasses(text: string): Classes {
  const styles = text.matchAll(
    /::cue\(\.([\w-]{1,60})\)\s{0,20}\{\s{0,20}color:\s{0,9}([#\w]{1,20})/g,
  );
  const own = [...styles].flatMap(([, name = "", value = ""]): [string, string][] => {
    const color = parseTagColor(value);
    return color === undefined ? [] : [[name, color]];
  });
  return new Map([
    ...standardClasses.map((name): [string, string] => [name, namedColors[name] ?? ""]),
    ...own,
  ]);
}

/** Every tag is markup in WebVTT. */
function readStyle(tag: string, classes: Classes): Omit<CueSpan, "text"> {
  const names = /^[a-z]+((?:\.[^\s.<>]{1,60}){1,20})/.exec(tag)?.[1]?.split(".") ?? [];
  const color = names.map((name) => classes.get(name)).findLast((value) => value !== undefined);
  return color === undefined ? {} : { color };
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  nbsp: "\u00a0",
  lrm: "\u200e",
  rlm: "\u200f",
  quot: '"',
};

function decode(text: string): string {
  return text.replaceAll(
    /&(?:(\w{2,6})|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi,
    (whole, name, decimal, hex) => {
      if (name) return Object.hasOwn(entities, name) ? (entities[name] ?? whole) : whole;
      const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
      const isCharacter = code >= 32 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
      return isCharacter ? String.fromCodePoint(code) : whole;
    },
  );
}

function readAlignment(settings: string): number {
  const line = /\bline:(-?\d{1,5}(?:\.\d{1,9})?)(%?)/.exec(settings);
  const align = /\balign:(\w{1,10})/.exec(settings)?.[1] ?? "center";
  const column = /^(start|left)$/.test(align) ? 0 : /^(end|right)$/.test(align) ? 2 : 1;
  const share = line?.[2] ? Number(line[1]) : line && Number(line[1]) >= 0 ? 0 : 100;
  const row = share < 34 ? 2 : share < 67 ? 1 : 0;
  return row * 3 + column + 1;
}

export function writeVtt(cues: readonly Cue[]): string {
  const colors = new Set(cues.flatMap(({ spans }) => spans.flatMap(({ color }) => color ?? [])));
  const rules = [...colors].filter((color) => !className(color).standard);
  const style = rules.map((color) => `::cue(.${className(color).name}) { color: ${color} }\n`);
  const header = `WEBVTT\n\n${style.length > 0 ? `STYLE\n${style.join("")}\n` : ""}`;
  return header + cues.map(writeCue).join("\n");
}

function className(color: string): { name: string; standard: boolean } {
  const name = standardClasses.find((one) => namedColors[one] === color);
  return name ? { name, standard: true } : { name: `c${color.slice(1)}`, standard: false };
}

const colorTags = (color: string) => [`<c.${className(color).name}>`, "</c>"] as const;

function writeCue({ start, end, spans, alignment = 2, speaker }: Cue): string {
  const text = spans.map((span) => wrapSpan(span, escapeText(span.text), colorTags)).join("");
  const voice = speaker ? `<v ${escapeText(speaker.replaceAll(/\s+/g, " "))}>` : "";
  const settings = writeAlignment(alignment);
  return `${format(start)} --> ${format(end)}${settings}\n${voice}${fillEmptyLines(text)}\n`;
}

function writeAlignment(alignment: number): string {
  const row = Math.floor((alignment - 1) / 3);
  const column = (alignment - 1) % 3;
  const line = ["", " line:50%", " line:0"][row] ?? "";
  return line + ([" align:start position:0%", "", " align:end position:100%"][column] ?? "");
}

function format(milliseconds: number): string {
  const [clock, rest] = splitTime(milliseconds, 2);
  return `${clock}.${`${rest}`.padStart(3, "0")}`;
}
