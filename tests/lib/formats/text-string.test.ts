import { PDFHexString, PDFString } from "@cantoo/pdf-lib";
import { expect, it } from "vitest";
import { decodeTextString } from "#lib/formats/pdf/structure/text-string.ts";

const hex = (...parts: (string | Buffer)[]) =>
  PDFHexString.of(Buffer.concat(parts.map((part) => Buffer.from(part))).toString("hex"));

const text = "Größe €";

it.each([
  ["PDFDocEncoding", PDFString.of("Gr\\366\\337e \\240")],
  ["PDFDocEncoding in hex", hex(Buffer.from("4772f6df6520a0", "hex"))],
  ["UTF-16", hex(Buffer.from(`\ufeff${text}`, "utf16le").swap16())],
  ["UTF-16, little-endian", hex(Buffer.from(`\ufeff${text}`, "utf16le"))],
  ["UTF-8", hex(`\ufeff${text}`)],
])("decodes %s", (_, value) => {
  expect(decodeTextString(value)).toBe(text);
});

it.each([
  ["PDFDocEncoding", PDFString.of("a".repeat(300_000))],
  ["UTF-16", hex(Buffer.from(`\ufeff${"a".repeat(300_000)}`, "utf16le").swap16())],
])("decodes texts that are longer than pdf-lib can: %s", (_, value) => {
  expect(() => value.decodeText()).toThrow(RangeError);
  expect(decodeTextString(value)).toBe("a".repeat(300_000));
});
