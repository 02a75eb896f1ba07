import { writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { operations } from "#lib/operations/catalogue/index.ts";
import { acceptsType, type Operation } from "#lib/operations/define.ts";
import { startCanary } from "#tests/hostile/canary.ts";
import { badCaptions } from "#tests/hostile/media/bad-captions.ts";
import { frameAt, h264, makeVideo, testPattern, videoFolder } from "#tests/samples/videos.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

/** A black image or, for an operation that accepts no images, a black video. */
async function blackSample(operation: Operation): Promise<Sample> {
  const size = { width: 160, height: 90 };
  if (!acceptsType(operation, "png")) {
    const source = testPattern("color=black:size=160x90:rate=10:duration=0.2", "color");
    return { path: makeVideo("mp4", ...source, ...h264), type: "mp4" };
  }
  const path = join(videoFolder(), "black.png");
  await sharp({ create: { ...size, channels: 3, background: "black" } }).toFile(path);
  return { path, type: "png" };
}

/** Reads the first frame as RGB. */
async function readFirstFrame(path: string): Promise<Buffer> {
  if (path.endsWith(".png")) return sharp(path).removeAlpha().raw().toBuffer();
  return frameAt(path).data;
}

const textOperations = operations
  .filter(({ params }) => "text" in params.shape)
  .filter((operation) => acceptsType(operation, "png") || acceptsType(operation, "mp4"));

describe.each(textOperations)("$id", (operation) => {
  const draw = async (text: string) => {
    const sample = await blackSample(operation);
    const { outputs } = await runOperation(operation, sample, { ...operation.example, text });
    return readFirstFrame(outputs[0]?.path ?? "");
  };

  it.each(badCaptions)("$id", async ({ id, text, isRejected }) => {
    const canary = await startCanary();
    const caption = text(canary);
    if (isRejected) {
      await expect(draw(caption)).rejects.toMatchObject({ name: "ZodError" });
      return;
    }
    const drawn = await draw(caption);
    expect(Math.max(...drawn)).toBeGreaterThan(40);
    if (!id.startsWith("the injection")) return;
    // The image must not depend on the file's content.
    const { secretFile, secretText } = canary;
    writeFileSync(secretFile, "▇".repeat(20));
    const redrawn = await draw(caption).finally(() => writeFileSync(secretFile, secretText));
    expect(redrawn.equals(drawn)).toBe(true);
  });
});
