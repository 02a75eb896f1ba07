import { appendFile, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { pngChunk } from "#lib/formats/png/chunks.ts";
import { stripMetadata } from "#lib/operations/pipeline/strip-metadata/index.ts";
import { hashStreams, makeAudio, readAudio, runFfmpeg } from "#tests/samples/audio.ts";
import { makeTestFrames, makeTestImage, toSample } from "#tests/samples/images/images.ts";
import {
  addMetadata,
  containsSecret,
  listZip,
  makeImage,
  makeOpenDocument,
  makePdf,
  makeWordDocument,
  personalTags,
  readPixels,
  unpackPdf,
  unzip,
} from "#tests/samples/metadata.ts";
import { videoFolder } from "#tests/samples/videos.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { exiftool } from "#tests/support/exiftool.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

async function strip(sample: Sample): Promise<string> {
  const { outputs } = await runOperation(stripMetadata, sample);
  expect(outputs).toHaveLength(1);
  return outputs[0]?.path ?? "";
}

describe("the names of removed tags", () => {
  const removedFrom = async (sample: Sample) => {
    const { result } = await runOperation(stripMetadata, sample);
    // As its schema says.
    return (result as { removed?: string[] } | undefined)?.removed;
  };

  test.each(["jpeg", "png", "webp", "tiff"] as const)("of %s", async (type) => {
    const removed = await removedFrom(await makeImage(type));
    expect(removed).toEqual(expect.arrayContaining(["GPS:GPSLatitude", "IFD0:Artist"]));
    expect(removed?.filter((name) => /Orientation|ICC|ImageWidth/.test(name))).toEqual([]);
  });

  test("of a PDF and a document", async () => {
    expect(await removedFrom(await toSample("pdf", makePdf()))).toContain("PDF:Author");
    expect(await removedFrom(await makeWordDocument())).toContain("XML:LastModifiedBy");
  });

  test("of an encrypted PDF are those of the same PDF without a password", async () => {
    const open = await toSample("pdf", makePdf());
    const path = join(videoFolder(), "protected.pdf");
    execProgram("qpdf", ["--encrypt", "", "owner", "256", "--", open.path, path]);
    const removed = await removedFrom({ path, type: "pdf" });
    // qpdf sorts the entries.
    expect(removed?.toSorted()).toEqual((await removedFrom(open))?.toSorted());
    expect(removed).toContain("PDF:Author");
  });

  test("none of a file without metadata", async () => {
    const sample = await toSample("jpeg", await makeTestImage().jpeg().toBuffer());
    expect(await removedFrom(sample)).toEqual([]);
  });
});

describe("images", () => {
  test.each(["jpeg", "png", "webp", "gif", "tiff", "avif"] as const)(
    "%s has no metadata, and the same pixels and profile",
    async (type) => {
      const sample = await makeImage(type);
      const path = await strip(sample);
      expect(await personalTags(path)).toEqual([]);
      expect(await containsSecret(path)).toBe(false);
      expect((await readPixels(path)).equals(await readPixels(sample.path))).toBe(true);
      const before = await sharp(sample.path).metadata();
      const after = await sharp(path).metadata();
      expect(after.icc).toEqual(before.icc);
    },
  );

  test.each([1, 6, 8])("orientation %i is kept", async (orientation) => {
    for (const type of ["jpeg", "png", "webp", "tiff"] as const) {
      const path = await strip(await makeImage(type, orientation));
      expect([type, (await sharp(path).metadata()).orientation ?? 1]).toEqual([type, orientation]);
    }
  });

  test.each(["gif", "webp"] as const)("an animated %s keeps its frames", async (type) => {
    const animation = await toSample(
      type,
      await (await makeTestFrames(["#ff0000", "#00ff00"]))[type]().toBuffer(),
    );
    const path = await strip(await addMetadata(animation));
    const before = await sharp(animation.path).metadata();
    const after = await sharp(path).metadata();
    expect([after.pages, after.delay, after.loop]).toEqual([
      before.pages,
      before.delay,
      before.loop,
    ]);
    expect((await readPixels(path)).equals(await readPixels(animation.path))).toBe(true);
  });

  test("a PNG with 200,000 texts is done within seconds, and what follows its end is removed", async () => {
    const png = await makeTestImage().png().toBuffer();
    const texts = Array.from({ length: 200_000 }, (_, index) =>
      pngChunk("tEXt", Buffer.from(`Key${index}\0Secret`)),
    );
    const header = 33;
    const parts = [png.subarray(0, header), ...texts, png.subarray(header), Buffer.from("Secret")];
    const sample = await toSample("png", Buffer.concat(parts));
    const startedAt = performance.now();
    const { outputs, result } = await runOperation(stripMetadata, sample);
    expect(performance.now() - startedAt).toBeLessThan(30_000);
    expect(await readFile(outputs[0]?.path ?? "")).toEqual(png);
    expect((result as { removed: string[] }).removed).toHaveLength(500);
  });

  test("a PNG with too much metadata between its chunks is too complex", async () => {
    const png = await makeTestImage().png().toBuffer();
    const pair = [pngChunk("tEXt", Buffer.from("Key\0Secret")), pngChunk("sPLT", Buffer.alloc(1))];
    const chunks = Array.from({ length: 10_001 }, () => pair).flat();
    const header = 33;
    const parts = [png.subarray(0, header), ...chunks, png.subarray(header)];
    const sample = await toSample("png", Buffer.concat(parts));
    await expect(strip(sample)).rejects.toMatchObject({ code: "too_complex" });
  });

  test("every page of a TIFF is kept, without metadata", async () => {
    const page = await makeTestImage({ width: 40, height: 30 }).png().toBuffer();
    const pages = sharp([page, page], { join: { animated: true } });
    const sample = await addMetadata(await toSample("tiff", await pages.tiff().toBuffer()));
    await exiftool("-q", "-overwrite_original", "-IFD1:Artist=Secret", sample.path);
    const path = await strip(sample);
    expect(await containsSecret(path)).toBe(false);
    expect((await sharp(path).metadata()).pages).toBe(2);
  });

  test("a video appended to a photo is removed", async () => {
    const sample = await makeImage("jpeg");
    await appendFile(sample.path, "MotionPhoto Secret");
    expect(await containsSecret(await strip(sample))).toBe(false);
  });
});

const tags = {
  title: "Secret title",
  artist: "Secret",
  comment: "Secret",
  location: "+12.5000+034.0000/Secret",
  creation_time: "2020-01-02T03:04:05Z",
  encoder: "Secret",
};

describe("audio", () => {
  test.each(["mp3", "aac", "m4a", "ogg", "opus", "flac", "wav"] as const)(
    "%s has no metadata, and the same packets and samples",
    async (type) => {
      const cover = ["mp3", "m4a", "flac"].includes(type);
      const options = type === "aac" ? ["-write_id3v2", "1"] : [];
      const sample = makeAudio(type, { tags, cover, options });
      const path = await strip(sample);
      expect(await containsSecret(path)).toBe(false);
      expect(await personalTags(path)).toEqual([]);
      expect(hashStreams(path)).toEqual(hashStreams(sample.path));
      if (type !== "m4a") expect(readAudio(path).otherCodecs).toEqual([]);
    },
  );

  test("tags after the frames of an MP3 are removed too", async () => {
    const sample = makeAudio("mp3", { tags, options: ["-write_id3v1", "1", "-write_apetag", "1"] });
    const ape = Buffer.alloc(32);
    ape.write("APETAGEX");
    ape.writeUInt32LE(2000, 8);
    ape.writeUInt32LE(38, 12);
    const id3 = Buffer.alloc(128);
    id3.write("TAGSecret");
    const bytes = Buffer.concat([await readFile(sample.path), Buffer.from("Secret"), ape, id3]);
    const path = await strip(await toSample("mp3", bytes));
    expect(await containsSecret(path)).toBe(false);
    expect(hashStreams(path)).toEqual(hashStreams(sample.path));
  });
});

describe("videos", () => {
  test.each(["mp4", "mov", "mkv", "webm", "avi", "mpegts", "flv", "wmv", "3gp"] as const)(
    "%s has no metadata, and the same packets and samples",
    async (type) => {
      const options = type === "3gp" ? ["-c:a", "aac", "-c:v", "libx264"] : [];
      const sample = makeAudio(type, { tags, video: true, options });
      const path = await strip(sample);
      expect(await containsSecret(path)).toBe(false);
      expect(await personalTags(path)).toEqual([]);
      expect(hashStreams(path)).toEqual(hashStreams(sample.path));
    },
  );

  const probeVideo = (path: string, entries: string) =>
    execProgram("ffprobe", [
      "-v",
      "error",
      "-of",
      "json",
      "-show_entries",
      entries,
      path,
    ]).toString();

  test.each(["mp4", "mov", "mkv"] as const)("%s keeps its rotation and languages", async (type) => {
    const video = makeAudio("mp4", { video: true });
    const turned = join(videoFolder(), `turned.${type}`);
    const language = ["-metadata:s:a:0", "language=fra", "-metadata:s:v:0", "handler_name=Secret"];
    runFfmpeg([
      "-i",
      video.path,
      "-c",
      "copy",
      "-metadata:s:v:0",
      "rotate=90",
      ...language,
      turned,
    ]);
    const path = await strip({ path: turned, type });
    const entries = "stream_side_data=rotation:stream_tags=language,handler_name,title";
    const facts = probeVideo(path, entries);
    if (type !== "mkv") expect(facts).toMatch(/"rotation": -?90/);
    expect(facts).toContain("fra");
    expect(await containsSecret(path)).toBe(false);
  });

  test.each(["mp4", "mkv"] as const)(
    "chapters of %s are kept without their titles",
    async (type) => {
      const video = makeAudio(type, { video: true });
      const chapters = join(videoFolder(), "chapters.txt");
      const head = ";FFMETADATA1\n";
      const row = "[CHAPTER]\nTIMEBASE=1/1000\n";
      await writeFile(
        chapters,
        `${head}${row}START=0\nEND=600\ntitle=Secret one\n${row}START=600\nEND=1300\ntitle=Secret two\n`,
      );
      const path = join(videoFolder(), `chapters.${type}`);
      runFfmpeg([
        "-i",
        video.path,
        "-i",
        chapters,
        "-map",
        "0",
        "-map_chapters",
        "1",
        "-c",
        "copy",
        path,
      ]);
      const output = await strip({ path, type });
      expect(await containsSecret(output)).toBe(false);
      const starts = (file: string) =>
        probeVideo(file, "chapter=start_time").match(/"start_time": "[\d.]+"/g);
      expect(starts(path)).toHaveLength(2);
      expect(starts(output)).toEqual(starts(path));
      expect(hashStreams(output)).toEqual(hashStreams(path));
    },
  );

  test("the timecode track of a QuickTime video is removed with its samples", async () => {
    const options = ["-timecode", "11:22:33:04"];
    const sample = makeAudio("mov", { video: true, options });
    expect(probeVideo(sample.path, "stream=codec_tag_string")).toContain("tmcd");
    const path = await strip(sample);
    expect(probeVideo(path, "stream=codec_tag_string:stream_tags")).not.toMatch(/tmcd|timecode/);
    expect(hashStreams(path)).toEqual(hashStreams(sample.path));
  });

  test("fonts attached to a Matroska video are kept, other attachments are removed", async () => {
    const video = makeAudio("mkv", { video: true });
    const [font, note] = ["font.ttf", "note.txt"].map((name) => join(videoFolder(), name));
    const path = join(videoFolder(), "attached.mkv");
    await writeFile(font ?? "", "a font");
    await writeFile(note ?? "", "Secret note");
    const attach = (file = "", type = "", index = 0) => [
      "-attach",
      file,
      `-metadata:s:t:${index}`,
      `mimetype=${type}`,
    ];
    const attached = [...attach(font, "font/ttf", 0), ...attach(note, "text/plain", 1)];
    runFfmpeg(["-i", video.path, "-map", "0", "-c", "copy", ...attached, path]);
    const output = await strip({ path, type: "mkv" });
    expect(await containsSecret(output)).toBe(false);
    expect(probeVideo(output, "stream_tags=filename")).toContain("font.ttf");
  });

  test("fragmented files stay fragmented", async () => {
    const options = ["-movflags", "frag_keyframe+empty_moov", "-g", "5"];
    const sample = makeAudio("mp4", { tags, video: true, options });
    const path = await strip(sample);
    expect(await containsSecret(path)).toBe(false);
    expect(hashStreams(path)).toEqual(hashStreams(sample.path));
  });
});

describe("PDF", () => {
  test("has no metadata, and keeps its pages, comments and fields", async () => {
    const path = await strip(await toSample("pdf", makePdf()));
    expect(await personalTags(path)).toEqual([]);
    const text = unpackPdf(path);
    expect(text).not.toMatch(/Secret|D:2020|\/Metadata|PieceInfo/);
    for (const kept of ["Kept text", "Kept comment", "Kept field", "/Lang"]) {
      expect(text).toContain(kept);
    }
    expect(await containsSecret(path)).toBe(false);
  });

  test("earlier revisions cannot be recovered", async () => {
    const sample = await toSample("pdf", makePdf());
    await exiftool("-q", "-overwrite_original", "-Title=Other", sample.path);
    expect(await containsSecret(await strip(sample))).toBe(false);
  });

  test("two runs write the same bytes", async () => {
    const sample = await toSample("pdf", makePdf());
    expect(await readFile(await strip(sample))).toEqual(await readFile(await strip(sample)));
  });
});

describe("office files", () => {
  test("DOCX has no metadata, and keeps its text, comments and changes", async () => {
    const sample = await makeWordDocument();
    const path = await strip(sample);
    expect(listZip(path).filter((name) => name.startsWith("docProps/"))).toEqual([]);
    for (const name of listZip(path)) expect(unzip(path, name).includes("Secret")).toBe(false);
    const document = unzip(path, "word/document.xml").toString();
    expect(document).toContain('Kept text, w:author="x"');
    expect(document).toContain('<w:ins w:id="1" w:author="Author">');
    expect(unzip(path, "word/comments.xml").toString()).toContain("Kept comment");
    expect(unzip(path, "word/styles.xml")).toEqual(unzip(sample.path, "word/styles.xml"));
    expect(await personalTags(path)).toEqual([]);
  });

  test("a photo in a DOCX keeps its pixels and its orientation", async () => {
    const sample = await makeWordDocument();
    const photo = "word/media/photo.jpg";
    const cleaned = unzip(await strip(sample), photo);
    expect((await sharp(cleaned).metadata()).orientation).toBe(6);
    const pixels = (bytes: Buffer) => sharp(bytes).raw().toBuffer();
    expect((await pixels(cleaned)).equals(await pixels(unzip(sample.path, photo)))).toBe(true);
  });

  test("ODT has no metadata, and starts with its type", async () => {
    const path = await strip(await makeOpenDocument());
    expect(listZip(path)).toEqual(["mimetype", "content.xml", "meta.xml", "META-INF/manifest.xml"]);
    for (const name of listZip(path)) expect(unzip(path, name).includes("Secret")).toBe(false);
    expect(unzip(path, "content.xml").toString()).toContain("Kept comment");
    expect((await readFile(path)).toString("latin1", 30, 77)).toBe(
      "mimetypeapplication/vnd.oasis.opendocument.text",
    );
  });
});

describe("files without metadata", () => {
  test.each(["jpeg", "png", "webp", "tiff"] as const)("%s does not become larger", async (type) => {
    const plain = await makeTestImage({ width: 80, height: 60 })[type]().toBuffer();
    expect((await stat(await strip(await toSample(type, plain)))).size).toBeLessThanOrEqual(
      plain.length,
    );
  });
});
