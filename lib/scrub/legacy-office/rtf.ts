import { anonymousInitials, anonymousName, numberAuthor } from "../anonymous.ts";
import type { Patch, PatchSource } from "../patch.ts";
import { blankPicture } from "./clear-image.ts";
import { HexBytes, sourceOfBuffer } from "./hex-bytes.ts";
import { planLegacyOffice } from "./index.ts";
import { type RtfHandler, type RtfWord, readRtf } from "./rtf-reader.ts";
import { WordDates } from "./word-dates.ts";

/** Groups that go, by the word that they begin with (RTF 1.9.1). */
const dropped = new Set([
  ...["info", "userprops", "rsidtbl", "generator", "template", "atndate", "atntime"],
]);

/** Groups of a name, and what it becomes. */
const named = new Map([
  ["atnauthor", anonymousName],
  ["atnid", anonymousInitials],
]);

/** The group of groups with the names of those who made changes, and the name that is nobody's. */
const authors = "revtbl";
const unknownAuthor = "Unknown;";

/** Words whose number is the date of a change, and those whose number is an editing session. */
const dated = new Set([
  ...["revdttm", "revdttmdel", "crdate", "mvdate", "pnrdate", "prdate", "srdate", "trdate"],
]);
const sessions = new Set([
  ...["insrsid", "delrsid", "charrsid", "pararsid", "sectrsid", "tblrsid", "styrsid"],
]);

/** Words that say of the digits behind them what they are. */
const pictures = new Set(["jpegblip", "pngblip"]);
const object = "objdata";

/** What stands for nothing: readers pass over line ends. */
const nothing = Buffer.alloc(64 * 1024, "\n");
const noDigits = Array.from({ length: 11 }, (_, length) => Buffer.alloc(length, "0"));

/** Deeper than any program writes or reads. */
const maxDepth = 10_000;
const maxPatches = 4_000_000;

const compoundSignature = Buffer.from("d0cf11e0a1b11ae1", "hex");

/** Bytes in digits that a group holds, and what finds out what to change in them. */
interface Content {
  readonly digits: HexBytes;
  readonly plan: (bytes: Buffer) => Promise<readonly Patch[]>;
}

/** A group that is being read. */
interface Group {
  readonly start: number;
  /** Whether its first word is still to come. */
  isNew: boolean;
  isAuthors?: boolean;
  /** What to do once it has ended at `end`. */
  finish?: (end: number) => void;
  content?: Content;
}

/**
 * RTF without what tells of people, in place: groups that go become line ends; comments and tracked
 * changes stay, their authors called "Author" and undated. Throws `RangeError` where a group does not
 * end, or there is none.
 */
export async function planRtf(source: PatchSource): Promise<Patch[]> {
  if ((await source.read(0, 5)).toString("latin1") !== "{\\rtf") throw new RangeError("no RTF");
  const scrub = new RtfScrub();
  scrub.clear(await readRtf(source, scrub), source.size);
  scrub.replaceDates();
  return scrub.patches;
}

class RtfScrub implements RtfHandler {
  readonly patches: Patch[] = [];
  readonly #groups: Group[] = [];
  /** The outermost group that is replaced whole, so that nothing in it matters. */
  #replaced: Group | undefined;
  #authors = 0;
  #authorText = "";
  #waiting: Content[] = [];
  readonly #dates = new WordDates();
  readonly #dated: Pick<RtfWord, "digits" | "digitsEnd" | "number">[] = [];

  open(at: number): void {
    if (this.#groups.length >= maxDepth) throw new RangeError("groups too deep");
    const group: Group = { start: at, isNew: true };
    if (this.#groups.at(-1)?.isAuthors && !this.#replaced) {
      this.#authorText = "";
      this.#replace(group, (end) => {
        if (this.#authorText === unknownAuthor) return;
        const name = numberAuthor(++this.#authors, end - at - 2);
        this.#rename(at + 1, end, `${name};`);
      });
    }
    this.#groups.push(group);
  }

  close(at: number): void {
    const group = this.#groups.pop();
    if (!group) return;
    if (group === this.#replaced) this.#replaced = undefined;
    group.finish?.(at);
    if (group.content) this.#waiting.push(group.content);
  }

  word({ name, digits, digitsEnd, number, end, isDelimited }: RtfWord): void {
    const group = this.#groups.at(-1);
    if (!group || this.#replaced) return;
    if (group.isNew) {
      group.isNew = false;
      const substitute = named.get(name);
      if (dropped.has(name)) {
        this.#replace(group, (close) => this.clear(group.start, close + 1));
      } else if (substitute) {
        const text = isDelimited ? substitute : ` ${substitute}`;
        this.#replace(group, (close) => this.#rename(end, close, text));
      } else group.isAuthors = name === authors;
    }
    if (sessions.has(name)) this.#write(digits, noDigits[digitsEnd - digits] ?? nothing);
    if (dated.has(name)) {
      this.#dates.add(number);
      this.#dated.push({ digits, digitsEnd, number });
    }
    if (pictures.has(name)) group.content = contentOf(async (bytes) => blankPicture(bytes));
    if (name === object) group.content = contentOf(planObject);
  }

  symbol(_at: number, symbol: string): void {
    const group = this.#groups.at(-1);
    if (group && symbol !== "*") group.isNew = false;
  }

  text(at: number, bytes: Buffer, isBinary: boolean): void {
    const group = this.#groups.at(-1);
    if (!group) return;
    if (group === this.#replaced && this.#authorText.length < 16) {
      this.#authorText += bytes.toString("latin1", 0, 16);
    }
    if (group.isNew && /[^\r\n]/.test(bytes.toString("latin1", 0, 16))) group.isNew = false;
    group.content?.digits.add(at, bytes, isBinary);
  }

  async pause(): Promise<void> {
    for (const { digits, plan } of this.#waiting.splice(0)) {
      const patches = digits.encode(await plan(digits.decode()));
      for (const patch of patches) this.patches.push(patch);
    }
  }

  /** Line ends from `start` to before `end`. */
  clear(start: number, end: number): void {
    for (let at = start; at < end; at += nothing.length) {
      this.#write(at, nothing.subarray(0, end - at));
    }
  }

  replaceDates(): void {
    const replace = this.#dates.replace();
    for (const { digits, digitsEnd, number } of this.#dated) {
      // A sign in front gives way to a digit.
      const start = number < 0 ? digits - 1 : digits;
      const text = `${replace(number)}`.padStart(digitsEnd - start, "0");
      if (start + text.length === digitsEnd) this.#write(start, Buffer.from(text));
      else this.#write(digits, noDigits[digitsEnd - digits] ?? nothing);
    }
  }

  #replace(group: Group, finish: (end: number) => void): void {
    this.#replaced = group;
    group.finish = finish;
  }

  /** `name` as far as it fits between `start` and `end`; what ends in a semicolon keeps that. */
  #rename(start: number, end: number, name: string): void {
    const length = end - start;
    if (length <= 0) return;
    const last = name.endsWith(";") ? ";" : "";
    const text = name.slice(0, Math.min(name.length, length) - last.length) + last;
    this.#write(start, Buffer.from(text, "latin1"));
    this.clear(start + text.length, end);
  }

  #write(offset: number, bytes: Buffer): void {
    if (this.patches.length >= maxPatches) throw new RangeError("too many changes");
    this.patches.push({ offset, bytes });
  }
}

function contentOf(plan: Content["plan"]): Content {
  return { digits: new HexBytes(), plan };
}

/** A document inside the document, behind a header of its own: a compound file, if it is one of ours. */
async function planObject(object: Buffer): Promise<readonly Patch[]> {
  const start = object.indexOf(compoundSignature);
  if (start < 0) return [];
  const patches = await planLegacyOffice(sourceOfBuffer(object.subarray(start)));
  return patches.map((patch) => ({ ...patch, offset: start + patch.offset }));
}
