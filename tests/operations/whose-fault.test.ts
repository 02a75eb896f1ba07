import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync, inflateSync } from "node:zlib";
import { PDFDict, PDFDocument, PDFName } from "@cantoo/pdf-lib";
import { afterAll, describe, expect, test } from "vitest";
import { parseInfo } from "#lib/engines/ffmpeg/ffprobe.ts";
import { translateVipsErrors } from "#lib/engines/image/open.ts";
import { prepareOfficeInput } from "#lib/engines/libreoffice/prepare-input.ts";
import { checkOfficePackage } from "#lib/formats/office/check-package.ts";
import { isEncryptedOffice } from "#lib/formats/office/encryption.ts";
import { detectZip } from "#lib/formats/sniff/zip.ts";
import { sourceOfBytes } from "#lib/media/byte-source.ts";
import { DamagedDataError, isDamagedData } from "#lib/media/damaged-data.ts";
import { isPdfjsError } from "#lib/operations/document/to-markdown/pdf/open-pdf.ts";
import { readArchive } from "#lib/operations/pipeline/file-inspect/container-tasks.ts";
import { translateStructureErrors } from "#lib/operations/shared/pdf/open-document.ts";
import { temporaryWorkFolder } from "#tests/support/operation.ts";

/** Only what a reader says about the bytes of a file is the file's fault; all else is retried and logged. */

const folder = await mkdtemp(join(tmpdir(), "fault-"));
afterAll(() => rm(folder, { recursive: true }));

const systemError = (code: string) => Object.assign(new Error(`${code}: write`), { code });

/** Errors of the program and of the system. */
const ours: readonly (readonly [string, Error])[] = [
  ["a TypeError", new TypeError("x is not a function")],
  ["a ReferenceError", new ReferenceError("x is not defined")],
  ["a RangeError of the program", new RangeError("Invalid array length")],
  ["a full disk", systemError("ENOSPC")],
  ["a missing right", systemError("EACCES")],
  ["too little memory", systemError("ERR_MEMORY_ALLOCATION_FAILED")],
];

describe.each(ours)("%s", (_, error) => {
  test("is not the fault of a PDF", async () => {
    const failing = translateStructureErrors(() => {
      throw error;
    });
    await expect(failing).rejects.toBe(error);
  });

  test("is not the fault of an image", async () => {
    await expect(translateVipsErrors(Promise.reject(error))).rejects.toBe(error);
  });

  test("is not the fault of data, or of a PDF with text", () => {
    expect(isDamagedData(error)).toBe(false);
    expect(isPdfjsError(error)).toBe(false);
  });
});

test("a wrong argument for pdf-lib is not the fault of a PDF", async () => {
  const document = await PDFDocument.create();
  const failing = translateStructureErrors(() => document.setTitle(7 as never));
  await expect(failing).rejects.toBeInstanceOf(TypeError);
});

test("an invariant of ours that does not hold is not the fault of a PDF", async () => {
  const failing = translateStructureErrors(() => {
    throw new Error("a picture is missing");
  });
  await expect(failing).rejects.toThrow("a picture is missing");
});

const thrown = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};

describe("the fault of the file", () => {
  const reads: readonly (readonly [string, () => unknown])[] = [
    ["what a reader says", () => Promise.reject(new DamagedDataError("box past its parent"))],
    ["a length past the end", () => Buffer.alloc(4).readUInt32LE(2)],
    ["compressed data that is none", () => inflateSync(Buffer.from("none"))],
    [
      "an object of another type",
      async () => (await PDFDocument.create()).catalog.lookup(PDFName.of("Type"), PDFDict),
    ],
    [
      "a page tree that is no tree",
      async () => {
        const document = await PDFDocument.create();
        document.catalog.set(PDFName.of("Pages"), document.context.obj({}));
        return document.getPages();
      },
    ],
    [
      "a loop of references",
      () => {
        const follow = (): number => 1 + follow();
        return follow();
      },
    ],
  ];

  test.each(reads)("%s", async (_, read) => {
    await expect(translateStructureErrors(read)).rejects.toMatchObject({ code: "corrupt" });
  });

  test("compressed data that ends early, and an offset past the end", () => {
    const early = thrown(() => inflateSync(Buffer.from("789c", "hex")));
    expect(isDamagedData(early)).toBe(true);
    expect(isDamagedData(thrown(() => Buffer.alloc(2).readUInt8(9)))).toBe(true);
  });
});

/** A folder cannot be read as a file. */
test("an archive that cannot be read is not damaged", async () => {
  const work = temporaryWorkFolder();
  const file = { name: "in", path: folder, extension: "zip" };
  const read = readArchive({ files: [file], options: {}, work } as never);
  await expect(read).rejects.toMatchObject({ code: "EISDIR" });
});

test("a compressed document that cannot be unpacked for want of a file is not damaged", async () => {
  const work = temporaryWorkFolder();
  const path = join(folder, "drawing.svgz");
  await writeFile(path, gzipSync("<svg/>"));
  const file = { name: "in", path, extension: "odg" };
  const taken = { ...work, scratch: () => file };
  const call = { files: [file], options: { structure: "single" }, work: taken };
  await expect(prepareOfficeInput(call as never)).rejects.toMatchObject({ code: "EEXIST" });
});

test("an office package that cannot be read is not damaged", async () => {
  const missing = join(folder, "missing.docx");
  await expect(checkOfficePackage(missing)).rejects.toMatchObject({ code: "ENOENT" });
  await expect(isEncryptedOffice(missing)).rejects.toMatchObject({ code: "ENOENT" });
});

test.each(["", "{", '{"streams":[{}]}', "[]"])(
  "an engine that does not say what it should about a file is not the file's fault: %s",
  (text) => {
    const failed = { code: "engine_crashed", cause: { engine: "ffprobe", invalidReply: true } };
    expect(thrown(() => parseInfo(text))).toMatchObject(failed);
  },
);

test("an archive that is missing when its type is read is not damaged", async () => {
  const head = Buffer.from("PK\x03\x04", "latin1");
  const missing = join(folder, "missing.zip");
  const source = { ...sourceOfBytes(head), path: missing };
  await expect(detectZip(source, {})).rejects.toMatchObject({ code: "ENOENT" });
});
