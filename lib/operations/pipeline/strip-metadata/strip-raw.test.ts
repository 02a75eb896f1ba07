import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { expect, test } from "vitest";
import { sniffFile } from "#lib/formats/sniff/sniff.ts";
import { stripMetadata } from "#lib/operations/pipeline/strip-metadata/index.ts";
import { toSample } from "#tests/samples/images/images.ts";
import { makeDng } from "#tests/samples/images/imported-images.ts";
import { addMetadata, containsSecret, personalTags } from "#tests/samples/metadata.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { exiftool } from "#tests/support/exiftool.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

/** Tags that only DNG files have. */
const dngTags = ["UniqueCameraModel", "LocalizedCameraModel", "OriginalRawFileName"]
  .concat(["CameraSerialNumber", "PreviewApplicationName", "ProfileCopyright", "LensModel"])
  .concat(["CameraLabel", "ReelName", "MakerNoteUnknownText", "DNGPrivateData"]);

/** A photograph with a preview, with personal tags in the file and in its preview. */
async function makePersonalDng(): Promise<{ sample: Sample; preview: Sample }> {
  const noise = sharp({
    create: {
      width: 400,
      height: 300,
      channels: 3,
      background: "gray",
      noise: { type: "gaussian", mean: 128, sigma: 60 },
    },
  });
  const jpeg = await noise.withIccProfile("p3").jpeg({ quality: 90 }).toBuffer();
  const preview = await addMetadata(await toSample("jpeg", jpeg));
  const sample = await addMetadata(await makeDng({ preview: await readFile(preview.path) }), 6);
  const args = ["-q", "-m", "-overwrite_original", ...dngTags.map((tag) => `-${tag}=Secret`)];
  await exiftool(...args, sample.path);
  return { sample, preview };
}

/** The sensor data as LibRaw develops it, which the operation does not use. */
async function develop(path: string): Promise<Buffer> {
  const copy = await toSample("dng", await readFile(path));
  execFileSync("dcraw_emu", ["-w", "-o", "1", "-T", copy.path]);
  return sharp(`${copy.path}.tiff`).raw().toBuffer();
}

const readPreview = (path: string) => execProgram("exiftool", ["-b", "-PreviewImage", path]);

test("a DNG stays a DNG: the sensor data and the preview stay, tags and the preview's tags go", async () => {
  const { sample, preview } = await makePersonalDng();
  expect(await containsSecret(sample.path)).toBe(true);
  const { outputs } = await runOperation(stripMetadata, sample);
  const path = outputs[0]?.path ?? "";
  expect(outputs[0]?.extension).toBe("dng");
  expect(await containsSecret(path)).toBe(false);
  expect(await personalTags(path)).toEqual([]);
  expect((await sniffFile(path, { filename: "photo.dng" })).id).toBe("dng");
  expect(await develop(path)).toEqual(await develop(sample.path));
  const shown = readPreview(path);
  expect(await sharp(shown).raw().toBuffer()).toEqual(await sharp(preview.path).raw().toBuffer());
  expect((await sharp(shown).metadata()).icc).toBeDefined();
  const orientation = await exiftool("-n", "-s3", "-Orientation", path);
  expect(orientation.trim()).toBe("6");
});

test("a RAW file of a camera becomes a JPEG without metadata", async () => {
  const { sample, preview } = await makePersonalDng();
  const raw = { ...sample, type: "raw" as const };
  const { outputs } = await runOperation(stripMetadata, raw);
  const path = outputs[0]?.path ?? "";
  expect(outputs[0]?.extension).toBe("jpg");
  expect(await containsSecret(path)).toBe(false);
  expect(await sharp(path).raw().toBuffer()).toEqual(await sharp(preview.path).raw().toBuffer());
  const developed = await runOperation(stripMetadata, raw, { raw: "develop" });
  const { width, height } = await sharp(developed.outputs[0]?.path).metadata();
  // LibRaw has turned the 128×96 pixels of the sensor.
  expect([width, height]).toEqual([96, 128]);
});

test("a tag that a TIFF has twice is removed twice", async () => {
  // Two entries of the tag 315 (artist), whose text is after the directory.
  const artist = (offset: string) => `3b01 0200 07000000 ${offset}000000`;
  const directory = `0200 ${artist("26")} ${artist("2d")} 00000000`.replaceAll(" ", "");
  const header = Buffer.from(`49492a0008000000${directory}`, "hex");
  const sample = await toSample("tiff", Buffer.concat([header, Buffer.from("Secret\0Secret\0")]));
  expect(await containsSecret(sample.path)).toBe(true);
  const { outputs } = await runOperation(stripMetadata, sample);
  expect(await containsSecret(outputs[0]?.path ?? "")).toBe(false);
});
