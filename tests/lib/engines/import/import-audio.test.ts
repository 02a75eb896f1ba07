import { execFileSync } from "node:child_process";
import { copyFile, stat } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { importFile } from "#lib/engines/import/import-file.ts";
import { sniffFile } from "#lib/media/sniff/sniff.ts";
import { type MediaTypeId, mediaType } from "#lib/media/types.ts";
import { readAudio } from "#tests/samples/audio.ts";
import { toSample } from "#tests/samples/images.ts";
import { makeVideo, streamsOf, testPattern, tone } from "#tests/samples/videos.ts";
import { temporaryWorkFolder } from "#tests/support/operation.ts";

async function run(type: MediaTypeId, path: string) {
  expect((await sniffFile(path)).id).toBe(type);
  const work = temporaryWorkFolder();
  const file = work.input(mediaType(type).extension);
  await copyFile(path, file.path);
  const { size: bytes } = await stat(file.path);
  const input = { ...file, type: mediaType(type), bytes, filename: `a.${file.extension}` };
  const signal = new AbortController().signal;
  return importFile(input, { raw: "preview", size: {} }, work, signal);
}

/** The decoded samples of the first audio stream. */
function decode(path: string): Buffer {
  const output = ["-f", "s16le", "-c:a", "pcm_s16le", "-"];
  return execFileSync("ffmpeg", ["-v", "error", "-i", path, "-map", "0:a:0", ...output]);
}

const title = ["-metadata", "title=Grüße"];

describe("audio becomes FLAC, with the same samples:", () => {
  test.each<[MediaTypeId, string, readonly string[]]>([
    ["aiff", "AIFF", ["-c:a", "pcm_s16be", "-write_id3v2", "1", ...title]],
    ["caf", "CAF with ALAC", ["-c:a", "alac"]],
    ["ac3", "AC-3 of 48 kHz", ["-c:a", "ac3", "-ar", "48000"]],
    ["ac3", "AC-3 of 44.1 kHz", ["-c:a", "ac3", "-ar", "44100"]],
    ["ac3", "AC-3 of 32 kHz", ["-c:a", "ac3", "-ar", "32000"]],
    ["ac3", "E-AC-3", ["-f", "eac3", "-c:a", "eac3", "-ar", "48000"]],
    ["wv", "WavPack", ["-c:a", "wavpack", ...title]],
    ["wma", "WMA", ["-f", "asf", "-c:a", "wmav2", ...title]],
  ])("%s: %s", async (type, _, options) => {
    const path = makeVideo(mediaType(type).extension, ...tone(1), ...options);
    const output = await run(type, path);
    expect(output.type.id).toBe("flac");
    const [was, is] = [readAudio(path), readAudio(output.path)];
    expect([is.codec, is.sampleRate, is.channels]).toEqual(["flac", was.sampleRate, was.channels]);
    if (options.includes("title=Grüße")) expect(is.tags.title).toBe("Grüße");
    // A lossy codec decodes to floating-point numbers, which are rounded.
    const [before, after] = [decode(path), decode(output.path)];
    expect(Math.abs(before.length - after.length)).toBeLessThan(5000);
    let most = 0;
    for (let at = 0; at + 1 < Math.min(before.length, after.length); at += 2) {
      most = Math.max(most, Math.abs(before.readInt16LE(at) - after.readInt16LE(at)));
    }
    expect(most).toBeLessThan(3);
  });

  test("amr", async () => {
    // Frames of 12.2 kbit/s (RFC 4867, frame type 7), each 20 ms.
    const frame = Buffer.concat([Buffer.from([0x3c]), Buffer.alloc(31)]);
    const bytes = Buffer.concat([Buffer.from("#!AMR\n"), ...Array(50).fill(frame)]);
    const output = await run("amr", (await toSample("amr", bytes)).path);
    expect(readAudio(output.path)).toMatchObject({ codec: "flac", sampleRate: 8000, channels: 1 });
    expect(decode(output.path).length).toBe(50 * 160 * 2);
  });
});

test("MXF becomes MOV, with the same packets", async () => {
  const codecs = ["-c:v", "mpeg2video", "-c:a", "pcm_s16le", "-ar", "48000"];
  const path = makeVideo(
    "mxf",
    ...testPattern("size=320x240:rate=25:duration=1"),
    ...tone(1),
    ...codecs,
  );
  const output = await run("mxf", path);
  expect(output.type.id).toBe("mov");
  const hashes = (file: string) => {
    const streams = ["-map", "0:v", "-map", "0:a", "-c", "copy", "-f", "streamhash", "-"];
    return execFileSync("ffmpeg", ["-v", "error", "-i", file, ...streams]).toString();
  };
  expect(hashes(output.path)).toBe(hashes(path));
  expect(streamsOf(output.path, "video")[0]).toMatchObject({ codec_name: "mpeg2video" });
});

test("a damaged file is corrupt", async () => {
  const bytes = Buffer.concat([Buffer.from("FORM\0\0\x10\0AIFF", "latin1"), Buffer.alloc(500, 9)]);
  await expect(run("aiff", (await toSample("aiff", bytes)).path)).rejects.toMatchObject({
    code: "corrupt",
  });
});
