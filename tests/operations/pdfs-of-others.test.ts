import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runForTenant, sharedTenant } from "#lib/engines/warm/tenant.ts";
import type { Operation } from "#lib/operations/define.ts";
import { mergePdf } from "#lib/operations/document/merge-pdf/index.ts";
import { splitPdf } from "#lib/operations/document/split-pdf/index.ts";
import { makePdfsOfOthers, type PdfOfOthers } from "#tests/samples/pdf/pdfs-of-others.ts";
import { readRichPdf } from "#tests/samples/pdf/rich-pdf.ts";
import { runOperation } from "#tests/support/operation.ts";

/** Merging and splitting keep what LibreOffice, Chromium, Ghostscript, pikepdf and ReportLab have put into PDFs. */

type RichPdf = ReturnType<typeof readRichPdf>;

let folder: string;
let sources: readonly (PdfOfOthers & { readonly read: RichPdf })[];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "mediamill-others-"));
  sources = makePdfsOfOthers(folder).map((file) => ({ ...file, read: readRichPdf(file.path) }));
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The outputs. Warm processes serve all runs. */
async function run(
  operation: Operation,
  files: readonly PdfOfOthers[],
  params: Record<string, unknown>,
): Promise<RichPdf[]> {
  const samples = files.map(
    ({ path, id }) => ({ path, type: "pdf", filename: `${id}.pdf` }) as const,
  );
  const work = () => runOperation(operation, samples, params);
  const { outputs } = await runForTenant(sharedTenant, work);
  return outputs.map(({ path }) => readRichPdf(path));
}

/** Bookmarks or fields with their pages, which are `first` pages later. */
const shift = (text: string, first: number) =>
  text.replace(/([>@])(\d+)/g, (_, mark: string, page: string) => `${mark}${Number(page) + first}`);

/** Returns a name without what it gets so that it is unique in a file. */
const toBaseName = (name: string) => name.replace(/_\d+(?=@|$)| \(\d+\)$/, "");

/** Each bookmark that leads to a page, as `title>page`. */
const listBookmarks = ({ outlines }: RichPdf) =>
  [...outlines.matchAll(/([^[\]> ]+)>(\d+)/g)].map((match) => match[0]);

const isOn = (entry: string, pages: readonly number[]) =>
  pages.includes(Number(/\d+$/.exec(entry)?.[0]));

it("the files have what they are made for", () => {
  expect(sources).toHaveLength(21);
  const count = (has: (read: RichPdf) => boolean) => sources.filter(({ read }) => has(read)).length;
  expect({
    bookmarks: count(({ outlines }) => outlines !== ""),
    fields: count(({ fields }) => fields.length > 0),
    tags: count(({ tags }) => tags.length > 0),
    attachments: count(({ attachments }) => attachments.length > 0),
    links: count(({ links }) => links.flat().length > 0),
    labels: count(({ labels }) => labels.length > 1),
  }).toEqual({ bookmarks: 21, fields: 9, tags: 9, attachments: 11, links: 12, labels: 3 });
});

it("one merged file has the bookmarks, fields, tags, links and attachments of all", async () => {
  const [merged] = await run(mergePdf, sources, {});
  let first = 0;
  const bookmarks: string[] = [];
  const [fields, tags, attachments]: [string[], unknown[], string[]] = [[], [], []];
  const links: (number | undefined)[][] = [];
  for (const { id, read } of sources) {
    bookmarks.push(`${id}>${first + 1}[${shift(read.outlines, first)}]`);
    fields.push(...read.fields.map((field) => shift(field, first)));
    tags.push(...read.tags);
    attachments.push(...read.attachments);
    for (const targets of read.links) {
      links.push(targets.map((target) => (target === undefined ? target : target + first)));
    }
    first += read.text.length;
  }
  expect(merged?.outlines).toBe(bookmarks.join(" "));
  expect(merged?.fields.map(toBaseName).toSorted()).toEqual(fields.toSorted());
  expect(new Set(merged?.fields.map((field) => field.split("@")[0])).size).toBe(fields.length);
  expect(merged?.tags).toEqual(tags);
  expect(merged?.attachments.map(toBaseName).toSorted()).toEqual(attachments.toSorted());
  expect(merged?.links).toEqual(links);
  expect(merged?.text).toHaveLength(first);
});

it("the parts of a split file have what is on their pages, and its attachments", {
  timeout: 240_000,
}, async () => {
  for (const source of sources) {
    const { read } = source;
    const parts = await run(splitPdf, [source], { ranges: "1,2-last" });
    const numbers = read.text.map((_, index) => index + 1);
    for (const [index, part] of parts.entries()) {
      const pages = index === 0 ? [1] : numbers.slice(1);
      const expected = (entries: readonly string[]) =>
        entries.filter((entry) => isOn(entry, pages)).map((entry) => shift(entry, -index));
      expect(part.fields, source.id).toEqual(expected(read.fields));
      const bookmarks = expected(listBookmarks(read));
      expect(listBookmarks(part), source.id).toEqual(expect.arrayContaining(bookmarks));
    }
    expect(
      parts.flatMap(({ tags }) => tags),
      source.id,
    ).toEqual(read.tags);
    const attachments = new Set(parts.flatMap((part) => part.attachments));
    expect([...attachments].toSorted(), source.id).toEqual(read.attachments.toSorted());
  }
});
