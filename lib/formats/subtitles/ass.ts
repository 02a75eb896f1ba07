import { type Cue, type CueSpan, createCueList, splitTime, toMilliseconds } from "./cues.ts";
import { mergeSpans } from "./markup.ts";

/** Advanced SubStation Alpha (ASS) and its predecessor SSA, as libass reads them. */

/** The word joiner, which ffmpeg, too, puts after a backslash that begins no override. */
const joiner = "\u2060";

const time = /^\s{0,20}(\d{1,3}):(\d{1,2}):(\d{1,2})[.:](\d{1,3})\s{0,20}$/;

export function parseAss(text: string): Cue[] {
  const list = createCueList();
  const styles = new Map<string, number>();
  let section = "";
  let fields: string[] = [];
  for (const line of text.split(/\r\n|\n|\r/)) {
    const heading = /^\s{0,20}\[([^\]]{1,60})\]/.exec(line)?.[1];
    if (heading) {
      section = heading.toLowerCase();
      fields = [];
      continue;
    }
    const [, key = "", rest = ""] =
      /^\s{0,20}(Format|Style|Dialogue)\s{0,9}:(.*)$/i.exec(line) ?? [];
    if (key === "") continue;
    if (key.toLowerCase() === "format") {
      fields = rest.split(",").map((field) => field.trim().toLowerCase());
      continue;
    }
    const values = splitFields(rest, fields.length);
    const read = (name: string) => values[fields.indexOf(name)] ?? "";
    if (key.toLowerCase() === "style") {
      styles.set(read("name").trim(), readAlignment(Number(read("alignment")), section));
      continue;
    }
    const start = readTime(read("start"));
    const end = readTime(read("end"));
    if (start === undefined || end === undefined) continue;
    const { spans, alignment } = parseText(read("text"));
    const chosen = alignment ?? styles.get(read("style").trim().replace(/^\*/, "")) ?? 2;
    const speaker = read("name").trim() || read("actor").trim();
    list.add({
      start,
      end,
      spans,
      ...(chosen === 2 ? {} : { alignment: chosen }),
      ...(speaker ? { speaker } : {}),
    });
  }
  return list.sorted();
}

/** The last field has the rest of the line, with its commas. */
function splitFields(text: string, count: number): string[] {
  const parts = text.split(",");
  if (parts.length <= count) return parts;
  return [...parts.slice(0, count - 1), parts.slice(count - 1).join(",")];
}

function readTime(text: string): number | undefined {
  const [, hours, minutes, seconds, fraction] = time.exec(text) ?? [];
  return seconds === undefined ? undefined : toMilliseconds(hours, minutes, seconds, fraction);
}

/** SSA counts 1 to 3 at the bottom, 5 to 7 at the top and 9 to 11 in the middle. */
function readAlignment(value: number, section: string): number {
  if (section.startsWith("v4+")) return value >= 1 && value <= 9 ? value : 2;
  const column = ((value - 1) & 3) + 1;
  const row = value >= 9 ? 3 : value >= 5 ? 6 : 0;
  return value >= 1 && value <= 11 && column <= 3 ? row + column : 2;
}

function parseText(text: string): { spans: CueSpan[]; alignment?: number } {
  const spans: CueSpan[] = [];
  let style: Omit<CueSpan, "text"> = {};
  let alignment: number | undefined;
  let isDrawing = false;
  // An escaped brace is text.
  for (const [, override, plain = ""] of text.matchAll(
    /\{([^}]{0,5000})\}|((?:\\[{}]|[^{])+|\{)/g,
  )) {
    if (override === undefined) {
      if (!isDrawing) spans.push({ text: decodeText(plain), ...style });
      continue;
    }
    for (const [, name = "", value = ""] of override.matchAll(
      /\\(an|1?c(?=&|$|\\)|p(?=\d)|r|[bius](?=\d|$|\\))([^\\]{0,100})/g,
    )) {
      if (name === "an") alignment = /^[1-9]$/.test(value.trim()) ? Number(value) : alignment;
      else if (name === "p") isDrawing = Number(value) > 0;
      else if (name === "r") style = {};
      else style = { ...style, ...readOverride(name, value.trim()) };
    }
  }
  return { spans: mergeSpans(spans.map(dropUnset)), ...(alignment ? { alignment } : {}) };
}

function readOverride(name: string, value: string): Record<string, boolean | string | undefined> {
  if (name.endsWith("c")) {
    const bgr = /^&H([0-9a-f]{1,8})&?$/i.exec(value)?.[1]?.padStart(6, "0").slice(-6);
    const color = bgr && `#${bgr.slice(4)}${bgr.slice(2, 4)}${bgr.slice(0, 2)}`.toLowerCase();
    return { color };
  }
  const property = { b: "bold", i: "italic", u: "underline", s: "strike" }[name] ?? "";
  // The value of bold may be a weight.
  return { [property]: Number(value) === 1 || Number(value) >= 600 || undefined };
}

function dropUnset(span: CueSpan): CueSpan {
  return Object.fromEntries(
    Object.entries(span).filter(([, value]) => value !== undefined),
    // Only optional properties are left out.
  ) as unknown as CueSpan;
}

function decodeText(text: string): string {
  return text.replaceAll(/\\([Nnh{}]|\u2060)/g, (_, character: string) => {
    if (character === "N" || character === "n") return "\n";
    return character === "h" ? "\u00a0" : character === joiner ? "\\" : character;
  });
}

/** What the drawn text of a file without styles looks like. */
export interface AssStyle {
  /** The width of the frame in pixels. */
  readonly width: number;
  readonly height: number;
  /** The font size in pixels per em. */
  readonly fontSize: number;
  /** The color as `#rrggbb`. */
  readonly color: string;
  /** The opacity from 0, invisible, to 1. */
  readonly opacity: number;
  /** Where cues without an alignment of their own are, as on a numeric keypad. */
  readonly alignment: number;
}

const defaultStyle: AssStyle = {
  width: 1920,
  height: 1080,
  fontSize: 54,
  color: "#ffffff",
  opacity: 1,
  alignment: 2,
};

/** ASS sizes a font by the height of its lines; a line of Noto Sans is this many em high. */
const lineHeight = 1.362;

export function writeAss(cues: readonly Cue[], style: AssStyle = defaultStyle): string {
  const { width, height, fontSize, alignment } = style;
  const margin = (share: number) => Math.round(Math.min(width, height) * share);
  const outline = (fontSize / 18).toFixed(2);
  const alpha = Math.round((1 - style.opacity) * 255);
  const colors = `${assColor(style.color, alpha)},&H000000FF,${assColor("#000000", alpha)},&HFF000000`;
  const font = `Noto Sans,${(fontSize * lineHeight).toFixed(2)}`;
  // The encoding -1 makes libass detect the direction of each text.
  const values = `${alignment},${margin(0.05)},${margin(0.05)},${margin(0.05)},-1`;
  return [
    "[Script Info]",
    "ScriptType: v4.00+",
    `PlayResX: ${width}`,
    `PlayResY: ${height}`,
    "WrapStyle: 0",
    "ScaledBorderAndShadow: yes",
    "",
    "[V4+ Styles]",
    "Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, " +
      "Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, " +
      "Shadow, Alignment, MarginL, MarginR, MarginV, Encoding",
    `Style: Default,${font},${colors},0,0,0,0,100,100,0,0,1,${outline},0,${values}`,
    "",
    "[Events]",
    "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text",
    ...cues.map((cue) => writeDialogue(cue)),
    "",
  ].join("\n");
}

function writeDialogue({ start, end, spans, alignment, speaker = "" }: Cue): string {
  const position = alignment ? `{\\an${alignment}}` : "";
  const text = spans.map(
    (span) => `${startOverride(span)}${encodeText(span.text)}${endOverride(span)}`,
  );
  const name = speaker.replaceAll(/[,\s]+/g, " ");
  return `Dialogue: 0,${format(start)},${format(end)},Default,${name},0,0,0,,${position}${text.join("")}`;
}

const overrideLetters = { bold: "b", italic: "i", underline: "u", strike: "s" } as const;

function setLetters(span: CueSpan): string[] {
  return Object.entries(overrideLetters).flatMap(([property, letter]) =>
    span[property as keyof typeof overrideLetters] ? letter : [],
  );
}

function startOverride(span: CueSpan): string {
  const tags = setLetters(span).map((letter) => `\\${letter}1`);
  if (span.color) tags.push(`\\c${assColor(span.color).replace("&H00", "&H")}&`);
  return tags.length > 0 ? `{${tags.join("")}}` : "";
}

function endOverride(span: CueSpan): string {
  const tags = setLetters(span).map((letter) => `\\${letter}0`);
  if (span.color) tags.push("\\c");
  return tags.length > 0 ? `{${tags.join("")}}` : "";
}

/** Formats a color as `&HAABBGGRR`; an alpha of 0 is solid. */
function assColor(color: string, alpha = 0): string {
  const red = color.slice(1, 3);
  const green = color.slice(3, 5);
  const blue = color.slice(5, 7);
  return `&H${alpha.toString(16).padStart(2, "0")}${blue}${green}${red}`.toUpperCase();
}

function encodeText(text: string): string {
  return text
    .replaceAll("\\", `\\${joiner}`)
    .replaceAll(/[{}]/g, (brace) => `\\${brace}`)
    .replaceAll("\n", "\\N");
}

/** Hundredths of a second. */
function format(milliseconds: number): string {
  const [clock, rest] = splitTime(Math.round(milliseconds / 10) * 10, 1);
  return `${clock}.${`${rest / 10}`.padStart(2, "0")}`;
}
