import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { MediaStream } from "#lib/engines/ffmpeg/media-info.ts";
import { mediaTypeOfExtension } from "#lib/media/types.ts";
import { warnOfDroppedTracks } from "#lib/operations/video/hls/dropped-tracks.ts";
import { hls } from "#lib/operations/video/hls/index.ts";
import { chooseLadder } from "#lib/operations/video/hls/ladder.ts";
import { writeMaster } from "#lib/operations/video/hls/playlists.ts";
import { countCombs, interlacedVideo } from "#tests/samples/images/interlaced.ts";
import {
  audioHashes,
  ffmpeg,
  ffprobe,
  frameAt,
  h264,
  makeVideo,
  sampleVideo,
  testPattern,
  tone,
  videoFolder,
  videoWithText,
} from "#tests/samples/videos.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { runOperation, temporaryWorkFolder } from "#tests/support/operation.ts";

/** Makes a presentation and unpacks it. Returns its folder and what the master playlist says. */
async function stream(path: string, params: Record<string, unknown> = {}, keptIn?: string) {
  const type = mediaTypeOfExtension(path.split(".").at(-1) ?? "").id;
  const { outputs, result, progress } = await runOperation(hls, { path, type }, params);
  const folder = mkdtempSync(join(keptIn ?? tmpdir(), "mediamill-hls-"));
  if (!keptIn) onTestFinished(() => rmSync(folder, { recursive: true }));
  execProgram("python3", ["-m", "zipfile", "-e", outputs[0]?.path ?? "", folder]);
  const master = readFileSync(join(folder, "master.m3u8"), "utf8");
  const sizes = [...master.matchAll(/RESOLUTION=(\d+x\d+)/g)].map(([, size]) => size);
  const videos = [...master.matchAll(/^video-\d+\/index\.m3u8$/gm)].map(([name]) =>
    join(folder, name),
  );
  const audios = [...master.matchAll(/URI="(audio[^"]+)"/g)].map(([, name]) =>
    join(folder, name ?? ""),
  );
  return { folder, master, sizes, videos, audios, result, progress };
}

const durationsOf = (playlist: string) =>
  [...readFileSync(playlist, "utf8").matchAll(/#EXTINF:([\d.]+)/g)].map(([, value]) =>
    Number(value),
  );

const packetsOf = (path: string) =>
  ffprobe(path).packets.map(({ pts_time, flags }) => ({
    time: Number(pts_time),
    isKey: flags.startsWith("K"),
  }));

const source = () =>
  makeVideo(
    "mp4",
    ...testPattern("size=320x180:rate=25:duration=5"),
    ...tone(5),
    ...h264,
    "-c:a",
    "aac",
  );

let streamed: ReturnType<typeof stream> | undefined;

/** The source in two sizes, made once for several tests. */
const streamSource = () => {
  streamed ??= stream(source(), { heights: "90,180,720", segment: 2 }, videoFolder());
  return streamed;
};

describe("the renditions", () => {
  it("are those of the heights, and each decodes to the whole video", async () => {
    const { sizes, videos, audios, progress } = await streamSource();
    expect(sizes).toEqual(["320x180", "160x90"]);
    for (const video of videos) {
      const md5 = ffmpeg("-xerror", "-i", video, "-f", "framemd5", "-").toString();
      expect(md5.split("\n").filter((line) => line.startsWith("0,"))).toHaveLength(125);
    }
    const samples =
      ffmpeg("-xerror", "-i", audios[0] ?? "", "-f", "s16le", "-").length / 2 / 48_000;
    expect(Math.abs(samples - 5)).toBeLessThan(0.06);
    expect(Math.max(...progress)).toBeGreaterThan(50);
  });

  it("have segments of the same times, which begin with a key frame", async () => {
    const { videos, folder } = await streamSource();
    const [first, second] = videos.map(durationsOf);
    expect(first).toEqual([2, 2, 1]);
    expect(second).toEqual(first);
    for (const name of ["video-180", "video-90"]) {
      for (const file of readdirSync(join(folder, name)).filter((one) => one.endsWith(".ts"))) {
        expect(packetsOf(join(folder, name, file))[0]?.isKey).toBe(true);
      }
    }
    const keys = videos.map((video) =>
      packetsOf(video)
        .filter(({ isKey }) => isKey)
        .map(({ time }) => time),
    );
    expect(keys[0]).toEqual(keys[1]);
  });

  it("have continuous times over all segments", async () => {
    const { folder } = await streamSource();
    const gapsOf = (name: string) => {
      const files = readdirSync(join(folder, name)).filter((file) => file.endsWith(".ts"));
      expect(files).toHaveLength(3);
      const times = files.sort().flatMap((file) => packetsOf(join(folder, name, file)));
      const sorted = times.map(({ time }) => time).sort((a, b) => a - b);
      return sorted.slice(1).map((time, index) => time - (sorted[index] ?? 0));
    };
    const video = gapsOf("video-180");
    expect(video).toHaveLength(124);
    for (const gap of video) expect(Math.abs(gap - 0.04)).toBeLessThan(0.001);
    const audio = gapsOf("audio-1");
    expect(audio.length).toBeGreaterThan(230);
    for (const gap of audio) expect(Math.abs(gap - 1024 / 48_000)).toBeLessThan(0.001);
  });

  it("keep audio and video in sync", async () => {
    const { videos, audios } = await streamSource();
    const starts = [...videos, ...audios].map((playlist) => packetsOf(playlist)[0]?.time ?? -1);
    // The audio begins with the encoder's delay of 1024 samples.
    for (const start of starts) expect(Math.abs(start - (starts[0] ?? 0))).toBeLessThan(0.03);
  });

  it("are in H.265, in segments of MP4", async () => {
    const { videos, audios, master, folder } = await stream(source(), {
      codec: "h265",
      heights: "90",
    });
    expect(master).toMatch(/CODECS="hvc1\.1\.6\.L\d+\.[0-9A-F.]+,mp4a\.40\.2"/);
    expect(readdirSync(join(folder, "video-90")).sort()).toEqual([
      "00000.m4s",
      "index.m3u8",
      "init.mp4",
    ]);
    expect(ffprobe(videos[0] ?? "").streams[0]).toMatchObject({ codec_name: "hevc", width: 160 });
    const frames = ffmpeg("-xerror", "-i", videos[0] ?? "", "-f", "framemd5", "-").toString();
    expect(frames.split("\n").filter((line) => line.startsWith("0,"))).toHaveLength(125);
    const starts = [...videos, ...audios].map((playlist) => packetsOf(playlist)[0]?.time ?? -1);
    expect(Math.abs((starts[0] ?? 0) - (starts[1] ?? 0))).toBeLessThan(0.03);
  });

  it.each([
    [{ width: 1920, height: 1080 }, ["1920x1080", "1280x720", "854x480", "640x360"]],
    [{ width: 3840, height: 2160 }, ["1920x1080", "1280x720", "854x480", "640x360"]],
    [{ width: 1080, height: 1920 }, ["1080x1920", "720x1280", "480x854", "360x640"]],
    [{ width: 640, height: 360 }, ["640x360", "426x240", "256x144"]],
    [{ width: 97, height: 55 }, ["98x56"]],
  ])("are by default a ladder below %j", (frame, expected) => {
    const ladder = chooseLadder(frame, undefined);
    expect(ladder.map(({ width, height }) => `${width}x${height}`)).toEqual(expected);
  });
});

describe("the playlists", () => {
  it("declare codecs, sizes and bit rates", async () => {
    const { master, videos, folder } = await streamSource();
    expect(master).toMatch(/CODECS="avc1\.6400[0-9a-f]{2},mp4a\.40\.2"/);
    expect(master).toContain("FRAME-RATE=25.000");
    const bandwidth = Number(/[^-]BANDWIDTH=(\d+)/.exec(master)?.[1]);
    const bytes = readFileSync(join(folder, "video-180", "00000.ts")).length;
    expect(bandwidth).toBeGreaterThan((bytes * 8) / (durationsOf(videos[0] ?? "")[0] ?? 1));
  });

  it("list every audio track with its language", async () => {
    const tags = ["-metadata:s:a:0", "language=deu", "-metadata:s:a:1", "language=fra"];
    const names = ["-metadata:s:a:1", 'title=Say "hi",\nURI="x"'];
    const maps = ["-map", "0", "-map", "1", "-map", "2", ...h264, "-c:a", "aac", "-ac", "6"];
    const two = makeVideo(
      "mkv",
      ...testPattern(),
      ...tone(),
      ...tone(2, 900),
      ...maps,
      ...tags,
      ...names,
    );
    const { master, audios } = await stream(two, { heights: "180" });
    expect(master.match(/LANGUAGE="(\w+)"/g)).toEqual(['LANGUAGE="deu"', 'LANGUAGE="fra"']);
    expect(master.match(/^#EXT-X-MEDIA/gm)).toHaveLength(2);
    expect(master).not.toContain('URI="x"');
    for (const audio of audios) expect(ffprobe(audio).streams[0]).toMatchObject({ channels: 2 });
  });

  it("give each track of a group another name", () => {
    const tracks = ["Stereo", "Stereo", "Stereo 2", undefined, "Audio 4", "Stereo"].map((name) => ({
      uri: "index.m3u8",
      language: undefined,
      name,
      peak: 1,
      average: 1,
    }));
    const master = writeMaster([], tracks, tracks.slice(0, 2));
    expect([...master.matchAll(/NAME="(.*?)"/g)].map(([, name]) => name)).toEqual([
      ...["Stereo", "Stereo 3", "Stereo 2", "Audio 4", "Audio 4 2", "Stereo 4"],
      ...["Stereo", "Stereo 2"],
    ]);
  });

  it("list subtitles, whose times are mapped to those of the segments", async () => {
    // Without audio, whose encoder's delay would move all streams of a Matroska file.
    const path = makeVideo(
      "mkv",
      "-i",
      videoWithText(),
      "-map",
      "0:v",
      "-map",
      "0:s",
      "-c",
      "copy",
    );
    const { folder, master, videos } = await stream(path, { heights: "90" });
    expect(master).toMatch(/TYPE=SUBTITLES,.*URI="subtitles-1\/index.m3u8"/);
    expect(master).toContain('SUBTITLES="subtitles"');
    const text = readFileSync(join(folder, "subtitles-1", "00000.vtt"), "utf8");
    expect(text).toContain("00:00:00.200 --> 00:00:00.900\nHello");
    const start =
      Number(/X-TIMESTAMP-MAP=MPEGTS:(\d+),LOCAL:00:00:00.000/.exec(text)?.[1]) / 90_000;
    const times = packetsOf(videos[0] ?? "").map(({ time }) => time);
    expect(Math.min(...times)).toBeCloseTo(start, 3);
  });

  it("have no audio if the video has none", async () => {
    const mute = makeVideo("mp4", ...testPattern("size=160x90:rate=10:duration=1"), ...h264);
    const { master, audios } = await stream(mute);
    expect(audios).toEqual([]);
    expect(master).not.toContain("AUDIO");
  });
});

it("warns of what the presentation does not have", () => {
  const work = temporaryWorkFolder();
  const audio = { type: "audio", codec: "aac", sampleRate: 48_000, channels: 6 };
  const subtitles = ["subrip", "dvd_subtitle"].map((codec) => ({ type: "subtitle", codec }));
  // Only these properties are read.
  const streams = [...Array.from({ length: 9 }, () => audio), ...subtitles] as MediaStream[];
  warnOfDroppedTracks({ streams, chapters: [{ start: 0, end: 1, title: "One" }] }, work);
  expect(work.takeWarnings()).toEqual([
    "Only the first 8 audio tracks were kept.",
    "Audio with more than two channels was mixed to stereo, which every player supports.",
    "1 subtitle track was left out, because only those of text can be streamed.",
    "The chapters were left out, because HLS has none.",
  ]);
});

it("copies AAC", async () => {
  const { audios } = await streamSource();
  const raw = (path: string) => ffmpeg("-i", path, "-map", "0:a", "-f", "s16le", "-");
  const copied = raw(audios[0] ?? "");
  const original = raw(source());
  expect(copied.subarray(2048, 400_000).equals(original.subarray(0, 397_952))).toBe(true);
  expect(audioHashes(source())).toHaveLength(1);
});

describe("encryption", () => {
  const encryption_key = "00112233445566778899aabbccddeeff";

  it.each(["h264", "h265"])("is read with the key of the archive (%s)", async (codec) => {
    const { folder, videos } = await stream(source(), {
      encryption_key,
      heights: "90",
      codec,
      segment: 2,
    });
    expect(readFileSync(join(folder, "encryption.key")).toString("hex")).toBe(encryption_key);
    const [segment] = readdirSync(join(folder, "video-90")).filter((name) =>
      name.startsWith("00000"),
    );
    const bytes = readFileSync(join(folder, "video-90", segment ?? ""));
    // Nothing is readable: packets of a transport stream begin with 0x47, fragments with a box.
    const marks = Array.from({ length: 50 }, (_, packet) => bytes[packet * 188]);
    expect(marks.filter((byte) => byte === 0x47).length).toBeLessThan(5);
    expect(bytes.includes("moof")).toBe(false);
    const playlist = readFileSync(videos[0] ?? "", "utf8");
    expect(playlist).toMatch(
      /#EXT-X-KEY:METHOD=AES-128,URI="..\/encryption.key",IV=0x[0-9a-f]{32}/,
    );
    const allowed = ["-allowed_extensions", "ALL", "-protocol_whitelist", "file,crypto,data"];
    const frames = ffmpeg(
      "-xerror",
      ...allowed,
      "-i",
      videos[0] ?? "",
      "-f",
      "framemd5",
      "-",
    ).toString();
    expect(frames.split("\n").filter((line) => line.startsWith("0,"))).toHaveLength(125);
  });
});

describe("unusual videos", () => {
  it("are upright, with even sides", async () => {
    const odd = makeVideo(
      "mkv",
      ...testPattern("size=97x55:rate=10:duration=1", "testsrc"),
      "-c:v",
      "ffv1",
    );
    expect((await stream(odd)).sizes).toEqual(["98x56"]);
    const turned = makeVideo(
      "mp4",
      "-i",
      sampleVideo(),
      "-c",
      "copy",
      "-metadata:s:v",
      "rotate=90",
    );
    expect((await stream(turned, { heights: "320" })).sizes).toEqual(["180x320"]);
  });

  it("have whole frames if they are interlaced", async () => {
    const { path } = interlacedVideo();
    const { videos } = await stream(path, { heights: "72" });
    expect(countCombs(frameAt(path, 0.08))).toBeGreaterThan(200);
    expect(countCombs(frameAt(videos[0] ?? "", 0.08))).toBeLessThan(20);
    expect(packetsOf(videos[0] ?? "")).toHaveLength(10);
  });

  it("keep varying frame times", async () => {
    const select = ["-vf", "select='lt(n,10)+gt(n,30)*not(mod(n,3))'", "-fps_mode", "vfr"];
    const path = makeVideo(
      "mp4",
      ...testPattern("size=160x90:rate=25:duration=5"),
      ...select,
      ...h264,
    );
    const { videos } = await stream(path, { heights: "90", segment: 2 });
    const relative = (file: string) => {
      const times = packetsOf(file)
        .map(({ time }) => time)
        .sort((a, b) => a - b);
      return times.map((time) => Math.round((time - (times[0] ?? 0)) * 1000));
    };
    expect(relative(videos[0] ?? "")).toEqual(relative(path));
  });

  it("have the same colors in all sizes, also if none are declared", async () => {
    const path = makeVideo("mp4", ...testPattern("size=1280x720:rate=5:duration=0.4"), ...h264);
    const { videos } = await stream(path, { heights: "90" });
    expect(ffprobe(videos[0] ?? "").streams[0]).toMatchObject({ color_space: "bt709" });
  });

  it("are SDR in 8 bits", async () => {
    const tags = [
      "-color_primaries",
      "bt2020",
      "-color_trc",
      "arib-std-b67",
      "-colorspace",
      "bt2020nc",
    ];
    const codec = ["-c:v", "libx265", "-x265-params", "log-level=error", "-pix_fmt", "yuv420p10le"];
    const path = makeVideo(
      "mp4",
      ...testPattern("size=160x90:rate=10:duration=1"),
      ...codec,
      ...tags,
    );
    const { videos } = await stream(path, { heights: "90" });
    expect(ffprobe(videos[0] ?? "").streams[0]).toMatchObject({
      pix_fmt: "yuv420p",
      color_transfer: "bt709",
    });
  });
});

it.each([
  [{ heights: "99" }],
  [{ heights: "720,x" }],
  [{ heights: "4320" }],
  [{ segment: 1 }],
  [{ codec: "av1" }],
  [{ encryption_key: "00" }],
])("rejects %j", (params) => {
  expect(hls.params.safeParse(params).success).toBe(false);
});
