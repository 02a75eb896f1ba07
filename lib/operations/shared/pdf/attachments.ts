import {
  PDFArray,
  type PDFDict,
  type PDFDocument,
  PDFHexString,
  type PDFObject,
  type PDFRef,
  PDFString,
} from "@cantoo/pdf-lib";
import { dictAt, dictOf, key } from "#lib/formats/pdf/archival/walk.ts";
import { decodeTextString, encodeTextString } from "#lib/formats/pdf/structure/text-string.ts";

/**
 * Files that are attached to a document (ISO 32000-1, 7.11.4). In a sandboxed worker only. pdf-lib's own `attach` writes
 * names byte by byte, so that a parenthesis, or a letter such as 木, ends the string and damages the file.
 */

export interface NewAttachment {
  readonly bytes: Uint8Array;
  readonly name: string;
  /** The media type, such as `text/xml`. */
  readonly type: string;
  readonly description?: string;
  /** What the file is for the document, such as `Data` (ISO 32000-2, 7.11.3). */
  readonly relationship?: string;
  readonly attachedAt: Date;
}

interface Attachment {
  /** The key in the list of attached files, which is sorted by it. */
  readonly key: Buffer;
  readonly specification: PDFObject;
}

const maxDepth = 50;

/**
 * Attaches files. The list is written as one node, with distinct keys: that of the second `a.xml` is `a.xml (2)`.
 */
export function attachFiles(document: PDFDocument, files: readonly NewAttachment[]): void {
  const { catalog, context } = document;
  const attachments = listAttachments(document);
  const taken = new Set(attachments.map((attachment) => attachment.key.toString("latin1")));
  const associated = catalog.lookup(key("AF"));
  const related = associated instanceof PDFArray ? associated.clone() : context.obj([]);
  for (const file of files) {
    const specification = addSpecification(document, file);
    related.push(specification);
    let chosen = keyOf(file.name);
    for (let count = 2; taken.has(chosen.toString("latin1")); count++) {
      chosen = keyOf(`${file.name} (${count})`);
    }
    taken.add(chosen.toString("latin1"));
    attachments.push({ key: chosen, specification });
  }
  catalog.set(key("AF"), related);
  writeAttachments(document, attachments);
}

/**
 * Removes the files with one of these names, which are in lower case, from the list; those of the document may be in
 * upper case. Their objects stay, unused. Returns whether there were any.
 */
export function detachFiles(document: PDFDocument, names: readonly string[]): boolean {
  const { catalog, context } = document;
  const all = listAttachments(document);
  const isRemoved = ({ specification }: Attachment) =>
    namesOf(dictOf(context.lookup(specification))).some((name) =>
      names.includes(name.toLowerCase()),
    );
  const removed = new Set(all.filter(isRemoved).map(({ specification }) => specification));
  if (removed.size === 0) return false;
  writeAttachments(
    document,
    all.filter(({ specification }) => !removed.has(specification)),
  );
  const associated = catalog.lookup(key("AF"));
  const kept = associated instanceof PDFArray ? associated.asArray() : [];
  catalog.set(key("AF"), context.obj(kept.filter((item) => !removed.has(item))));
  return true;
}

/** The attached files, of a list that may be a tree (ISO 32000-1, 7.9.6). */
function listAttachments({ catalog, context }: PDFDocument): Attachment[] {
  const names = dictAt(catalog, "Names");
  const root = names && dictAt(names, "EmbeddedFiles");
  const found: Attachment[] = [];
  const visited = new Set<PDFDict>();
  const collect = (node: PDFDict, depth: number) => {
    if (visited.has(node) || depth > maxDepth) return;
    visited.add(node);
    const own = node.lookup(key("Names"));
    const items = own instanceof PDFArray ? own.asArray() : [];
    for (let at = 0; at + 1 < items.length; at += 2) {
      const name = context.lookup(items[at]);
      const specification = items[at + 1];
      if (!isText(name) || !specification) continue;
      found.push({ key: Buffer.from(name.asBytes()), specification });
    }
    const kids = node.lookup(key("Kids"));
    for (const kid of kids instanceof PDFArray ? kids.asArray() : []) {
      const below = dictOf(context.lookup(kid));
      if (below) collect(below, depth + 1);
    }
  };
  if (root) collect(root, 0);
  return found;
}

function writeAttachments(
  { catalog, context }: PDFDocument,
  attachments: readonly Attachment[],
): void {
  const sorted = attachments.toSorted((a, b) => Buffer.compare(a.key, b.key));
  const list = sorted.flatMap((attachment) => [
    PDFHexString.of(attachment.key.toString("hex")),
    attachment.specification,
  ]);
  const names = dictAt(catalog, "Names") ?? context.obj({});
  names.set(key("EmbeddedFiles"), context.obj({ Names: list }));
  catalog.set(key("Names"), names);
}

function addSpecification({ context }: PDFDocument, file: NewAttachment): PDFRef {
  const { bytes, name, type, description, relationship, attachedAt } = file;
  const date = PDFString.fromDate(attachedAt);
  const stream = context.register(
    context.flateStream(bytes, {
      Type: "EmbeddedFile",
      Subtype: type,
      Params: { Size: bytes.length, CreationDate: date, ModDate: date },
    }),
  );
  const text = encodeTextString(name);
  const specification = context.obj({
    Type: "Filespec",
    F: text,
    UF: text,
    EF: { F: stream, UF: stream },
  });
  if (description) specification.set(key("Desc"), encodeTextString(description));
  if (relationship) specification.set(key("AFRelationship"), key(relationship));
  return context.register(specification);
}

const keyOf = (name: string) => Buffer.from(encodeTextString(name).asBytes());

function namesOf(specification: PDFDict | undefined): string[] {
  return ["UF", "F"].flatMap((entry) => {
    const name = specification?.lookup(key(entry));
    return isText(name) ? decodeTextString(name) : [];
  });
}

const isText = (value: unknown): value is PDFString | PDFHexString =>
  value instanceof PDFString || value instanceof PDFHexString;
