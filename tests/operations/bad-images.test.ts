import sharp from "sharp";
import { expect } from "vitest";
import { badImages } from "#tests/hostile/bad-images.ts";
import { badSvgs } from "#tests/hostile/bad-svgs.ts";
import { describeBadInputs } from "#tests/hostile/describe-bad-inputs.ts";

describeBadInputs([...badImages, ...badSvgs], async ({ outputs }, _, { group }) => {
  if (group !== "image") return;
  const [output] = outputs;
  const { width, height } = await sharp(output?.path, { failOn: "none" }).metadata();
  expect([width, height].sort()).toEqual([output?.width, output?.height].sort());
});
