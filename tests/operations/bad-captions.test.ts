import { writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { operations } from "#lib/operations/catalogue/index.ts";
import { badCaptions } from "#tests/hostile/bad-captions.ts";
import { layBait } from "#tests/hostile/canary.ts";
import { frameAt, h264, makeVideo, picture, videoFolder } from "#tests/samples/videos.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

/** A black picture or film, whichever is accepted. */
async function blackSample(accepts: readonly string[]): Promise<Sample> {
  const size = { width: 160, height: 90 };
  if (!accepts.includes("png")) {
    const source = picture("color=black:size=160x90:rate=10:duration=0.2", "color");
    return { path: makeVideo("mp4", ...source, ...h264), type: "mp4" };
  }
  const path = join(videoFolder(), "black.png");
  await sharp({ create: { ...size, channels: 3, background: "black" } }).toFile(path);
  return { path, type: "png" };
}

/** RGB of the first frame. */
async function readPicture(path: string): Promise<Buffer> {
  if (path.endsWith(".png")) return sharp(path).removeAlpha().raw().toBuffer();
  return frameAt(path).data;
}

const drawing = operations.filter(({ params }) => "text" in params.shape);

describe.each(drawing)("$id", (operation) => {
  const draw = async (text: string) => {
    const sample = await blackSample(operation.accepts);
    const { outputs } = await runOperation(operation, sample, { ...operation.example, text });
    return readPicture(outputs[0]?.path ?? "");
  };

  it.each(badCaptions)("$id", async ({ id, text, isRefused }) => {
    const bait = await layBait();
    const caption = text(bait);
    if (isRefused) {
      await expect(draw(caption)).rejects.toMatchObject({ name: "ZodError" });
      return;
    }
    const drawn = await draw(caption);
    expect(Math.max(...drawn)).toBeGreaterThan(40);
    if (!id.startsWith("the way out")) return;
    // Whatever the file says, the picture is the same.
    writeFileSync(bait.secret, "▇".repeat(20));
    const again = await draw(caption).finally(() => writeFileSync(bait.secret, bait.marker));
    expect(again.equals(drawn)).toBe(true);
  });
});
