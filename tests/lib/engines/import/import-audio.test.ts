import { createHash } from "node:crypto";
import { copyFile, stat } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { importFile } from "#lib/engines/import/import-file.ts";
import { sniffFile } from "#lib/formats/sniff/sniff.ts";
import { type MediaTypeId, mediaType } from "#lib/media/types.ts";
import { convert } from "#lib/operations/audio/convert/index.ts";
import { readAudio } from "#tests/samples/audio.ts";
import { toSample } from "#tests/samples/images/images.ts";
import { makeVideo, streamsOf, testPattern, tone } from "#tests/samples/videos.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { runOperation, temporaryWorkFolder } from "#tests/support/operation.ts";

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
  return execProgram("ffmpeg", ["-v", "error", "-i", path, "-map", "0:a:0", ...output]);
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
    const was = readAudio(path);
    const is = readAudio(output.path);
    expect([is.codec, is.sampleRate, is.channels]).toEqual(["flac", was.sampleRate, was.channels]);
    if (options.includes("title=Grüße")) expect(is.tags.title).toBe("Grüße");
    // A lossy codec decodes to floating-point numbers, which are rounded.
    const before = decode(path);
    const after = decode(output.path);
    expect(Math.abs(before.length - after.length)).toBeLessThan(5000);
    let most = 0;
    for (let at = 0; at + 1 < Math.min(before.length, after.length); at += 2) {
      most = Math.max(most, Math.abs(before.readInt16LE(at) - after.readInt16LE(at)));
    }
    expect(most).toBeLessThan(3);
  });

  test.each([
    // Frames of 20 ms: the highest mode of each (RFC 4867), after a byte that names it.
    ["AMR", "#!AMR\n", 7, 31, 8000],
    ["AMR-WB", "#!AMR-WB\n", 8, 60, 16_000],
  ] as const)("%s", async (_, magic, mode, size, sampleRate) => {
    const frames = Array.from({ length: 50 }, (_, frame) => {
      const bits = createHash("sha512").update(`${frame}`).digest();
      return Buffer.concat([Buffer.from([(mode << 3) | 4]), bits.subarray(0, size)]);
    });
    const bytes = Buffer.concat([Buffer.from(magic), ...frames]);
    const { path } = await toSample("amr", bytes);
    const output = await run("amr", path);
    expect(readAudio(output.path)).toMatchObject({ codec: "flac", sampleRate, channels: 1 });
    const before = decode(path);
    const after = decode(output.path);
    expect(after.length).toBe(sampleRate * 2);
    expect(after.equals(before)).toBe(true);
    expect(Math.max(...new Int16Array(new Uint8Array(after).buffer))).toBeGreaterThan(1000);
  });

  test("AMR in 3GP plays as WAV", async () => {
    const frame = Buffer.concat([Buffer.from([0x3c]), Buffer.alloc(31, 0x5a)]);
    const bytes = Buffer.concat([Buffer.from("#!AMR\n"), ...Array(50).fill(frame)]);
    const { path } = await toSample("amr", bytes);
    const phone = makeVideo("3gp", "-i", path, "-c", "copy");
    const { outputs } = await runOperation(
      convert,
      { path: phone, type: "3gp" },
      { format: "wav" },
    );
    const wav = outputs[0]?.path ?? "";
    expect(readAudio(wav)).toMatchObject({ codec: "pcm_s16le", sampleRate: 8000, channels: 1 });
    expect(decode(wav).equals(decode(phone))).toBe(true);
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
    return execProgram("ffmpeg", ["-v", "error", "-i", file, ...streams]).toString();
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
