import sharp from "sharp";
import { expect } from "vitest";
import { badDrawings } from "#tests/support/bad-drawings.ts";
import { badImages } from "#tests/support/bad-images.ts";
import { describeBadInputs } from "#tests/support/describe-bad-inputs.ts";

describeBadInputs([...badImages, ...badDrawings], async ({ outputs }, _, { group }) => {
  if (group !== "image") return;
  const [output] = outputs;
  const { width, height } = await sharp(output?.path, { failOn: "none" }).metadata();
  expect([width, height].sort()).toEqual([output?.width, output?.height].sort());
});
