import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  copyPatched,
  decodePatches,
  encodePatches,
  type Patch,
  TooManyPatchesError,
} from "#lib/formats/scrub/patch.ts";
import { cpuSeconds } from "#tests/support/processes.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mediamill-patch-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** What `copyPatched` writes for a file of `bytes`. */
async function copyAll(
  bytes: Buffer,
  patches: readonly Patch[],
  signal?: AbortSignal,
): Promise<Buffer> {
  const from = join(folder, "from");
  const to = join(folder, "to");
  await writeFile(from, bytes);
  await rm(to, { force: true });
  await copyPatched(from, to, patches, signal);
  return readFile(to);
}

/** The same, one patch after the other. */
function apply(bytes: Buffer, patches: readonly Patch[]): Buffer {
  const changed = Buffer.from(bytes);
  for (const patch of patches) {
    if ("bytes" in patch) patch.bytes.copy(changed, patch.offset);
    else changed.fill(0, patch.offset, Math.min(patch.offset + patch.zeros, bytes.length));
  }
  return changed;
}

const size = 100;
const patchOf: fc.Arbitrary<Patch> = fc.oneof(
  fc.record({ offset: fc.nat(size), zeros: fc.nat(40) }),
  fc.record({
    offset: fc.nat(size),
    bytes: fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
  }),
);

test("patches in any order, which may overlap and end past the file, give what they give one after the other", async () => {
  const bytes = Buffer.from(Array.from({ length: size }, (_, index) => 255 - index));
  await fc.assert(
    fc.asyncProperty(fc.array(patchOf, { maxLength: 12 }), async (patches) => {
      const decoded = decodePatches(encodePatches(patches, size), size);
      expect(await copyAll(bytes, decoded)).toEqual(apply(bytes, patches));
    }),
  );
});

test("patches across the limits of reads are complete", async () => {
  const mebibyte = 1024 ** 2;
  const bytes = randomBytes(9 * mebibyte + 17);
  const patches: Patch[] = [
    { offset: 2 * mebibyte - 3, bytes: Buffer.from("across") },
    { offset: 4 * mebibyte - 1, zeros: 4 * mebibyte + 5 },
  ];
  expect((await copyAll(bytes, patches)).equals(apply(bytes, patches))).toBe(true);
});

test("a file with a patch at every second byte is changed in linear time", async () => {
  const bytes = randomBytes(1024 ** 2);
  const patches = Array.from({ length: 2 ** 19 }, (_, index) => ({ offset: index * 2, zeros: 1 }));
  const start = cpuSeconds();
  expect((await copyAll(bytes, patches)).equals(apply(bytes, patches))).toBe(true);
  // Linear time is less than a second. A write for each patch, or quadratic time, is much more.
  expect(cpuSeconds() - start).toBeLessThan(15);
});

test("a file that is shorter than its patches is an error", async () => {
  const copy = copyAll(randomBytes(1000), [{ offset: 990, zeros: 20 }]);
  await expect(copy).rejects.toThrow("the file is shorter than its patches");
});

test("an aborted signal ends the copy", async () => {
  const copy = copyAll(randomBytes(1000), [], AbortSignal.abort());
  await expect(copy).rejects.toThrow("aborted");
});

test("adjacent zeros become one patch", () => {
  const patches = Array.from({ length: 1000 }, (_, index) => ({ offset: index * 10, zeros: 10 }));
  expect(decodePatches(encodePatches(patches, 20_000), 20_000)).toEqual([
    { offset: 0, zeros: 10_000 },
  ]);
});

describe("an invalid plan is rejected", () => {
  const patch = encodePatches([{ offset: 10, bytes: Buffer.from("bytes") }], size);
  const withNumber = (at: number, value: number) => {
    const plan = Buffer.from(patch);
    plan.writeDoubleLE(value, at);
    return plan;
  };
  test.each([
    ["cut off in its header", patch.subarray(0, 9)],
    ["cut off in its bytes", patch.subarray(0, patch.length - 1)],
    ["a negative offset", withNumber(1, -1)],
    ["an offset that is no integer", withNumber(1, 0.5)],
    ["an offset that is no number", withNumber(1, Number.NaN)],
    ["past the end of the file", withNumber(1, size - 4)],
    ["a negative length", withNumber(9, -5)],
    ["an infinite length", withNumber(9, Number.POSITIVE_INFINITY)],
    ["overlapping patches", Buffer.concat([patch, patch])],
  ])("%s", (_name, plan) => {
    expect(() => decodePatches(plan, size)).toThrow(RangeError);
  });
});

test("more changes than a plan can have are an error", () => {
  const size = 200 * 1024 ** 2;
  const patches: Patch[] = [
    { offset: 0, zeros: size },
    { offset: 5, bytes: Buffer.from("overlaps") },
  ];
  expect(() => encodePatches(patches, size)).toThrow(TooManyPatchesError);
  expect(decodePatches(encodePatches([{ offset: 0, zeros: size }], size), size)).toHaveLength(1);
});
