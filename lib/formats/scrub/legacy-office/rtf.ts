import { DamagedDataError } from "#lib/media/damaged-data.ts";
import { oleSignature } from "../../ole/ole.ts";
import { anonymousInitials, anonymousName, numberAuthor } from "../anonymous.ts";
import type { Patch, PatchSource } from "../patch.ts";
import { clearImage } from "./clear-image.ts";
import { HexBytes, sourceOfBuffer } from "./hex-bytes.ts";
import { planLegacyOffice } from "./index.ts";
import { type RtfHandler, type RtfWord, readRtf } from "./rtf-reader.ts";
import { WordDates } from "./word-dates.ts";

/** First words of the groups that are removed (RTF 1.9.1). */
const removedGroups = new Set([
  "info",
  "userprops",
  "rsidtbl",
  "generator",
  "template",
  "atndate",
  "atntime",
]);

/** First words of groups that contain a name, and its replacement. */
const renamedGroups = new Map([
  ["atnauthor", anonymousName],
  ["atnid", anonymousInitials],
]);

/** The table with the authors of changes, and the entry that stands for no author. */
const authorTableWord = "revtbl";
const unknownAuthor = "Unknown;";

/** Words whose number is the date of a change, or an editing session. */
const dateWords = new Set([
  "revdttm",
  "revdttmdel",
  "crdate",
  "mvdate",
  "pnrdate",
  "prdate",
  "srdate",
  "trdate",
]);
const sessionWords = new Set([
  "insrsid",
  "delrsid",
  "charrsid",
  "pararsid",
  "sectrsid",
  "tblrsid",
  "styrsid",
]);

/** Words that define the type of the hexadecimal data after them. */
const imageWords = new Set(["jpegblip", "pngblip"]);
const objectWord = "objdata";

/** Replaces what is removed: readers ignore line ends. */
const lineEnds = Buffer.alloc(64 * 1024, "\n");
const noDigits = Array.from({ length: 11 }, (_, length) => Buffer.alloc(length, "0"));

/** A depth that no program writes or reads. */
const maxDepth = 10_000;
const maxPatches = 4_000_000;

/** The hexadecimal data of a group, and the plan of its changes. */
interface Content {
  readonly digits: HexBytes;
  readonly plan: (bytes: Buffer) => Promise<readonly Patch[]>;
}

/** A group that has not ended yet. */
interface Group {
  readonly start: number;
  /** Whether its first word has not been read yet. */
  isNew: boolean;
  isAuthorTable?: boolean;
  /** The function that is called when the group ends, at `end`. */
  finish?: (end: number) => void;
  content?: Content;
}

/**
 * Removes personal metadata from RTF, in place: removed groups become line ends. Comments and tracked
 * changes stay, with "Author" as their author and without dates. Throws `RangeError` if a group does
 * not end, or there is none.
 */
export async function planRtf(source: PatchSource): Promise<Patch[]> {
  if ((await source.read(0, 5)).toString("latin1") !== "{\\rtf")
    throw new DamagedDataError("no RTF");
  const scrub = new RtfScrub();
  scrub.clear(await readRtf(source, scrub), source.size);
  scrub.replaceDates();
  return scrub.patches;
}

class RtfScrub implements RtfHandler {
  readonly patches: Patch[] = [];
  readonly #groups: Group[] = [];
  /** The outermost group that is replaced as a whole, so that its content is ignored. */
  #replaced: Group | undefined;
  #authorCount = 0;
  #entryText = "";
  #pendingContents: Content[] = [];
  readonly #dates = new WordDates();
  readonly #dateNumbers: Pick<RtfWord, "digits" | "digitsEnd" | "number">[] = [];

  open(at: number): void {
    if (this.#groups.length >= maxDepth) throw new DamagedDataError("groups too deep");
    const group: Group = { start: at, isNew: true };
    if (this.#groups.at(-1)?.isAuthorTable && !this.#replaced) {
      this.#entryText = "";
      this.#replace(group, (end) => {
        if (this.#entryText === unknownAuthor) return;
        const name = numberAuthor(++this.#authorCount, end - at - 2);
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
    if (group.content) this.#pendingContents.push(group.content);
  }

  word({ name, digits, digitsEnd, number, end, isDelimited }: RtfWord): void {
    const group = this.#groups.at(-1);
    if (!group || this.#replaced) return;
    if (group.isNew) {
      group.isNew = false;
      const substitute = renamedGroups.get(name);
      if (removedGroups.has(name)) {
        this.#replace(group, (close) => this.clear(group.start, close + 1));
      } else if (substitute) {
        const text = isDelimited ? substitute : ` ${substitute}`;
        this.#replace(group, (close) => this.#rename(end, close, text));
      } else group.isAuthorTable = name === authorTableWord;
    }
    if (sessionWords.has(name)) this.#write(digits, noDigits[digitsEnd - digits] ?? lineEnds);
    if (dateWords.has(name)) {
      this.#dates.add(number);
      this.#dateNumbers.push({ digits, digitsEnd, number });
    }
    if (imageWords.has(name)) group.content = contentOf(async (bytes) => clearImage(bytes));
    if (name === objectWord) group.content = contentOf(planObject);
  }

  symbol(_at: number, symbol: string): void {
    const group = this.#groups.at(-1);
    if (group && symbol !== "*") group.isNew = false;
  }

  text(at: number, bytes: Buffer, isBinary: boolean): void {
    const group = this.#groups.at(-1);
    if (!group) return;
    if (group === this.#replaced && this.#entryText.length < 16) {
      this.#entryText += bytes.toString("latin1", 0, 16);
    }
    if (group.isNew && /[^\r\n]/.test(bytes.toString("latin1", 0, 16))) group.isNew = false;
    group.content?.digits.add(at, bytes, isBinary);
  }

  async pause(): Promise<void> {
    for (const { digits, plan } of this.#pendingContents.splice(0)) {
      const patches = digits.encode(await plan(digits.decode()));
      for (const patch of patches) this.patches.push(patch);
    }
  }

  /** Overwrites the bytes from `start` up to, not including, `end` with line ends. */
  clear(start: number, end: number): void {
    for (let at = start; at < end; at += lineEnds.length) {
      this.#write(at, lineEnds.subarray(0, end - at));
    }
  }

  replaceDates(): void {
    const replace = this.#dates.replace();
    for (const { digits, digitsEnd, number } of this.#dateNumbers) {
      // A minus sign before the digits is replaced with a digit.
      const start = number < 0 ? digits - 1 : digits;
      const text = `${replace(number)}`.padStart(digitsEnd - start, "0");
      if (start + text.length === digitsEnd) this.#write(start, Buffer.from(text));
      else this.#write(digits, noDigits[digitsEnd - digits] ?? lineEnds);
    }
  }

  #replace(group: Group, finish: (end: number) => void): void {
    this.#replaced = group;
    group.finish = finish;
  }

  /** Writes `name`, cut to fit between `start` and `end`; a semicolon at its end stays. */
  #rename(start: number, end: number, name: string): void {
    const length = end - start;
    if (length <= 0) return;
    const last = name.endsWith(";") ? ";" : "";
    const text = name.slice(0, Math.min(name.length, length) - last.length) + last;
    this.#write(start, Buffer.from(text, "latin1"));
    this.clear(start + text.length, end);
  }

  #write(offset: number, bytes: Buffer): void {
    if (this.patches.length >= maxPatches) throw new DamagedDataError("too many changes");
    this.patches.push({ offset, bytes });
  }
}

function contentOf(plan: Content["plan"]): Content {
  return { digits: new HexBytes(), plan };
}

/** An embedded document, after a separate header: a compound file if it is an office document. */
async function planObject(object: Buffer): Promise<readonly Patch[]> {
  const start = object.indexOf(oleSignature);
  if (start < 0) return [];
  const patches = await planLegacyOffice(sourceOfBuffer(object.subarray(start)));
  return patches.map((patch) => ({ ...patch, offset: start + patch.offset }));
}
