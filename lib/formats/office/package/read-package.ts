import { posix } from "node:path";
import { DOMParser, type Document, ParseError } from "@xmldom/xmldom";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { JobError } from "#lib/errors.ts";
import type { FileLimits } from "#lib/limits/limits.ts";
import { isPlainError } from "#lib/media/damaged-data.ts";
import { isZipDamage } from "../../zip/zip-errors.ts";
import { checkOfficePackage } from "../check-package.ts";
import { isEncryptedOffice } from "../encryption.ts";

/** Reads the parts of ZIP packages (Office Open XML, EPUB). In a sandboxed worker only. */

/** An XML part needs about 15 times its size in memory. */
const maxXmlBytes = 64 * 2 ** 20;

export class DocumentPackage {
  readonly #archive: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(archive: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#archive = archive;
    this.#entries = entries;
  }

  /** Throws `JobError` (`corrupt`, `encrypted`, `too_complex`). Close it afterwards. */
  static async open(path: string, limits: FileLimits): Promise<DocumentPackage> {
    if (await isEncryptedOffice(path)) throw encrypted();
    await checkOfficePackage(path, limits);
    const archive = await openPromise(path, { autoClose: false });
    const entries = new Map<string, Entry>();
    // Entries are of type `Entry` because strings are decoded.
    for await (const entry of archive.eachEntry() as AsyncIterable<Entry>) {
      if (entry.isEncrypted()) throw encrypted();
      entries.set(entry.fileName, entry);
    }
    return new DocumentPackage(archive, entries);
  }

  /** The names of the parts, in the order of the archive. */
  get names(): string[] {
    return [...this.#entries.keys()];
  }

  /** The uncompressed size of a part; undefined if there is none. Reading it checks that it is true. */
  sizeOf(name: string): number | undefined {
    return this.#entries.get(name)?.uncompressedSize;
  }

  /** The bytes of a part; undefined if there is none. Throws `JobError("corrupt")`. */
  async read(name: string): Promise<Buffer | undefined> {
    const entry = this.#entries.get(name);
    if (!entry) return undefined;
    try {
      const stream = await this.#archive.openReadStreamPromise(entry);
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks);
    } catch (cause) {
      throw isZipDamage(cause) ? damaged(name, cause) : cause;
    }
  }

  /** A part as text in UTF-8 or, with a byte order mark, UTF-16. */
  async readText(name: string): Promise<string | undefined> {
    const bytes = await this.read(name);
    if (!bytes) return undefined;
    if (bytes.length > maxXmlBytes) {
      throw new JobError("too_complex", `The part ${name} of the document is too large.`);
    }
    const encoding = { 255: "utf-16le", 254: "utf-16be" }[bytes[0] ?? 0] ?? "utf-8";
    return new TextDecoder(encoding).decode(bytes);
  }

  /** A part as XML; undefined if there is none. Throws `JobError("corrupt")`. */
  async readXml(name: string): Promise<Document | undefined> {
    const text = await this.readText(name);
    return text === undefined ? undefined : parseXml(text, name);
  }

  /** Reads a part as `readXml` does; throws `JobError("corrupt")` if there is none. */
  async requireXml(name: string): Promise<Document> {
    const xml = await this.readXml(name);
    if (!xml) throw damaged(name);
    return xml;
  }

  close(): void {
    this.#archive.close();
  }
}

/** Parses XML without its document type, whose entities could expand. Throws `JobError("corrupt")`. */
export function parseXml(text: string, name: string): Document {
  if (/<!DOCTYPE[^>]*\[/i.test(text.slice(0, 4096))) throw damaged(name);
  try {
    const parser = new DOMParser({ onError: (level, message) => reportFault(level, message) });
    return parser.parseFromString(text.replace(/^\ufeff/, ""), "text/xml");
  } catch (cause) {
    throw cause instanceof ParseError || isPlainError(cause) ? damaged(name, cause) : cause;
  }
}

function reportFault(level: string, message: string): void {
  if (level !== "warning") throw new Error(message);
}

function damaged(name: string, cause?: unknown): JobError {
  const part = posix.basename(name);
  return new JobError("corrupt", `The document is damaged: its part ${part} cannot be read.`, {
    cause,
  });
}

function encrypted(): JobError {
  return new JobError("encrypted", "The document is protected by a password.");
}
