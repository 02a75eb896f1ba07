import sharp from "sharp";
import { describe, expect, test } from "vitest";
import type { FramePixels } from "#lib/engines/image/frames.ts";
import { orientFrames } from "#lib/engines/image/orient-frames.ts";
import { combine, flipOf, rotationOf, transformOf, turnOf } from "#lib/media/transform.ts";

/** EXIF orientations; the transform of each makes such an image upright. */
const orientations = [1, 2, 3, 4, 5, 6, 7, 8];

/** Two frames of 3 × 2 pixels, of which each is different. */
function paintFrames(samples: Uint8Array | Uint16Array = new Uint8Array(36)): FramePixels {
  return {
    width: 3,
    height: 2,
    pages: 2,
    channels: 3 as const,
    samples: samples.map((_, index) => index * 5),
  };
}

describe.each(orientations)("orientation %i", (orientation) => {
  test("each frame is turned as libvips turns a single image", async () => {
    const frames = paintFrames();
    const moved = orientFrames(frames, transformOf(orientation));
    const expected: number[] = [];
    for (const page of [0, 1]) {
      const raw = { width: 3, height: 2, channels: 3 } as const;
      const frame = sharp(frames.samples.subarray(page * 18, (page + 1) * 18), { raw });
      const tagged = await frame.withMetadata({ orientation }).png().toBuffer();
      const upright = sharp(tagged).autoOrient().raw();
      const { data, info } = await upright.toBuffer({ resolveWithObject: true });
      expect([moved.width, moved.height]).toEqual([info.width, info.height]);
      expected.push(...data);
    }
    expect([...moved.samples]).toEqual(expected);
  });

  test.each(orientations)("and then %i: the combined transform does both", (next) => {
    const first = transformOf(orientation);
    const second = transformOf(next);
    const frames = paintFrames(new Uint16Array(36));
    const both = orientFrames(orientFrames(frames, first), second);
    expect(orientFrames(frames, combine(first, second))).toEqual(both);
  });
});

test("flips and rotations move the first pixel to their corner", () => {
  const frame = { ...paintFrames(), pages: 1, samples: paintFrames().samples.subarray(0, 18) };
  const cornerOf = (transform: ReturnType<typeof transformOf>) => {
    const { width, samples } = orientFrames(frame, transform);
    const index = samples.indexOf(0) / 3;
    return [index % width, Math.floor(index / width)];
  };
  expect(cornerOf(flipOf("horizontal"))).toEqual([2, 0]);
  expect(cornerOf(flipOf("vertical"))).toEqual([0, 1]);
  const corners = [
    [0, 0],
    [1, 0],
    [2, 1],
    [0, 2],
  ];
  for (const [quarters, corner] of corners.entries()) {
    for (const turns of [-360, 0, 360]) {
      expect(cornerOf(rotationOf(quarters * 90 + turns))).toEqual(corner);
    }
  }
});

test.each(orientations)("orientation %i is a reflection and a rotation", (orientation) => {
  const { mirrored, degrees } = turnOf(transformOf(orientation));
  const mirror = mirrored ? flipOf("horizontal") : rotationOf(0);
  expect(combine(mirror, rotationOf(degrees))).toEqual(transformOf(orientation));
});
