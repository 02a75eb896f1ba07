import { DamagedDataError } from "#lib/media/damaged-data.ts";
import type { PatchSource } from "../patch.ts";

/** A control word of an RTF file, `\word-12`, with its delimiting space. */
export interface RtfWord {
  readonly name: string;
  /** Where the word begins, the digits of its number begin and end, and it ends with its delimiter. */
  readonly start: number;
  readonly digits: number;
  readonly digitsEnd: number;
  readonly end: number;
  /** The number after the word; 0 if it has none. */
  readonly number: number;
  /** Whether the delimiter is a space, which belongs to the word. */
  readonly isDelimited: boolean;
}

/** Receives the tokens of an RTF file in order. Offsets are from the start of the file. */
export interface RtfHandler {
  /** Handles a `{`. */
  open(at: number): void;
  /** Handles a `}`. */
  close(at: number): void;
  word(word: RtfWord): void;
  /** A backslash and a character that is no letter. The digits of `\'e9` are not reported as text. */
  symbol(at: number, symbol: string): void;
  /** Handles text, in chunks of any length, or the bytes after `\bin`. */
  text(at: number, bytes: Buffer, isBinary: boolean): void;
  /** The function that is called after each window of the file, for asynchronous work. */
  pause(): Promise<void>;
}

const windowBytes = 2 ** 20;
/** No control word is longer: 32 letters, a sign, 10 digits (RTF 1.9.1, "Control Word"). */
const maxWordBytes = 64;

const code = { open: 0x7b, close: 0x7d, backslash: 0x5c, space: 0x20, minus: 0x2d };

/**
 * Reads the first group of an RTF file, of any depth, and returns where it ends. Throws `RangeError`
 * if it does not end.
 */
export async function readRtf(source: PatchSource, handler: RtfHandler): Promise<number> {
  let depth = 0;
  let position = 0;
  let binary = 0; // remaining bytes of the binary data after `\bin`
  while (position < source.size) {
    const start = position;
    const window = await source.read(start, Math.min(windowBytes, source.size - start));
    const isLast = start + window.length === source.size;
    const limit = isLast ? window.length : window.length - maxWordBytes;
    let at = 0;
    while (at < limit) {
      if (binary > 0) {
        const end = Math.min(at + binary, window.length);
        handler.text(start + at, window.subarray(at, end), true);
        binary -= end - at;
        at = end;
        continue;
      }
      const byte = window[at];
      if (byte === code.open) {
        depth++;
        handler.open(start + at);
        at++;
      } else if (byte === code.close) {
        depth--;
        handler.close(start + at);
        at++;
        if (depth <= 0) {
          await handler.pause();
          return start + at;
        }
      } else if (byte === code.backslash) {
        const word = readWord(window, at);
        if (word) {
          handler.word(shift(word, start));
          if (word.name === "bin") binary = Math.max(0, word.number);
          at = word.end;
        } else {
          const symbol = String.fromCharCode(window[at + 1] ?? 0);
          handler.symbol(start + at, symbol);
          at += symbol === "'" ? 4 : 2;
        }
      } else {
        const end = endOfText(window, at);
        handler.text(start + at, window.subarray(at, end), false);
        at = end;
      }
    }
    position = start + at;
    await handler.pause();
  }
  throw new DamagedDataError("group without its end");
}

function readWord(window: Buffer, start: number): RtfWord | undefined {
  let at = start + 1;
  while (at - start <= 32 && isLetter(window[at] ?? 0)) at++;
  if (at === start + 1) return undefined;
  const name = window.toString("latin1", start + 1, at);
  if (window[at] === code.minus && isDigit(window[at + 1] ?? 0)) at++;
  const digits = at;
  while (at - digits < 10 && isDigit(window[at] ?? 0)) at++;
  const isDelimited = window[at] === code.space;
  const sign = window[digits - 1] === code.minus ? -1 : 1;
  const number = sign * Number(window.toString("latin1", digits, at));
  const end = isDelimited ? at + 1 : at;
  return { name, start, digits, digitsEnd: at, end, number, isDelimited };
}

function shift(word: RtfWord, by: number): RtfWord {
  const { start, digits, digitsEnd, end } = word;
  const moved = { start: start + by, digits: digits + by, digitsEnd: digitsEnd + by };
  return { ...word, ...moved, end: end + by };
}

function endOfText(window: Buffer, start: number): number {
  let at = start;
  while (at < window.length) {
    const byte = window[at];
    if (byte === code.open || byte === code.close || byte === code.backslash) break;
    at++;
  }
  return at;
}

const isLetter = (byte: number) => (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
const isDigit = (byte: number) => byte >= 0x30 && byte <= 0x39;
