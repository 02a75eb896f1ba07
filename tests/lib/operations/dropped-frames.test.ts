import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { expect, test } from "vitest";
import { declaresAnimation } from "#lib/formats/animation/jxl-header.ts";
import { animated } from "#lib/operations/image/animated/index.ts";
import { convert } from "#lib/operations/image/convert/index.ts";
import { resize } from "#lib/operations/image/resize/index.ts";
import { makeTestFrames, makeTestImage, toSample } from "#tests/samples/images/images.ts";
import { encodeWithVips } from "#tests/samples/images/imported-images.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

const resizeTo = async (sample: Sample) => runOperation(resize, sample, { width: 30 });

test.each(["apng", "avif"] as const)("an animation as %s has a warning", async (format) => {
  const still = await toSample("png", await makeTestImage().png().toBuffer());
  const { outputs } = await runOperation(animated, [still, still], { format });
  const type = format === "apng" ? "png" : format;
  const { warnings } = await resizeTo({ path: outputs[0]?.path ?? "", type });
  expect(warnings).toEqual([expect.stringContaining("only the first frame")]);
});

test("an animated JPEG XL has a warning, in a container and without one", async () => {
  const frames = await (await makeTestFrames(["#aa3333", "#33aa33"])).gif().toBuffer();
  const { outputs } = await runOperation(convert, await toSample("gif", frames), { format: "jxl" });
  const path = outputs[0]?.path ?? "";
  const { warnings } = await resizeTo({ path, type: "jxl" });
  expect(warnings).toEqual([expect.stringContaining("only the first frame")]);
  const bytes = await readFile(path);
  const boxed = bytes.indexOf("jxlc");
  const codestream = boxed < 0 ? bytes : bytes.subarray(boxed + 4);
  expect(declaresAnimation(codestream)).toBe(true);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(codestream.length + 8);
  const signature = Buffer.from(
    "0000000c4a584c200d0a870a00000014667479706a786c20000000006a786c20",
    "hex",
  );
  const container = Buffer.concat([signature, size, Buffer.from("jxlc"), codestream]);
  const boxedSample = await toSample("jxl", container);
  expect((await resizeTo(boxedSample)).warnings).toHaveLength(1);
});

test("still images, and animations that stay animated, have none", async () => {
  const image = makeTestImage({ width: 1023, height: 77, channels: 4, bits: 16 });
  const gif = await (await makeTestFrames(["#aa3333", "#33aa33"])).gif().toBuffer();
  const samples = [
    await toSample("png", await image.png().toBuffer()),
    await toSample("avif", await image.clone().avif({ effort: 1 }).toBuffer()),
    await encodeWithVips("jxl", image),
    await toSample("gif", gif),
  ];
  for (const sample of samples) {
    const { warnings, outputs } = await resizeTo(sample);
    expect([sample.type, warnings ?? []]).toEqual([sample.type, []]);
    expect((await sharp(outputs[0]?.path).metadata()).width).toBe(30);
  }
});
