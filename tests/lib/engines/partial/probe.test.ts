import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { probe } from "#lib/engines/ffmpeg/ffprobe.ts";
import { PartialFile } from "#lib/engines/partial/partial-file.ts";
import { startRangeServer } from "#lib/engines/partial/range-server.ts";
import type { PartialContent } from "#lib/engines/sandbox/work-folder.ts";
import { JobError } from "#lib/errors.ts";
import { makeVideo, testPattern, tone } from "#tests/samples/videos.ts";
import { temporaryFolder } from "#tests/servers/net.ts";
import { temporaryWorkFolder } from "#tests/support/operation.ts";

/** Every container must have the same properties when it is read in part as when it is whole. */

const signal = new AbortController().signal;
const both = [...testPattern(), ...tone()];
const noise = ["-f", "lavfi", "-i", "anoisesrc=d=20:r=44100", "-b:a", "192k"];

async function serve(path: string): Promise<PartialContent> {
  const content = readFileSync(path);
  const source = {
    bytes: content.length,
    async *read(start: number, end: number) {
      yield content.subarray(start, end);
    },
    async close() {},
  };
  const file = await PartialFile.create(source, { path: join(temporaryFolder(), "sparse") });
  const server = await startRangeServer(file);
  onTestFinished(async () => {
    await server.close();
    await file.close();
  });
  const requireWhole = (reason: string) => {
    throw new Error(`the whole file is required: ${reason}`);
  };
  return { socket: server.socket, bytes: content.length, requireWhole };
}

/** Writes `content` to a file. */
function write(content: string): string {
  const path = join(temporaryFolder(), "content");
  writeFileSync(path, content);
  return path;
}

async function probeBoth(path: string, extension: string) {
  const work = temporaryWorkFolder();
  const whole = work.input(extension);
  copyFileSync(path, whole.path);
  const partial = { ...work.input(extension), partial: await serve(path) };
  return { whole: await probe(whole, work, signal), partial: await probe(partial, work, signal) };
}

it.each([
  ...["mp4", "mov", "mkv", "webm", "avi", "ts", "mpg", "flv", "wmv"].map((extension) => ({
    extension,
    args: [...both, ...(extension === "webm" ? ["-deadline", "realtime"] : []), "-ar", "44100"],
  })),
  { extension: "mp4", args: [...both, "-movflags", "frag_keyframe+empty_moov"] },
  ...["mp3", "flac", "wav", "ogg", "m4a", "aac"].map((extension) => ({ extension, args: noise })),
])("$extension has the same properties", async ({ extension, args }) => {
  const rate = extension === "webm" ? args.map((one) => (one === "44100" ? "48000" : one)) : args;
  const { whole, partial } = await probeBoth(makeVideo(extension, ...rate), extension);
  expect(partial).toEqual(whole);
});

it("a file whose duration must be measured is required as a whole", async () => {
  // Without a duration in the header: ffmpeg cannot write it to a pipe.
  const path = makeVideo("live.mkv", ...both, "-f", "matroska", "-live", "1");
  await expect(probeBoth(path, "mkv")).rejects.toThrow("the whole file is required");
});

it.each([
  ["HLS", "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nhttp://127.0.0.1/a.ts\n#EXT-X-ENDLIST\n"],
  ["ffconcat", "ffconcat version 1.0\nfile http://127.0.0.1/a.mp4\n"],
])("a playlist that is served (%s) opens nothing", async (_, content) => {
  const work = temporaryWorkFolder();
  const file = { ...work.input("mp4"), partial: await serve(write(content)) };
  await expect(probe(file, work, signal)).rejects.toBeInstanceOf(JobError);
});
