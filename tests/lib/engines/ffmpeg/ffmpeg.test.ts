import { copyFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { applyFilters, encodeAs } from "#lib/engines/ffmpeg/arguments.ts";
import {
  buildArguments,
  type FfmpegCommand,
  runFfmpeg,
  writtenDuration,
} from "#lib/engines/ffmpeg/ffmpeg.ts";
import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import { buildBadInput } from "#tests/hostile/bad-input.ts";
import { badPlaylists } from "#tests/hostile/media/bad-playlists.ts";
import { badVideos } from "#tests/hostile/media/bad-videos.ts";
import { ffprobe, makeVideo, sampleVideo, testPattern } from "#tests/samples/videos.ts";
import { temporaryWorkFolder } from "#tests/support/operation.ts";

const never = new AbortController().signal;

async function workWith(path: string) {
  const work = temporaryWorkFolder();
  const input = work.input("mp4");
  await copyFile(path, input.path);
  return { work, input };
}

/** Encodes `input` with ffv1, after `filters`. */
function encode(input: WorkFile, output: WorkFile, filters: readonly string[] = []): FfmpegCommand {
  const videoFilters = filters.length > 0 ? applyFilters("v", 0, filters) : [];
  return {
    inputs: [{ file: input }],
    outputs: [{ file: output, args: [...encodeAs("v", 0, "ffv1"), ...videoFilters] }],
  };
}

describe("a run", () => {
  it("writes its output and reports its progress", async () => {
    const { work, input } = await workWith(sampleVideo());
    const output = work.output("mkv");
    const progress: number[] = [];
    const result = await runFfmpeg({
      work,
      signal: never,
      duration: 2,
      progress: (percent) => progress.push(percent),
      ...encode(input, output),
    });
    expect(result.frames).toBe(50);
    expect(Number(ffprobe(output.path).format.duration)).toBeCloseTo(2, 1);
    expect(progress.at(-1)).toBeGreaterThan(90);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  });

  it("decodes and discards the streams of an output without a file", async () => {
    const { work, input } = await workWith(sampleVideo());
    const outputs = [{ args: [] }];
    const result = await runFfmpeg({ work, signal: never, inputs: [{ file: input }], outputs });
    expect(result.frames).toBe(50);
  });

  it("has every guard before every input", async () => {
    const { work, input } = await workWith(sampleVideo());
    const args = buildArguments({
      inputs: [{ file: input }, { file: input }],
      outputs: [{ file: work.output("mp4"), args: [] }],
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

  it("passes an option with a space as one argument", async () => {
    const { work, input } = await workWith(sampleVideo());
    const args = buildArguments({
      inputs: [{ file: input }],
      outputs: [{ file: work.output("mp4"), args: ["-metadata", "title=two words"] }],
    });
    expect(args).toContain("title=two words");
  });

  it.each(["/etc/passwd", "http://127.0.0.1/x.mp4", "concat:a|b", "-y"])(
    "accepts only work files as inputs: %s",
    async (source) => {
      const { work, input } = await workWith(sampleVideo());
      expect(() =>
        buildArguments({
          inputs: [{ file: input, args: ["-i", source] }],
          outputs: [{ file: work.output("mp4"), args: [] }],
        }),
      ).toThrow("work file");
      const file = { ...input, name: source };
      const args = buildArguments({ inputs: [{ file }], outputs: [{ args: [] }] });
      expect(args[args.indexOf("-i") + 1]).toBe(`file:${source}`);
    },
  );
});

describe("a run fails as", () => {
  const copy = async (path: string, signal = never) => {
    const { work, input } = await workWith(path);
    return runFfmpeg({ work, signal, ...encode(input, work.output("mkv")) });
  };

  const unreadable = [...badPlaylists, ...badVideos].filter(
    ({ expected }) => expected.includes("corrupt") && !expected.includes("completes"),
  );

  it.each(unreadable)("corrupt or unsupported: $id", async (row) => {
    const { path } = await buildBadInput(row);
    const error = await copy(path).catch((caught: unknown) => caught);
    expect(row.expected).toContain((error as { code?: string }).code);
  });

  it("timed_out if it makes no progress", async () => {
    const path = makeVideo(
      "mp4",
      ...testPattern("size=1280x720:rate=25:duration=3"),
      "-c:v",
      "libx264",
      "-preset",
      "ultrafast",
    );
    const { work, input } = await workWith(path);
    // The reverse filter writes nothing until it has read all frames.
    const run = runFfmpeg({
      work,
      signal: never,
      stallMs: 300,
      ...encode(input, work.output("mkv"), ["reverse", "nlmeans=r=15"]),
    });
    await expect(run).rejects.toMatchObject({ code: "timed_out" });
  });

  it("aborted, not as a fault, if its caller aborts it", async () => {
    const controller = new AbortController();
    const run = copy(sampleVideo(), controller.signal);
    controller.abort();
    await expect(run).rejects.toMatchObject({ name: "EngineError", aborted: true });
  });
});

it("uses the duration of the input unless the output is shorter", () => {
  expect([writtenDuration(10, 9.6), writtenDuration(10, 4), writtenDuration(undefined, 4)]).toEqual(
    [10, 4, 4],
  );
});
