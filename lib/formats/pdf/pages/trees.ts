import type { PdfFile } from "../objects/file.ts";
import { stringBytes } from "../objects/text.ts";
import { type PdfDict, PdfRef, PdfString, type PdfValue } from "../objects/values.ts";
import type { PdfWriter } from "../objects/writer.ts";

/** Name trees and number trees (ISO 32000-1, 7.9.6 and 7.9.7). */

/** A number of entries or nodes that no document has. A tree that repeats itself has more. */
const maxEntries = 500_000;

/** Entries of a leaf. */
const leafSize = 200;

export type TreeEntry<Key> = readonly [key: Key, value: PdfValue];

/** The entries of a number tree, in the order of the file. */
export function readNumberTree(file: PdfFile, root: PdfValue | undefined): TreeEntry<number>[] {
  return readTree(file, root, "/Nums").filter(
    (entry): entry is [number, PdfValue] => typeof entry[0] === "number",
  );
}

/** The entries of a name tree, in the order of the file. */
export function readNameTree(file: PdfFile, root: PdfValue | undefined): TreeEntry<PdfString>[] {
  return readTree(file, root, "/Names").filter(
    (entry): entry is [PdfString, PdfValue] => entry[0] instanceof PdfString,
  );
}

function readTree(file: PdfFile, root: PdfValue | undefined, leaf: "/Nums" | "/Names") {
  const entries: [PdfValue, PdfValue][] = [];
  const visited = new Set<number>();
  const pending: PdfValue[] = [root ?? null];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node instanceof PdfRef && visited.has(node.number)) continue;
    if (node instanceof PdfRef) visited.add(node.number);
    const dict = file.dict(node);
    pending.push(...file.array(dict["/Kids"]).toReversed().slice(0, maxEntries));
    const pairs = file.array(dict[leaf]);
    for (let at = 0; at + 1 < pairs.length && entries.length < maxEntries; at += 2) {
      entries.push([file.resolve(pairs[at]), pairs[at + 1] ?? null]);
    }
    if (visited.size > maxEntries) break;
  }
  return entries;
}

/** Writes a number tree. `entries` have values of the written file. */
export function writeNumberTree(writer: PdfWriter, entries: readonly TreeEntry<number>[]): PdfRef {
  const sorted = entries.toSorted(([a], [b]) => a - b);
  return writeTree(writer, "/Nums", sorted);
}

/** Writes a name tree. `entries` have values of the written file, and distinct names. */
export function writeNameTree(writer: PdfWriter, entries: readonly TreeEntry<PdfString>[]): PdfRef {
  const byName = entries.map(([key, value]) => ({ key, value, bytes: stringBytes(key) }));
  const sorted = byName.toSorted((a, b) => Buffer.compare(a.bytes, b.bytes));
  return writeTree(
    writer,
    "/Names",
    sorted.map(({ key, value }) => [key, value] as const),
  );
}

function writeTree(
  writer: PdfWriter,
  leaf: "/Nums" | "/Names",
  entries: readonly TreeEntry<number | PdfString>[],
): PdfRef {
  if (entries.length <= leafSize) return writer.add({ [leaf]: entries.flat() });
  const kids: PdfRef[] = [];
  for (let at = 0; at < entries.length; at += leafSize) {
    const part = entries.slice(at, at + leafSize);
    const limits = [part[0]?.[0] ?? null, part.at(-1)?.[0] ?? null];
    const node: PdfDict = { "/Limits": limits, [leaf]: part.flat() };
    kids.push(writer.add(node));
  }
  return writer.add({ "/Kids": kids });
}
