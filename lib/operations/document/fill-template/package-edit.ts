import { posix } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Document, type Element, XMLSerializer } from "@xmldom/xmldom";
import { ZipFile } from "yazl";
import { JobError } from "#lib/errors.ts";
import { streamToNew } from "#lib/files/regular-files.ts";
import { type DocumentPackage, parseXml } from "#lib/formats/office/package/read-package.ts";
import { readRelationships } from "#lib/formats/office/package/relationships.ts";
import { attribute, children } from "#lib/formats/office/package/xml.ts";
import { createLike } from "./tags/fill-text.ts";

const schemas = "http://schemas.openxmlformats.org";
export const relationshipTypes = `${schemas}/officeDocument/2006/relationships`;

/** Changes of an Office Open XML package: parts that are changed, added or removed. */
export class PackageEdit {
  readonly source: DocumentPackage;
  readonly #parts = new Map<string, Document | Buffer>();
  readonly #removed = new Set<string>();
  readonly #names: ReadonlySet<string>;

  constructor(source: DocumentPackage) {
    this.source = source;
    this.#names = new Set(source.names);
  }

  /** A part that can be changed. Throws `JobError("corrupt")` if there is none. */
  async xml(name: string): Promise<Document> {
    const known = this.#parts.get(name);
    if (known && !Buffer.isBuffer(known)) return known;
    const document = await this.source.requireXml(name);
    this.#parts.set(name, document);
    return document;
  }

  async root(name: string): Promise<Element> {
    const { documentElement } = await this.xml(name);
    if (!documentElement) throw new JobError("corrupt", "The document is damaged.");
    return documentElement;
  }

  has(name: string): boolean {
    return this.#parts.has(name) || this.#names.has(name);
  }

  /** Adds a part: bytes, or XML as text. */
  add(name: string, content: Buffer | string): void {
    this.#parts.set(name, typeof content === "string" ? parseXml(content, name) : content);
  }

  /** Removes a part, its type and the relationship of the part `owner` to it. Returns the ids that it had there. */
  async remove(name: string, owner: string): Promise<string[]> {
    this.#removed.add(name);
    const links = await this.root(relationshipsOf(owner));
    const ids = [...(await readRelationships(this.source, owner))].flatMap(([id, { target }]) =>
      target === name ? [id] : [],
    );
    const types = await this.root("[Content_Types].xml");
    for (const row of [...children(links), ...children(types)]) {
      const isOfPart =
        ids.includes(attribute(row, "Id") ?? "") || attribute(row, "PartName") === `/${name}`;
      if (isOfPart) row.parentNode?.removeChild(row);
    }
    return ids;
  }

  /** Adds a relationship of the part `name` to the part `target`. Returns its id. */
  async relate(name: string, kind: string, target: string): Promise<string> {
    const file = relationshipsOf(name);
    if (!this.has(file)) {
      this.add(file, `<Relationships xmlns="${schemas}/package/2006/relationships"/>`);
    }
    const root = await this.root(file);
    const ids = new Set(children(root).map((row) => attribute(row, "Id")));
    let number = ids.size + 1;
    while (ids.has(`template${number}`)) number++;
    const row = createLike(root, "Relationship");
    row.setAttribute("Id", `template${number}`);
    row.setAttribute("Type", `${relationshipTypes}/${kind}`);
    row.setAttribute("Target", `/${target}`);
    root.appendChild(row);
    return `template${number}`;
  }

  /** Declares the type of all parts with an extension, or of one part. */
  async declare(key: { extension: string } | { part: string }, type: string): Promise<void> {
    const root = await this.root("[Content_Types].xml");
    const isDefault = "extension" in key;
    const [element, name, value] = isDefault
      ? (["Default", "Extension", key.extension] as const)
      : (["Override", "PartName", `/${key.part}`] as const);
    const isKnown = children(root, element).some(
      (row) => attribute(row, name)?.toLowerCase() === value.toLowerCase(),
    );
    if (isKnown) return;
    const row = createLike(root, element);
    row.setAttribute(name, value);
    row.setAttribute("ContentType", type);
    root.insertBefore(row, isDefault ? root.firstChild : null);
  }

  /** Writes the package. Throws `JobError("too_complex")` if a part is too large. */
  async write(path: string, maxBytes: number): Promise<void> {
    const zip = new ZipFile();
    const written = pipeline(zip.outputStream, streamToNew(path));
    // Office programs show the earliest time that ZIP files can have as no time.
    const options = { mtime: new Date(1980, 0, 1), mode: 0o100644 };
    const names = new Set([...this.source.names, ...this.#parts.keys()]);
    const serializer = new XMLSerializer();
    let bytes = 0;
    for (const name of names) {
      if (this.#removed.has(name) || name.endsWith("/")) continue;
      const part = this.#parts.get(name);
      if (!part) {
        zip.addReadStreamLazy(name, options, (done) => {
          this.source.read(name).then(
            (content) => done(null, Readable.from([content ?? Buffer.alloc(0)])),
            (error: Error) => done(error, Readable.from([])),
          );
        });
        continue;
      }
      const content = Buffer.isBuffer(part)
        ? part
        : Buffer.from(serializer.serializeToString(part));
      bytes += content.length;
      if (bytes > maxBytes) throw new JobError("too_complex", "The filled template is too large.");
      zip.addBuffer(content, name, options);
    }
    zip.on("error", (error: Error) => zip.outputStream.emit("error", error));
    zip.end();
    await written;
  }
}

function relationshipsOf(part: string): string {
  return posix.join(posix.dirname(part), "_rels", `${posix.basename(part)}.rels`);
}
