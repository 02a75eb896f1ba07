import { expect, it } from "vitest";
import type { MediaTypeId } from "#lib/media/types.ts";
import { flip } from "#lib/operations/video/flip/index.ts";
import {
  audioHashes,
  frameTimes,
  makeVideo,
  shortVideo,
  ssim,
  streamsOf,
  testPattern,
} from "#tests/samples/videos.ts";
import { runCopy } from "#tests/samples/zygote/run-copy.ts";
import { runOperation } from "#tests/support/operation.ts";

async function mirror(path: string, direction: string, type: MediaTypeId = "mp4") {
  const { outputs } = await runOperation(flip, { path, type }, { direction });
  const [output] = outputs;
  if (!output) throw new Error("no output");
  return output;
}

it.each([
  ["horizontal", "hflip"],
  ["vertical", "vflip"],
])("%s mirrors every frame", async (direction, filter) => {
  const output = await mirror(shortVideo(), direction);
  expect(ssim(shortVideo(), output.path, filter, "null")).toBeGreaterThan(0.98);
  expect(ssim(shortVideo(), output.path)).toBeLessThan(0.9);
  expect(frameTimes(output.path)).toEqual(frameTimes(shortVideo()));
  expect(audioHashes(output.path)).toEqual(audioHashes(shortVideo()));
  expect([output.width, output.height]).toEqual([320, 180]);
});

it("horizontal exchanges left and right of the upright frame", async () => {
  const turned = makeVideo("mp4", "-i", shortVideo(), "-c", "copy", "-metadata:s:v", "rotate=90");
  const output = await mirror(turned, "horizontal");
  expect(ssim(turned, output.path, "hflip", "null")).toBeGreaterThan(0.98);
  expect([output.width, output.height]).toEqual([180, 320]);
});

it("HDR upside down keeps its HDR10 metadata", async () => {
  const display = "G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50)";
  const path = makeVideo(
    "mp4",
    ...testPattern("size=320x180:rate=25:duration=1"),
    ...["-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-preset", "ultrafast", "-x265-params"],
    `log-level=error:master-display=${display}:max-cll=1000,400`,
    ...["-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc"],
    ...["-tag:v", "hvc1"],
  );
  const { path: flipped } = await mirror(path, "vertical");
  const show = ["-v", "quiet", "-read_intervals", "%+#1", "-show_entries", "frame_side_data_list"];
  const metadataOf = (file: string) =>
    runCopy("ffprobe", [...show, file])
      .stdout.toString()
      .split("\n")
      .filter((line) => /^(red|green|blue|white|min|max)_/.test(line));
  expect(metadataOf(flipped)).toEqual(metadataOf(path));
  expect(metadataOf(path)).toContain("max_content=1000");
});

it("an odd size becomes even where the codec requires it", async () => {
  const path = makeVideo(
    "avi",
    ...testPattern("size=65x37:rate=10:duration=0.3", "testsrc"),
    "-c:v",
    "mjpeg",
  );
  expect(await mirror(path, "vertical", "avi")).toMatchObject({ width: 65, height: 37 });
  const flv = makeVideo(
    "flv",
    ...testPattern("size=65x37:rate=10:duration=0.3", "testsrc"),
    "-c:v",
    "flv",
  );
  const output = await mirror(flv, "vertical", "flv");
  expect(streamsOf(output.path, "video")[0]).toMatchObject({
    width: output.width,
    height: output.height,
  });
});

it("another direction is rejected", () => {
  expect(flip.params.safeParse({ direction: "both" }).success).toBe(false);
  expect(flip.params.safeParse({}).success).toBe(false);
});
