import { readFile } from "node:fs/promises";
import type { MediaTypeId } from "#lib/media/types.ts";
import { makeTestImage } from "#tests/samples/images/images.ts";
import {
  encodeWithVips,
  makeBmp,
  makeDng,
  makeIcon,
} from "#tests/samples/images/imported-images.ts";
import type { BadInput } from "../bad-input.ts";

/** Bad inputs: images that are converted before an operation gets them. SVG has its own rows. */

/** libvips with its decoders, and two idle image workers. */
const maxBytes = 3 * 2 ** 30;

const bytesOf = async (sample: Promise<{ path: string }>) => readFile((await sample).path);

const heic = () => bytesOf(encodeWithVips("heic", makeTestImage()));
const jxl = () => bytesOf(encodeWithVips("jxl", makeTestImage()));
const jp2 = () => bytesOf(encodeWithVips("jp2", makeTestImage()));
const bmp = () => bytesOf(makeBmp(makeTestImage()));
const icon = () => bytesOf(makeIcon([makeTestImage({ width: 48, height: 48 })]));
const dng = () => bytesOf(makeDng());

type Change = (bytes: Buffer) => Buffer;

/** Writes a number of 32 bits at the first `marker`, `offset` bytes after its start. */
const setNumbers =
  (marker: string | Buffer, offset: number, order: "BE" | "LE", ...values: number[]): Change =>
  (bytes) => {
    const at = bytes.indexOf(marker) + offset;
    for (const [index, value] of values.entries()) {
      if (order === "BE") bytes.writeUInt32BE(value, at + index * 4);
      else bytes.writeUInt32LE(value, at + index * 4);
    }
    return bytes;
  };

const halve: Change = (bytes) => bytes.subarray(0, Math.floor(bytes.length * 0.6));

/** The value of a TIFF tag of the first directory; `size` is 2 or 4 bytes. */
const setTag =
  (id: number, value: number): Change =>
  (bytes) => {
    const directory = bytes.readUInt32LE(4);
    const count = bytes.readUInt16LE(directory);
    for (let index = 0; index < count; index++) {
      const at = directory + 2 + index * 12;
      if (bytes.readUInt16LE(at) === id) bytes.writeUInt32LE(value, at + 8);
    }
    return bytes;
  };

const row = (
  id: string,
  type: MediaTypeId,
  build: () => Promise<Buffer>,
  expected: BadInput["expected"],
): BadInput => ({ id, type, build, expected, maxEngineBytes: maxBytes });

const changed = async (make: () => Promise<Buffer>, ...changes: Change[]) =>
  changes.reduce((bytes, change) => change(bytes), await make());

/** What a size that no image has leads to: the header is rejected, or the decoder gives up. */
const refused = ["too_complex", "corrupt", "out_of_memory"] as const;

export const badImportedImages: readonly BadInput[] = [
  row(
    "heic that declares 60,000²",
    "heic",
    () => changed(heic, setNumbers("ispe", 8, "BE", 60_000, 60_000)),
    refused,
  ),
  row("truncated heic", "heic", () => changed(heic, halve), ["corrupt"]),
  row(
    "heic whose item is outside the file",
    "heic",
    () => changed(heic, setNumbers("iloc", 8, "BE", 0x44000001, 0x7fffffff)),
    ["corrupt", "completes"],
  ),
  row("truncated jxl", "jxl", () => changed(jxl, halve), ["corrupt", "completes"]),
  row(
    "jp2 that declares 2³⁰ × 2³⁰",
    "jp2",
    () => changed(jp2, setNumbers(Buffer.from("ff51", "hex"), 6, "BE", 2 ** 30, 2 ** 30)),
    refused,
  ),
  row("truncated jp2", "jp2", () => changed(jp2, halve), ["corrupt", "completes"]),
  row("truncated bmp", "bmp", () => changed(bmp, halve), ["corrupt", "completes"]),
  row(
    "ico whose bitmap declares 50,000²",
    "ico",
    () =>
      changed(icon, (bytes) =>
        setNumbers(Buffer.from("28000000", "hex"), 4, "LE", 50_000, 100_000)(bytes),
      ),
    ["completes", ...refused],
  ),
  row(
    "ico whose image is outside the file",
    "ico",
    () =>
      changed(icon, (bytes) => {
        bytes.writeUInt32LE(0x7fffffff, 18);
        return bytes;
      }),
    ["corrupt"],
  ),
  row(
    "dng that declares 60,000²",
    "dng",
    () => changed(dng, setTag(256, 60_000), setTag(257, 60_000)),
    refused,
  ),
  row("dng whose pixels are outside the file", "dng", () => changed(dng, setTag(273, 0x7fffffff)), [
    "corrupt",
    "completes",
  ]),
  row(
    "dng with a looping directory",
    "dng",
    () =>
      changed(dng, (bytes) => {
        const directory = bytes.readUInt32LE(4);
        bytes.writeUInt32LE(directory, directory + 2 + bytes.readUInt16LE(directory) * 12);
        return bytes;
      }),
    ["corrupt", "completes"],
  ),
  row(
    "dng whose preview is a page",
    "dng",
    () => bytesOf(makeDng({ preview: Buffer.from("<script>alert(1)</script>".repeat(2000)) })),
    ["completes"],
  ),
];
