import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sniffFile } from "#lib/formats/sniff/sniff.ts";
import { animated } from "#lib/operations/image/animated/index.ts";
import { fileInspect } from "#lib/operations/pipeline/file-inspect/index.ts";
import { makeOfficeSamples } from "#tests/samples/documents.ts";
import { makeSparseOleFile } from "#tests/samples/office/sparse-ole-file.ts";
import { makeZip } from "#tests/samples/zip.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { runOperation } from "#tests/support/operation.ts";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "mediamill-inspect-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Inspects `content` with a file name, as a job does: its type is detected first. */
async function inspect(content: string | Buffer, filename: string) {
  const path = join(folder, filename.replace(/\W/g, "_"));
  const bytes = Buffer.from(content);
  writeFileSync(path, bytes);
  const type = (await sniffFile(path, { filename })).id;
  const { result, outputs } = await runOperation(fileInspect, { path, type, filename });
  expect(result).toMatchObject({
    type,
    bytes: bytes.length,
    sha256: createHash("sha256").update(bytes).digest("hex"),
  });
  expect(outputs).toHaveLength(1);
  return result ?? {};
}

function ffmpeg(args: string[], name: string): Buffer {
  const path = join(folder, name);
  execProgram("ffmpeg", ["-v", "error", "-y", ...args, path]);
  return readFileSync(path);
}

const testPattern = ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=30000/1001:d=1"];
const tone = ["-f", "lavfi", "-i", "sine=d=1"];

it("the result and the JSON file are the same", async () => {
  const path = join(folder, "same.txt");
  writeFileSync(path, "hello");
  const { result, outputs } = await runOperation(fileInspect, { path, type: "txt" });
  const [output] = outputs;
  if (!output) throw new Error("no output");
  expect(output.extension).toBe("json");
  expect(JSON.parse(readFileSync(output.path, "utf8"))).toEqual(result);
});

describe("images", () => {
  it.each(["jpeg", "png", "webp", "gif", "avif", "tiff"] as const)(
    "%s: the properties are those that sharp reads",
    async (format) => {
      const create = { width: 60, height: 40, channels: 4, background: "#f808" } as const;
      const bytes = await sharp({ create }).toFormat(format).toBuffer();
      const { width, height, space, channels, depth, hasAlpha } = await sharp(bytes).metadata();
      expect(await inspect(bytes, "lies.docx")).toMatchObject({
        type: format,
        mime: `image/${format}`,
        readable: true,
        format,
        width,
        height,
        space,
        channels,
        depth,
        has_alpha: hasAlpha,
        orientation: 1,
        pages: 1,
      });
    },
  );

  it("orientation, EXIF and 16 bits are reported as stored", async () => {
    const create = { width: 30, height: 20, channels: 3, background: "red" } as const;
    const jpeg = await sharp({ create })
      .withExif({
        IFD0: { Make: "Maker <script>", Artist: "A. Photographer" },
        IFD3: { GPSLatitudeRef: "N" },
      })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect(await inspect(jpeg, "a.jpg")).toMatchObject({
      width: 30,
      height: 20,
      orientation: 6,
      exif: {
        Make: "Maker <script>",
        Artist: "A. Photographer",
        GPSLatitudeRef: "N",
        Orientation: 6,
      },
    });
    const deep = await sharp({ create }).toColourspace("rgb16").png().toBuffer();
    expect(await inspect(deep, "a.png")).toMatchObject({
      depth: "ushort",
      space: "rgb16",
      exif: {},
    });
  });

  it("the frames of an animation are reported", async () => {
    const gif = ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=64x48:r=5:d=1"], "a.gif");
    expect(await inspect(gif, "a.gif")).toMatchObject({ width: 64, height: 48, pages: 5 });
  });

  it("SVG and BMP are supported", async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"/>';
    expect(await inspect(svg, "a.png")).toMatchObject({ type: "svg", width: 30, height: 20 });
    const bmp = ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=64x48", "-frames:v", "1"], "a.bmp");
    const result = await inspect(bmp, "a.bmp");
    expect(result).toMatchObject({ type: "bmp", readable: true, width: 64, height: 48 });
  });

  it("that are animated AVIF have the properties of their first frame", async () => {
    const frames = ["#aa3333", "#33aa33"].map((background, index) => {
      const path = join(folder, `frame-${index}.png`);
      return sharp({ create: { width: 32, height: 24, channels: 3, background } })
        .toFile(path)
        .then(() => ({ path, type: "png" }) as const);
    });
    const { outputs } = await runOperation(animated, await Promise.all(frames), { format: "avif" });
    expect(await inspect(readFileSync(outputs[0]?.path ?? ""), "a.avif")).toMatchObject({
      type: "avif",
      readable: true,
      width: 32,
      height: 24,
      depth: "uchar",
    });
  });

  it("that are damaged or too large are reported with the known properties", async () => {
    const png = await sharp({
      create: { width: 9, height: 9, channels: 3, background: "red" },
    })
      .png()
      .toBuffer();
    const damaged = await inspect(png.subarray(0, 20), "a.png");
    expect(damaged).toMatchObject({ type: "png", readable: false, problem: "corrupt" });
    png.writeUInt32BE(50_000, 16);
    png.writeUInt32BE(50_000, 20);
    png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
    expect(await inspect(png, "b.png")).toMatchObject({
      readable: false,
      problem: "too_complex",
      width: 50_000,
      height: 50_000,
    });
  });
});

describe("video and audio", () => {
  it.each([
    ["mp4", [...testPattern, ...tone, "-pix_fmt", "yuv420p", "-metadata", "title=Ünïcode"]],
    ["webm", [...testPattern, ...tone, "-deadline", "realtime", "-cpu-used", "8"]],
    ["mp3", [...tone, "-metadata", "title=Ünïcode"]],
    ["flac", [...tone, "-ac", "2"]],
  ])("%s: the properties are those that ffprobe reads", async (extension, args) => {
    const bytes = ffmpeg(args, `video.${extension}`);
    const command = ["-v", "error", "-of", "json", "-show_format", "-show_streams"];
    const output = execProgram("ffprobe", [...command, join(folder, `video.${extension}`)]);
    const { format, streams } = JSON.parse(output.toString());
    const result = await inspect(bytes, "lies.jpg");
    expect(result).toMatchObject({
      type: extension,
      readable: true,
      container: format.format_name,
      duration: Number(format.duration),
      bit_rate: Number(format.bit_rate),
    });
    for (const stream of streams) {
      const [found] = (result.streams as Record<string, unknown>[]).slice(stream.index);
      expect(found).toMatchObject({ type: stream.codec_type, codec: stream.codec_name });
      if (stream.codec_type === "video") {
        expect(found).toMatchObject({ width: 320, height: 180, pixel_format: stream.pix_fmt });
        expect(found?.frame_rate).toBeCloseTo(29.97, 2);
      } else {
        expect(found).toMatchObject({
          sample_rate: Number(stream.sample_rate),
          channels: stream.channels,
        });
      }
    }
  });

  it("tags are limited in size, hostile ones too", async () => {
    const metadata = ["__proto__=bad", "constructor=text", `title=${"t".repeat(10_000)}`];
    const many = Array.from({ length: 60 }, (_, tag) => `k${tag}=${"v".repeat(4000)}`);
    const args = [...metadata, ...many].flatMap((tag) => ["-metadata", tag]);
    const result = await inspect(ffmpeg([...tone, ...args], "tags.mka"), "a.mka");
    const tags = result.tags as Record<string, unknown>;
    expect(Object.getPrototypeOf(tags)).toBe(Object.prototype);
    expect(Object.keys(tags)).not.toContain("__proto__");
    expect(JSON.stringify(result).length).toBeLessThan(100_000);
  });

  it("cover art is marked, and is no video", async () => {
    const cover = await sharp({
      create: { width: 50, height: 50, channels: 3, background: "red" },
    })
      .png()
      .toBuffer();
    writeFileSync(join(folder, "cover.png"), cover);
    const inputs = [...tone, "-i", join(folder, "cover.png"), "-map", "0", "-map", "1"];
    const song = ffmpeg([...inputs, "-c:v", "copy", "-disposition:v", "attached_pic"], "song.mp3");
    const result = await inspect(song, "song.mp3");
    expect(result.width).toBeUndefined();
    expect(result.streams).toMatchObject([{ type: "audio" }, { type: "video", is_cover: true }]);
  });

  it("that are damaged are reported with their type", async () => {
    const video = ffmpeg([...testPattern, "-pix_fmt", "yuv420p"], "cut.mp4");
    expect(await inspect(video.subarray(0, 3000), "cut.mp4")).toMatchObject({
      type: "mp4",
      mime: "video/mp4",
      readable: false,
      problem: "corrupt",
    });
  });
});

describe("PDF", () => {
  const pages = [
    "/MediaBox [0 0 595 842]",
    "/MediaBox [0 0 842 595]",
    "/MediaBox [0 0 300 200] /Rotate 90",
  ];
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Count 3 /Kids [4 0 R 5 0 R 6 0 R] >>`,
    "<< /Title (A title) /Author (__proto__) >>",
    ...pages.map((page) => `<< /Type /Page /Parent 2 0 R ${page} >>`),
  ];
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join("");
  const source = `%PDF-1.6\n${body}trailer << /Root 1 0 R /Info 3 0 R /Size 7 >>\n%%EOF\n`;

  /** The PDF that qpdf writes with `args`. */
  function writePdf(...args: string[]): Buffer {
    const from = join(folder, "source.pdf");
    const to = join(folder, "written.pdf");
    writeFileSync(from, source);
    try {
      execProgram("qpdf", [...args, from, to]);
    } catch {
      // It warns about the missing cross-reference table and creates one.
    }
    return readFileSync(to);
  }

  it("the properties are those that pdfinfo reads", async () => {
    const result = await inspect(writePdf(), "a.docx");
    const output = execProgram("pdfinfo", [join(folder, "written.pdf")]).toString();
    expect(output).toMatch(/Pages: +3\n/);
    expect(result).toMatchObject({
      type: "pdf",
      pages: 3,
      page_sizes: [
        { width: 595, height: 842 },
        { width: 842, height: 595 },
        { width: 200, height: 300 },
      ],
      encrypted: false,
      version: "1.6",
      title: "A title",
      author: "__proto__",
    });
  });

  it("encrypted, partly encrypted and damaged files are reported", async () => {
    const locked = await inspect(writePdf("--encrypt", "user", "owner", "256", "--"), "a.pdf");
    expect(locked).toMatchObject({ readable: false, problem: "encrypted", encrypted: true });
    expect(locked.version).toMatch(/^1\.\d$/);
    const half = await inspect(writePdf("--encrypt", "", "owner", "256", "--"), "a.pdf");
    expect(half).toMatchObject({ readable: true, encrypted: true, pages: 3 });
    const damaged = await inspect("%PDF-1.4\n\0garbage", "a.pdf");
    expect(damaged).toMatchObject({ readable: false, problem: "corrupt", version: "1.4" });
  });

  it("what poppler has read is reported although qpdf takes too long", async () => {
    const path = join(folder, "long.pdf");
    writeFileSync(
      path,
      source.replace("trailer", `${"9 0 obj\nnull\nendobj\n".repeat(20_000)}trailer`),
    );
    const limits = { pdfSeconds: 0.001 };
    const input = { path, type: "pdf" } as const;
    const { result } = await runOperation(fileInspect, input, {}, {}, undefined, limits);
    expect(result).toMatchObject({ readable: true, pages: 3, version: "1.6", title: "A title" });
  });
});

describe("office files", () => {
  it("of every type are detected", async () => {
    for (const [id, { path }] of await makeOfficeSamples(folder)) {
      const result = await inspect(readFileSync(path), "lies.png");
      expect(result, id).toMatchObject({ type: id, readable: true, encrypted: false });
      if (id === "odt") expect(result).toMatchObject({ words: expect.any(Number) });
    }
  });

  it("the document properties are reported", async () => {
    const core =
      '<cp:coreProperties xmlns:cp="c" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"><dc:title>Title ü</dc:title><dc:creator>A. Writer</dc:creator><dcterms:created>2024-05-06T07:08:09Z</dcterms:created></cp:coreProperties>';
    const docx = makeZip([
      { name: "[Content_Types].xml", content: "<Types/>" },
      { name: "docProps/core.xml", content: core },
      {
        name: "docProps/app.xml",
        content: "<Properties><Pages>7</Pages><Words>99</Words></Properties>",
      },
      { name: "word/document.xml", content: "<x/>" },
    ]);
    expect(await inspect(docx, "a.docx")).toMatchObject({
      title: "Title ü",
      author: "A. Writer",
      created_at: "2024-05-06T07:08:09Z",
      pages: 7,
      words: 99,
    });
  });

  it("encrypted documents are reported", async () => {
    const locked = makeSparseOleFile(["EncryptionInfo", "EncryptedPackage"]);
    expect(await inspect(locked, "a.xlsx")).toMatchObject({
      type: "xlsx",
      readable: false,
      problem: "encrypted",
      encrypted: true,
    });
  });
});

describe("text, archives and other files", () => {
  it.each<[string, string | Buffer, Record<string, unknown>]>([
    ["a.txt", "one\r\ntwo\nthree", { type: "txt", encoding: "utf-8", lines: 3 }],
    ["b.txt", "one\ntwo\n", { lines: 2 }],
    ["c.txt", Buffer.from("gr\xfc\xdfe\n", "latin1"), { encoding: "windows-1252", lines: 1 }],
    ["d.txt", Buffer.from("\ufeffa\nb", "utf16le"), { encoding: "utf-16le", lines: 2 }],
    ["e.txt", `${"ü\n".repeat(60_000)}`, { encoding: "utf-8", lines: 60_000 }],
    ["f.csv", 'a;"b;\n";c\n1;2;3\n', { type: "csv", delimiter: ";", columns: 3 }],
    ["g.png", "<!doctype html><title> A\n title </title>", { type: "html", title: "A title" }],
    ["h.json", '{"a":1}', { type: "json", mime: "application/json", lines: 1 }],
    ["i.mp4", "#EXTM3U\nfile:///etc/passwd\n", { type: "txt" }],
    [
      "j.zip",
      makeZip([{ name: "a", content: "12345" }]),
      { type: "zip", entries: 1, unpacked_bytes: 5, encrypted: false },
    ],
    [
      "k.zip",
      Buffer.from("PK\x03\x04damaged\0\0\0\0"),
      { type: "zip", readable: false, problem: "corrupt" },
    ],
    [
      "l.mp4",
      Buffer.from([0, 1, 2, 3]),
      { type: "unknown", mime: "application/octet-stream", extension: "bin", readable: true },
    ],
  ])("%s", async (filename, content, expected) => {
    expect(await inspect(content, filename)).toMatchObject(expected);
  });

  it("stops when the job is aborted", async () => {
    const path = join(folder, "large.bin");
    writeFileSync(path, Buffer.alloc(5_000_000));
    const run = runOperation(fileInspect, { path, type: "unknown" }, {}, {}, AbortSignal.abort());
    await expect(run).rejects.toThrow();
  });
});
