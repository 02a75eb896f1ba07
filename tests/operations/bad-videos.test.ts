import { expect, it } from "vitest";
import { mediaTypeOfExtension } from "#lib/media/types.ts";
import { overlayText } from "#lib/operations/video/overlay-text/index.ts";
import { buildBadInput } from "#tests/hostile/bad-input.ts";
import { describeBadInputs } from "#tests/hostile/describe-bad-inputs.ts";
import { badPlaylists } from "#tests/hostile/media/bad-playlists.ts";
import { badVideos } from "#tests/hostile/media/bad-videos.ts";
import { ffprobe, frameAt, streamsOf } from "#tests/samples/videos.ts";
import { runOperation } from "#tests/support/operation.ts";

describeBadInputs([...badPlaylists, ...badVideos], ({ outputs }, _, { group }) => {
  const [output] = outputs;
  const { kind } = mediaTypeOfExtension(output?.extension ?? "");
  if (group !== "video" || kind !== "video") return;
  const { format, streams } = ffprobe(output?.path ?? "");
  expect(streams.find(({ codec_type: type }) => type === "video")?.width).toBeGreaterThan(0);
  const seconds = Number(format.duration);
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThan(4);
  expect(Math.abs((output?.duration ?? 0) - seconds)).toBeLessThan(1.1);
});

it("keeps the first frame's size and the text if frames change size", async () => {
  const row = badVideos.find(({ id }) => id === "frames that change size");
  if (!row) throw new Error("no such row");
  const white = { text: "▇▇▇▇▇▇▇▇", x: 0, y: 0, fontsize: 50 };
  const { outputs } = await runOperation(overlayText, await buildBadInput(row), white);
  const path = outputs[0]?.path ?? "";
  expect(streamsOf(path, "video")[0]).toMatchObject({ width: 96, height: 54 });
  for (const seconds of [0.2, 1.5]) {
    const frame = frameAt(path, seconds);
    expect([frame.width, frame.height]).toEqual([96, 54]);
    const bright = frame.data.subarray(0, 96 * 3 * 20).filter((value) => value > 225).length;
    expect(bright).toBeGreaterThan(800);
  }
});
