import { writeFile } from "node:fs/promises";
import sharp from "sharp";
import { expect, it } from "vitest";
import { callInWorker } from "#lib/engines/worker/call.ts";
import { drawPicture } from "#lib/images/draw/worker-functions.ts";
import { defaultPlan } from "#lib/images/plan/plan.ts";
import { parseThumborPath } from "#lib/images/thumbor/parse-path.ts";
import { temporaryWorkFolder } from "#tests/support/operation.ts";

/** Draws an animation of this many frames of one pixel. */
async function drawFrames(frames: number, path: string) {
  const work = temporaryWorkFolder();
  const file = work.input("gif");
  // Equal frames would be written as one.
  const samples = Uint8Array.from({ length: frames * 3 }, (_, index) => (index % 6 < 3 ? 0 : 255));
  const raw = { width: 1, height: frames, channels: 3, pageHeight: 1 } as const;
  await writeFile(file.path, await sharp(samples, { raw }).gif().toBuffer());
  const { plan } = parseThumborPath(`${path}/https://a.example/a.gif`);
  const { outputs } = await callInWorker(drawPicture, {
    files: [file],
    options: { plan: { ...defaultPlan, ...plan }, preferred: [] },
    work,
    signal: new AbortController().signal,
  });
  return sharp(outputs[0]?.path).metadata();
}

it("all frames of an animation are enlarged", async () => {
  expect(await drawFrames(4, "30x20")).toMatchObject({ width: 30, height: 20, pages: 4 });
});

it("an animation that would fill the memory is rejected after its first frame", async () => {
  await expect(drawFrames(1000, "2000x2000")).rejects.toMatchObject({ code: "too_complex" });
});
