import { copyFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import {
  buildArguments,
  mediaPath,
  runFfmpeg,
  writtenDuration,
} from "#lib/engines/ffmpeg/ffmpeg.ts";
import { buildBadInput } from "#tests/hostile/bad-input.ts";
import { badPlaylists } from "#tests/hostile/bad-playlists.ts";
import { badFilms } from "#tests/hostile/bad-videos.ts";
import { ffprobe, film, makeVideo, picture } from "#tests/samples/videos.ts";
import { temporaryWorkFolder } from "#tests/support/operation.ts";

const never = new AbortController().signal;

async function workWith(path: string) {
  const work = temporaryWorkFolder();
  const input = work.input("mp4");
  await copyFile(path, input.path);
  return { work, input };
}

describe("a run", () => {
  it("writes its output and tells how far it is", async () => {
    const { work, input } = await workWith(film());
    const output = work.output("mkv");
    const progress: number[] = [];
    const result = await runFfmpeg({
      ...{ work, signal: never, duration: 2, progress: (percent) => progress.push(percent) },
      build: (command) =>
        command.input(mediaPath(input)).videoCodec("ffv1").output(mediaPath(output)),
    });
    expect(result.frames).toBe(50);
    expect(Number(ffprobe(output.path).format.duration)).toBeCloseTo(2, 1);
    expect(progress.at(-1)).toBeGreaterThan(90);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  });

  it("has every guard in front of every input", async () => {
    const { input } = await workWith(film());
    const args = buildArguments({
      build: (command) =>
        command.input(mediaPath(input)).input(mediaPath(input)).output("file:out/0.mp4"),
    });
    const inputs = args.flatMap((argument, index) => (argument === "-i" ? [index] : []));
    expect(inputs).toHaveLength(2);
    let from = 0;
    for (const at of inputs) {
      const options = args.slice(from, at);
      for (const guard of [
        "-protocol_whitelist",
        "-format_whitelist",
        "-codec_whitelist",
        "-max_pixels",
        "-max_streams",
      ]) {
        expect(options).toContain(guard);
      }
      expect(options[options.indexOf("-protocol_whitelist") + 1]).toBe("file");
      expect(options[options.indexOf("-format_whitelist") + 1]?.split(",")).not.toContain("hls");
      expect(options[options.indexOf("-codec_whitelist") + 1]).not.toMatch(/magicyuv|flic/);
      from = at;
    }
    expect(args).toEqual(expect.arrayContaining(["-nostdin", "-hide_banner", "-y"]));
  });

  it.each(["/etc/passwd", "http://127.0.0.1/x.mp4", "concat:a|b", "-y"])(
    "takes no input but a work file: %s",
    (source) => {
      expect(() =>
        buildArguments({ build: (command) => command.input(source).output("file:out/0.mp4") }),
      ).toThrow("work file");
    },
  );
});

describe("a run fails as", () => {
  const copy = async (path: string, more: Partial<Parameters<typeof runFfmpeg>[0]> = {}) => {
    const { work, input } = await workWith(path);
    const output = work.output("mkv");
    return runFfmpeg({
      ...{ work, signal: never },
      build: (command) =>
        command.input(mediaPath(input)).videoCodec("ffv1").output(mediaPath(output)),
      ...more,
    });
  };

  const unread = [...badPlaylists, ...badFilms].filter(
    ({ answers }) => answers.includes("corrupt") && !answers.includes("completes"),
  );

  it.each(unread)("corrupt or unsupported: $id", async (row) => {
    const { path } = await buildBadInput(row);
    const error = await copy(path).catch((caught: unknown) => caught);
    expect(row.answers).toContain((error as { code?: string }).code);
  });

  it("timed_out where it stands still", async () => {
    const path = makeVideo(
      "mp4",
      ...picture("size=1280x720:rate=25:duration=3"),
      "-c:v",
      "libx264",
      "-preset",
      "ultrafast",
    );
    const { work, input } = await workWith(path);
    const output = work.output("mkv");
    // Reversing writes nothing until it has read everything.
    const run = runFfmpeg({
      ...{ work, signal: never, stallMs: 300 },
      build: (command) =>
        command
          .input(mediaPath(input))
          .videoFilters(["reverse", "nlmeans=r=15"])
          .videoCodec("ffv1")
          .output(mediaPath(output)),
    });
    await expect(run).rejects.toMatchObject({ code: "timed_out" });
  });

  it("stopped, not as a fault, where its caller stops it", async () => {
    const controller = new AbortController();
    const run = copy(film(), { signal: controller.signal });
    controller.abort();
    await expect(run).rejects.toMatchObject({ name: "EngineError", aborted: true });
  });
});

it("takes a result's length from its input unless that breaks off", () => {
  expect([writtenDuration(10, 9.6), writtenDuration(10, 4), writtenDuration(undefined, 4)]).toEqual(
    [10, 4, 4],
  );
});
