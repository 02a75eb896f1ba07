import { JobError } from "#lib/errors.ts";

/** The tags of templates: `{name}`, `{#items}`, `{^items}`, `{/items}` and `{%logo}`. */

export type TagKind = "value" | "open" | "inverted" | "close" | "picture";

export interface Tag {
  readonly kind: TagKind;
  /** Names separated by dots, or `.` for the item of a loop. */
  readonly name: string;
}

const pattern =
  /\{\s*(?:([#^/%])\s*)?(\.|[\p{L}_$][\p{L}\p{M}\p{N}_$-]*(?:\.[\p{L}\p{M}\p{N}_$-]+)*)\s*\}/gu;

const unclosed = /\{\s*(?:[#^/%]\s*)?[\p{L}_$][\p{L}\p{M}\p{N}_$.-]*\s*$|\{\s*[#^/%]\s*[\p{L}_$]/u;

const kinds: Readonly<Record<string, TagKind>> = {
  "": "value",
  "#": "open",
  "^": "inverted",
  "/": "close",
  "%": "picture",
};

const maxQuoteLength = 80;

/** Sections in each other. */
const maxDepth = 50;

/** A text and its tags, in order. Throws `JobError("corrupt")` if a tag is not closed. */
export function splitTags(text: string, place: string): (string | Tag)[] {
  if (!text.includes("{")) return [text];
  const pieces: (string | Tag)[] = [];
  let from = 0;
  for (const found of text.matchAll(pattern)) {
    if (found.index > from) pieces.push(text.slice(from, found.index));
    pieces.push({ kind: kinds[found[1] ?? ""] ?? "value", name: found[2] ?? "" });
    from = found.index + found[0].length;
  }
  if (from < text.length) pieces.push(text.slice(from));
  for (const piece of pieces) {
    const open = typeof piece === "string" ? unclosed.exec(piece) : null;
    if (open) throw templateError(place, quote(piece.toString().slice(open.index)), "it has no }");
  }
  return pieces;
}

const signs = { value: "", open: "#", inverted: "^", close: "/", picture: "%" } as const;

/** A tag as it is in the template. */
export function rawTag({ kind, name }: Tag): string {
  return `{${signs[kind]}${name}}`;
}

/** A tag as errors show it. */
export function tagText({ kind, name }: Tag): string {
  if (kind === "close") return `the closing tag of ${quote(name)}`;
  return `{${signs[kind]}${quote(name)}}`;
}

/** The error of a template whose tag `tag` fails for this reason. */
export function templateError(place: string, tag: string, reason: string): JobError {
  return new JobError("corrupt", `The template failed in ${place}, ${tag}: ${reason}.`);
}

/** The index of the tag that closes the one at `start`. Throws `JobError("corrupt")`. */
export function findClose(
  tags: readonly { readonly tag: Tag; readonly place: string }[],
  start: number,
): number {
  const open: (typeof tags)[number][] = [];
  for (let index = start; index < tags.length; index++) {
    const entry = tags[index];
    if (!entry) break;
    const { kind, name } = entry.tag;
    if (kind === "open" || kind === "inverted") open.push(entry);
    if (open.length > maxDepth) {
      throw new JobError("too_complex", "The sections of the template are nested too deeply.");
    }
    if (kind !== "close") continue;
    const last = open.pop();
    if (last?.tag.name !== name) throw unexpectedClose(entry, last);
    if (open.length === 0) return index;
  }
  const last = open.at(-1);
  if (!last) throw new Error("the tag opens nothing");
  throw templateError(last.place, tagText(last.tag), "it is not closed");
}

/** The error of a closing tag that does not close the tag `open`, or any. */
export function unexpectedClose(
  { tag, place }: { readonly tag: Tag; readonly place: string },
  open?: { readonly tag: Tag },
): JobError {
  const reason = open
    ? `{#${quote(open.tag.name)}} must be closed first`
    : `there is no {#${quote(tag.name)}} before it`;
  return templateError(place, tagText(tag), reason);
}

/** One line without slashes, which could be read as paths. */
function quote(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\s\\]+/gu, " ").trim();
  return line.length > maxQuoteLength ? `${line.slice(0, maxQuoteLength)}…` : line;
}
