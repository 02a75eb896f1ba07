import { createHash } from "node:crypto";
import { closeSync, openSync, writeSync } from "node:fs";
import { deflateSync } from "node:zlib";
import { serialize } from "./serialize.ts";
import { byteString } from "./text.ts";
import { type PdfDict, PdfRef, type PdfString, type PdfValue } from "./values.ts";

/** Bytes that are collected before they are written. */
const bufferBytes = 2 ** 20;

/** Objects in one object stream; readers inflate a whole stream for each object that they need. */
const objectsPerStream = 100;

/** Where an object is: in the file, or in an object stream. */
type Location = { readonly offset: number } | { readonly stream: number; readonly index: number };

/** The data of a stream: bytes, or functions that write parts of another file. */
export interface StreamData {
  readonly length: number;
  /** The parts of the data, in order. */
  readonly parts: Iterable<Buffer>;
}

/**
 * Writes a PDF, with object streams if its version knows them: 1.5 and later. Earlier versions, such as PDF/A-1, get
 * a cross-reference table. Memory does not grow with the size of the streams: their data goes to the file at once.
 */
export class PdfWriter {
  readonly #descriptor: number;
  readonly #hash = createHash("md5");
  readonly #compressesObjects: boolean;
  readonly #locations: (Location | undefined)[] = [undefined];
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #offset = 0;
  #objects: { readonly number: number; readonly text: string }[] = [];

  /** The constructor takes the least version of the file, such as `1.7`. */
  constructor(path: string, version = "1.7") {
    this.#descriptor = openSync(path, "w");
    this.#compressesObjects = Number(version) >= 1.5;
    this.#write(Buffer.from(`%PDF-${version}\n%\xe2\xe3\xcf\xd3\n`, "latin1"));
  }

  /** A reference to an object that is written later. */
  allocate(): PdfRef {
    this.#locations.push(undefined);
    return new PdfRef(this.#locations.length - 1);
  }

  add(value: PdfValue): PdfRef {
    const ref = this.allocate();
    this.write(ref, value);
    return ref;
  }

  addStream(dict: PdfDict, data: Buffer): PdfRef {
    const ref = this.allocate();
    this.writeStream(ref, dict, { length: data.length, parts: [data] });
    return ref;
  }

  /** A compressed stream. */
  addDeflated(dict: PdfDict, data: Buffer): PdfRef {
    return this.addStream({ ...dict, "/Filter": "/FlateDecode" }, deflateSync(data));
  }

  write({ number }: PdfRef, value: PdfValue): void {
    if (!this.#compressesObjects) {
      this.#locations[number] = { offset: this.#offset };
      this.#write(Buffer.from(`${number} 0 obj\n${serialize(value)}\nendobj\n`, "latin1"));
      return;
    }
    this.#objects.push({ number, text: serialize(value) });
    if (this.#objects.length >= objectsPerStream) this.#flushObjects();
  }

  writeStream({ number }: PdfRef, dict: PdfDict, { length, parts }: StreamData): void {
    this.#locations[number] = { offset: this.#offset };
    const head = `${number} 0 obj\n${serialize({ ...dict, "/Length": length })}\nstream\n`;
    this.#write(Buffer.from(head, "latin1"));
    for (const part of parts) this.#write(part);
    this.#write(Buffer.from("\nendstream\nendobj\n"));
  }

  /** Writes the rest and closes the file. `originalId`: the first part of the identifier to keep. */
  finish({ root, info, originalId }: PdfTrailer): void {
    if (this.#objects.length > 0) this.#flushObjects();
    const id = byteString(this.#hash.copy().digest());
    const trailer: PdfDict = {
      "/Root": root,
      ...(info ? { "/Info": info } : {}),
      "/ID": [originalId ?? id, id],
    };
    const start = this.#offset;
    if (this.#compressesObjects) this.#writeTableStream(trailer);
    else this.#writeTable(trailer);
    this.#write(Buffer.from(`startxref\n${start}\n%%EOF\n`));
    this.#flush();
    closeSync(this.#descriptor);
  }

  #writeTableStream(trailer: PdfDict): void {
    const ref = this.allocate();
    this.#locations[ref.number] = { offset: this.#offset };
    const data = deflateSync(this.#encodeTable());
    const size = { "/Size": this.#locations.length, "/W": [1, 6, 2] };
    const dict: PdfDict = { "/Type": "/XRef", ...size, ...trailer, "/Filter": "/FlateDecode" };
    this.writeStream(ref, dict, { length: data.length, parts: [data] });
  }

  #writeTable(trailer: PdfDict): void {
    const rows = this.#locations.map((location, number) => {
      if (location && "offset" in location)
        return `${String(location.offset).padStart(10, "0")} 00000 n \n`;
      return number === 0 ? "0000000000 65535 f \n" : "0000000000 00000 f \n";
    });
    const count = this.#locations.length;
    const dict = serialize({ "/Size": count, ...trailer });
    const table = `xref\n0 ${count}\n${rows.join("")}trailer\n${dict}\n`;
    this.#write(Buffer.from(table, "latin1"));
  }

  #flushObjects(): void {
    const { number } = this.allocate();
    const index: number[] = [];
    let at = 0;
    for (const [position, object] of this.#objects.entries()) {
      this.#locations[object.number] = { stream: number, index: position };
      index.push(object.number, at);
      at += object.text.length + 1;
    }
    const head = `${index.join(" ")} `;
    const bodies = this.#objects.map(({ text }) => text).join("\n");
    const data = deflateSync(Buffer.from(`${head}${bodies}\n`, "latin1"));
    const dict: PdfDict = {
      "/Type": "/ObjStm",
      "/N": this.#objects.length,
      "/First": head.length,
      "/Filter": "/FlateDecode",
    };
    this.#objects = [];
    this.writeStream(new PdfRef(number), dict, { length: data.length, parts: [data] });
  }

  /** Rows of a type, an offset or stream number, and a generation or index. */
  #encodeTable(): Buffer {
    const table = Buffer.alloc(this.#locations.length * 9);
    for (const [number, location] of this.#locations.entries()) {
      const at = number * 9;
      if (!location) {
        table.writeUInt16BE(number === 0 ? 0xffff : 0, at + 7);
      } else if ("offset" in location) {
        table.writeUInt8(1, at);
        table.writeUIntBE(location.offset, at + 1, 6);
      } else {
        table.writeUInt8(2, at);
        table.writeUIntBE(location.stream, at + 1, 6);
        table.writeUInt16BE(location.index, at + 7);
      }
    }
    return table;
  }

  #write(part: Buffer): void {
    this.#hash.update(part);
    this.#pending.push(part);
    this.#pendingBytes += part.length;
    this.#offset += part.length;
    if (this.#pendingBytes >= bufferBytes) this.#flush();
  }

  #flush(): void {
    const whole = Buffer.concat(this.#pending);
    for (let at = 0; at < whole.length; ) at += writeSync(this.#descriptor, whole, at);
    this.#pending = [];
    this.#pendingBytes = 0;
  }
}

export interface PdfTrailer {
  readonly root: PdfRef;
  readonly info?: PdfRef | undefined;
  readonly originalId?: PdfString | undefined;
}
