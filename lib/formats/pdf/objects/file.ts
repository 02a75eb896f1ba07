import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { IncompleteValueError, PdfParser } from "./parser.ts";
import { isArray, isDict, type PdfArray, type PdfDict, PdfRef, type PdfValue } from "./values.ts";
import type { StreamData } from "./writer.ts";

/** Bytes that are read of one object first. Few are longer, apart from the data of streams. */
const windowBytes = 8 * 1024;

/** Objects that the cache holds; a page tree and its pages are read several times. */
const maxCached = 50_000;

/** Data of streams is copied in parts of this size. */
const partBytes = 2 ** 20;

/** References that lead to further references. */
const maxIndirections = 20;

export interface PdfObject {
  readonly value: PdfValue;
  /** Where the data of a stream is, as it is stored. */
  readonly data?: { readonly offset: number; readonly length: number };
}

const missing: PdfObject = { value: null };

/**
 * Reads the objects of a PDF that `normalizePdf` has written: with a cross-reference table and without
 * object streams. Changes are made in memory with `set`.
 */
export class PdfFile {
  readonly trailer: PdfDict;
  /** The version of the file, such as `1.7`. */
  readonly version: string;
  readonly #descriptor: number;
  readonly #size: number;
  readonly #offsets: readonly number[];
  /** The offsets in the order of the file, with its end: an object ends where the next one starts. */
  readonly #ends: ReadonlyMap<number, number>;
  readonly #cache = new Map<number, PdfObject>();
  readonly #changed = new Map<number, PdfObject>();

  constructor(path: string) {
    this.#descriptor = openSync(path, "r");
    this.#size = fstatSync(this.#descriptor).size;
    const tail = this.#readText(Math.max(0, this.#size - 64), 64);
    const start = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(tail)?.[1] ?? Number.NaN);
    const table = this.#readText(start, this.#size - start);
    const [heading, rows] = /^xref\s+0 (\d+)\s*?\n/.exec(table) ?? [];
    if (!heading) throw new Error("qpdf wrote no cross-reference table");
    this.#offsets = Array.from({ length: Number(rows) }, (_, number) => {
      const row = table.slice(heading.length + 20 * number, heading.length + 20 * number + 18);
      return row.endsWith("n") ? Number(row.slice(0, 10)) : 0;
    });
    const sorted = this.#offsets.filter((offset) => offset > 0).toSorted((a, b) => a - b);
    this.#ends = new Map(sorted.map((offset, index) => [offset, sorted[index + 1] ?? start]));
    const trailer = new PdfParser(table, table.indexOf("trailer") + 7).readValue();
    if (!isDict(trailer)) throw new Error("qpdf wrote no trailer");
    this.trailer = trailer;
    this.version = /^%PDF-(\d\.\d)/.exec(this.#readText(0, 16))?.[1] ?? "1.7";
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  get catalog(): PdfDict {
    return this.dict(this.trailer["/Root"]);
  }

  /** The value that `value` refers to, or itself. */
  resolve(value: PdfValue | undefined): PdfValue {
    let found = value ?? null;
    for (let count = 0; found instanceof PdfRef; count++) {
      if (count > maxIndirections) return null;
      found = this.object(found.number).value;
    }
    return found;
  }

  /** The dictionary that `value` is or refers to; an empty one if there is none. */
  dict(value: PdfValue | undefined): PdfDict {
    const found = this.resolve(value);
    return isDict(found) ? found : {};
  }

  /** The array that `value` is or refers to; an empty one if there is none. */
  array(value: PdfValue | undefined): PdfArray {
    const found = this.resolve(value);
    return isArray(found) ? found : [];
  }

  object(number: number): PdfObject {
    const known = this.#changed.get(number) ?? this.#cache.get(number);
    if (known) return known;
    const object = this.#readObject(number);
    if (this.#cache.size >= maxCached) this.#cache.clear();
    this.#cache.set(number, object);
    return object;
  }

  /** Replaces the value of an object, or the dictionary of a stream. */
  set({ number }: PdfRef, value: PdfValue): void {
    this.#changed.set(number, { ...this.object(number), value });
  }

  /** Discards all changes. */
  reset(): void {
    this.#changed.clear();
  }

  /** The stored data of a stream. */
  readData({ data }: PdfObject): StreamData | undefined {
    return data && { length: data.length, parts: this.#readParts(data.offset, data.length) };
  }

  *#readParts(offset: number, length: number): Generator<Buffer> {
    for (let done = 0; done < length; done += partBytes) {
      yield this.#read(offset + done, Math.min(partBytes, length - done));
    }
  }

  #readObject(number: number): PdfObject {
    const offset = this.#offsets[number] ?? 0;
    if (offset === 0) return missing;
    const size = (this.#ends.get(offset) ?? this.#size) - offset;
    try {
      return this.#parseObject(offset, Math.min(size, windowBytes));
    } catch (error) {
      if (!(error instanceof IncompleteValueError) || size <= windowBytes) throw error;
      return this.#parseObject(offset, size);
    }
  }

  #parseObject(offset: number, length: number): PdfObject {
    const text = this.#readText(offset, length);
    const start = text.indexOf("obj");
    const parser = new PdfParser(text, start + 3);
    const value = parser.readValue();
    if (parser.skip("endobj")) return { value };
    if (!parser.skip("stream\n")) throw new IncompleteValueError();
    const { "/Length": bytes, ...dict } = this.#asDict(value);
    if (typeof bytes !== "number") throw new Error("qpdf wrote a stream without its length");
    return { value: dict, data: { offset: offset + parser.position, length: bytes } };
  }

  #asDict(value: PdfValue): PdfDict {
    if (!isDict(value)) throw new Error("a stream has no dictionary");
    return value;
  }

  #readText(offset: number, length: number): string {
    return this.#read(offset, length).toString("latin1");
  }

  #read(offset: number, length: number): Buffer {
    const buffer = Buffer.allocUnsafe(Math.max(0, length));
    const bytes = readSync(this.#descriptor, buffer, 0, buffer.length, offset);
    return buffer.subarray(0, bytes);
  }
}
