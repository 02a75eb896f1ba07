import type { CueSpan } from "./cues.ts";

/** Parses the tags of SRT and WebVTT into spans. */

const tagPattern = /<(\/?)([a-zA-Z][^<>]{0,300}|\d[\d:.]{0,20}|)>/g;

type Style = Omit<CueSpan, "text">;

const styleNames: Readonly<Record<string, keyof Style>> = {
  b: "bold",
  i: "italic",
  u: "underline",
  s: "strike",
};

export interface MarkupRules {
  /** The style that a start tag begins, an empty one for tags without effect; undefined: it is text. */
  readonly styleOf: (name: string, tag: string) => Style | undefined;
  readonly decode: (text: string) => string;
}

export function parseMarkup(text: string, { styleOf, decode }: MarkupRules): CueSpan[] {
  const spans: CueSpan[] = [];
  const open: { name: string; style: Style }[] = [];
  const add = (raw: string) => {
    if (raw === "") return;
    const style: Style = Object.assign({}, ...open.map((one) => one.style));
    spans.push({ text: decode(raw), ...style });
  };
  let at = 0;
  for (const { 0: whole, 1: slash, 2: tag = "", index } of text.matchAll(tagPattern)) {
    const name = /^[a-zA-Z]*/.exec(tag)?.[0].toLowerCase() ?? "";
    const style = basicStyle(name) ?? styleOf(name, tag);
    if (!style) continue;
    add(text.slice(at, index));
    at = index + whole.length;
    if (!slash) {
      open.push({ name, style });
      continue;
    }
    const position = open.findLastIndex((one) => one.name === name);
    if (position >= 0) open.splice(position, 1);
  }
  add(text.slice(at));
  return mergeSpans(spans);
}

function basicStyle(name: string): Style | undefined {
  const property = styleNames[name];
  return property && { [property]: true };
}

/** Joins adjacent spans of one style. */
export function mergeSpans(spans: readonly CueSpan[]): CueSpan[] {
  const merged: CueSpan[] = [];
  for (const span of spans) {
    if (span.text === "") continue;
    const last = merged.at(-1);
    if (last && styleKey(last) === styleKey(span)) {
      merged[merged.length - 1] = { ...last, text: last.text + span.text };
    } else {
      merged.push(span);
    }
  }
  return merged;
}

function styleKey({ bold, italic, underline, strike, color }: CueSpan): string {
  return [bold, italic, underline, strike, color].join();
}

/** Returns `text` between the tags of the span's style; `colorTags` are those of its color. */
export function wrapSpan(
  span: CueSpan,
  text: string,
  colorTags: (color: string) => readonly [string, string],
): string {
  const wrapped = span.color === undefined ? text : colorTags(span.color).join(text);
  return Object.entries(styleNames).reduce(
    (inner, [tag, property]) => (span[property] === true ? `<${tag}>${inner}</${tag}>` : inner),
    wrapped,
  );
}

/** The basic colors of HTML and those that WebVTT has classes for. */
export const namedColors: Readonly<Record<string, string>> = {
  black: "#000000",
  white: "#ffffff",
  red: "#ff0000",
  lime: "#00ff00",
  green: "#008000",
  blue: "#0000ff",
  yellow: "#ffff00",
  cyan: "#00ffff",
  aqua: "#00ffff",
  magenta: "#ff00ff",
  fuchsia: "#ff00ff",
  gray: "#808080",
  silver: "#c0c0c0",
  orange: "#ffa500",
};

/** Returns a color in a tag as `#rrggbb`; undefined for others. */
export function parseTagColor(text: string): string | undefined {
  const hex = /^#?([0-9a-f]{6})$/i.exec(text)?.[1];
  if (hex) return `#${hex.toLowerCase()}`;
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(text)?.slice(1);
  if (short) return `#${short.map((digit) => digit + digit).join("")}`.toLowerCase();
  return Object.hasOwn(namedColors, text.toLowerCase())
    ? namedColors[text.toLowerCase()]
    : undefined;
}
