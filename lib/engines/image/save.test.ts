import { describe } from "vitest";
import { adjust } from "#lib/operations/image/adjust/index.ts";
import { crop } from "#lib/operations/image/crop/index.ts";
import { resize } from "#lib/operations/image/resize/index.ts";
import { describeEveryImage } from "#tests/support/image-operation.ts";

/** Every image on each path from `openImage` to the functions of save.ts, by an operation that does little more. */

describe("each frame is changed upright, by transformUpright", () => {
  const params = { width: 61, height: 30, fit: "cover", position: "right" };
  describeEveryImage({ operation: resize, params, size: { width: 61, height: 30 } });
});

describe("the pixels of all frames are read and replaced, by readUpright and writeUpright", () => {
  describeEveryImage({ operation: adjust, params: { brightness: 1.1, hue: 40, gamma: 1.2 } });
});

describe("the pixels stay as they are stored, by cropImage and saveInSourceFormat", () => {
  const params = { left: 7, top: 13, width: 41, height: 33 };
  describeEveryImage({ operation: crop, params, size: { width: 41, height: 33 } });
});
