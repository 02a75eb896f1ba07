import sharp from "sharp";
import { expect } from "vitest";
import { mediaTypeOfExtension } from "#lib/media/types.ts";
import { describeBadInputs } from "#tests/hostile/describe-bad-inputs.ts";
import { badImages } from "#tests/hostile/media/bad-images.ts";
import { badImportedImages } from "#tests/hostile/media/bad-imported-images.ts";
import { badSvgs } from "#tests/hostile/media/bad-svgs.ts";

const rows = [...badImages, ...badImportedImages, ...badSvgs];

describeBadInputs(rows, async ({ outputs }, _, { group }) => {
  const [output] = outputs;
  const { kind } = mediaTypeOfExtension(output?.extension ?? "");
  if (group !== "image" || kind !== "image") return;
  const { width, height } = await sharp(output?.path, { failOn: "none" }).metadata();
  expect([width, height].sort()).toEqual([output?.width, output?.height].sort());
});
