import { readdir } from "node:fs/promises";
import { dirname } from "node:path";
import sharp from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import { closeImagePool } from "#lib/engines/image-pool.ts";
import { JobError } from "#lib/errors.ts";
import { operations } from "#lib/operations/index.ts";
import { badImages } from "#tests/support/bad-images.ts";
import { paintScene, toSample } from "#tests/support/images.ts";
import { runOperation } from "#tests/support/operation.ts";

afterAll(closeImagePool);

const ofImages = operations.filter((operation) => operation.group === "image");

describe.each(ofImages)("$id", (operation) => {
  test.each(badImages)("$id: $expected", async ({ type, build, expected }) => {
    const sample = await toSample(type, await build());
    const run = runOperation(operation, sample, operation.example);
    if (expected === "completes") {
      const { outputs } = await run;
      const [output] = outputs;
      const { width, height } = await sharp(output?.path, { failOn: "none" }).metadata();
      expect([width, height].sort()).toEqual([output?.width, output?.height].sort());
      return;
    }
    const error = await run.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(JobError);
    expect(error).toMatchObject({ code: expected });
    const { message } = error as JobError; // the line before last has made sure
    expect(message).not.toMatch(/vips|sharp|\/|Error|undefined/);
  });

  test("after all of them the next job is fine", async () => {
    const sample = await toSample("png", await paintScene().png().toBuffer());
    const { outputs } = await runOperation(operation, sample, operation.example);
    expect(await readdir(dirname(outputs[0]?.path ?? ""))).toEqual(["0.png"]);
  });
});
