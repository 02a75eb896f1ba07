import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { headBytes, sniffBytes, sniffFile } from "#lib/formats/sniff/sniff.ts";
import type { MediaTypeId } from "#lib/media/types.ts";
import { makeOfficeSamples } from "#tests/samples/documents.ts";
import { makeSparseOleFile } from "#tests/samples/office/sparse-ole-file.ts";
import { makeZip } from "#tests/samples/zip.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "mediamill-sniff-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Detects the type of `content` as a file and, like an upload, from its head. */
async function sniff(content: string | Buffer, filename?: string, contentType?: string) {
  const bytes = Buffer.from(content);
  const path = join(folder, "sniffed");
  writeFileSync(path, bytes);
  const [whole, head] = await Promise.all([
    sniffFile(path, { filename, contentType }),
    sniffBytes(bytes.subarray(0, headBytes), { filename, contentType }),
  ]);
  return { whole: whole.id, head: head.id };
}

const both = (id: MediaTypeId) => ({ whole: id, head: id });

describe("media files are detected by content, despite a wrong name", () => {
  const video = ["-f", "lavfi", "-i", "testsrc2=s=176x144:r=25:d=0.4"];
  const tone = ["-f", "lavfi", "-i", "sine=d=0.4"];
  const yuv = ["-pix_fmt", "yuv420p"];
  it.each<[MediaTypeId, string, string[]]>([
    ["mp4", "mp4", [...video, ...tone, ...yuv]],
    ["mp4", "mp4", [...video, ...tone, ...yuv, "-movflags", "+faststart"]],
    ["mp4", "mp4", [...video, ...yuv, "-movflags", "frag_keyframe+empty_moov"]],
    ["mp4", "ipod", [...video, ...yuv]],
    ["m4a", "ipod", tone],
    ["m4a", "mp4", tone],
    ["mov", "mov", [...video, ...yuv]],
    ["3gp", "3gp", [...video, "-c:v", "mpeg4"]],
    ["mkv", "matroska", [...video, ...yuv]],
    ["webm", "webm", video],
    ["avi", "avi", video],
    ["mpeg", "mpeg", video],
    ["mpeg", "mpeg1video", video],
    ["mpegts", "mpegts", video],
    ["mpegts", "mpegts", [...video, "-mpegts_m2ts_mode", "1"]],
    ["flv", "flv", video],
    ["wmv", "asf", video],
    ["ogv", "ogg", [...video, ...tone, "-c:v", "libtheora", "-c:a", "libvorbis"]],
    ["ogg", "ogg", [...tone, "-c:a", "libvorbis"]],
    ["ogg", "ogg", [...tone, "-c:a", "flac"]],
    ["opus", "opus", tone],
    ["mp3", "mp3", tone],
    ["mp3", "mp3", [...tone, "-id3v2_version", "0", "-write_xing", "0"]],
    ["mp3", "mp3", [...tone, "-ar", "16000"]],
    ["aac", "adts", tone],
    ["flac", "flac", tone],
    ["wav", "wav", tone],
    ["wav", "wav", [...tone, "-rf64", "always"]],
    ["txt", "hls", [...video, ...yuv, "-hls_flags", "single_file"]],
    ["aiff", "aiff", tone],
    ["caf", "caf", tone],
    ["unknown", "mp2", tone],
  ])("%s from the muxer %s", async (id, muxer, args) => {
    const path = join(folder, "media.jpg");
    const options = ["-v", "error", "-y", ...args, "-f", muxer, path];
    execProgram("ffmpeg", options);
    const bytes = readFileSync(path);
    // If the header of a video is beyond the head, its brand decides.
    expect(await sniff(bytes, "holiday.jpg", "image/jpeg")).toEqual(both(id));
  });

  it.each(["jpeg", "png", "webp", "gif", "avif", "tiff"] as const)("%s", async (id) => {
    const image = sharp({ create: { width: 40, height: 30, channels: 3, background: "#f80" } });
    expect(await sniff(await image.toFormat(id).toBuffer(), "a.mp4")).toEqual(both(id));
  });

  it.each(["0000000c4a584c200d0a870a", "ff0abb0b28d47e68"])(
    "jxl, with and without a container",
    async (hex) => {
      expect(await sniff(Buffer.from(hex, "hex"), "a.mp4")).toEqual(both("jxl"));
    },
  );

  it("MP3 and FLAC after an ID3 tag with large cover art", async () => {
    const tag = Buffer.alloc(10 + 300_000);
    tag.set([0x49, 0x44, 0x33, 3, 0, 0, 0, 300_000 >> 14, (300_000 >> 7) & 127, 300_000 & 127]);
    const flac = Buffer.concat([tag, Buffer.from("fLaC\0\0\0\x22"), Buffer.alloc(100)]);
    expect(await sniff(flac)).toEqual({ whole: "flac", head: "mp3" });
    const frame = Buffer.alloc(417);
    frame.set([0xff, 0xfb, 0x90, 0x44]);
    expect(await sniff(Buffer.concat([tag, frame, frame, frame]))).toEqual(both("mp3"));
  });
});

describe("office files", () => {
  it("that LibreOffice writes are detected", async () => {
    for (const [id, { path }] of await makeOfficeSamples(folder)) {
      const bytes = readFileSync(path);
      expect((await sniff(bytes, "report.pdf")).whole, id).toBe(id);
      expect(await sniff(bytes, `report.${id}`), id).toEqual(both(id));
      const cut = bytes.subarray(0, -30);
      expect((await sniff(cut, `report.${id}`)).whole, `${id}, truncated`).toBe(id);
    }
  });

  const types = { name: "[Content_Types].xml", content: "<Types/>" };
  const part = (name: string, content = "<x/>") => ({ name, content });
  const filler = part("media/video.bin", "\0".repeat(100_000));
  it.each<[string, ReturnType<typeof part>[], MediaTypeId]>([
    ["DOCX", [types, part("word/document.xml")], "docx"],
    ["XLSX", [part("xl/workbook.xml"), types], "xlsx"],
    ["PPTX", [part("ppt/presentation.xml"), types], "pptx"],
    ["DOCM", [types, part("word/document.xml"), part("word/vbaProject.bin")], "docx"],
    [
      "DOCX with a sheet inside",
      [
        types,
        part("word/document.xml"),
        part("word/embeddings/a.xlsx", "PK\x03\x04xl/workbook.xml"),
      ],
      "docx",
    ],
    ["XLSB", [types, part("xl/workbook.bin")], "xlsb"],
    ["a folder named word", [part("word/document.xml")], "zip"],
    ["a plain archive", [part("a.txt", "hello")], "zip"],
    [
      "an archive that holds a DOCX",
      [part("a.docx", "PK\x03\x04[Content_Types].xml word/document.xml")],
      "zip",
    ],
    ["ODT template", [part("mimetype", "application/vnd.oasis.opendocument.text-template")], "odt"],
    ["ODG", [part("mimetype", "application/vnd.oasis.opendocument.graphics")], "odg"],
    ["EPUB", [part("mimetype", "application/epub+zip")], "epub"],
    [
      "EPUB without its first entry",
      [part("META-INF/container.xml"), part("OEBPS/content.opf")],
      "epub",
    ],
    [
      "a master document",
      [part("mimetype", "application/vnd.oasis.opendocument.text-master")],
      "zip",
    ],
    ["ODB", [part("mimetype", "application/vnd.oasis.opendocument.base")], "zip"],
    ["unknown", [part("mimetype", "application/vnd.oasis.opendocument.constructor")], "zip"],
    ["unknown, older", [part("mimetype", "application/vnd.sun.xml.constructor")], "zip"],
  ])("%s", async (_, parts, id) => {
    expect(await sniff(makeZip(parts), "named.docx")).toEqual(both(id));
  });

  it("whose parts are beyond the head are detected by name from the head", async () => {
    const docx = makeZip([filler, types, part("word/document.xml")]);
    expect(await sniff(docx, "a.docx")).toEqual(both("docx"));
    expect(await sniff(docx, "a.bin")).toEqual({ whole: "docx", head: "zip" });
    const zip = makeZip([filler, part("a.txt")]);
    expect(await sniff(zip, "a.docx")).toEqual({ whole: "zip", head: "docx" });
    expect(await sniff(zip, "a.mp4")).toEqual(both("zip"));
  });

  it.each<[string, string[], string, MediaTypeId]>([
    ["DOC", ["WordDocument", "1Table"], "a.bin", "doc"],
    ["XLS", ["Workbook"], "a.bin", "xls"],
    ["Excel 95 XLS", ["Book"], "a.bin", "xls"],
    ["PPT", ["Current User", "PowerPoint Document"], "a.bin", "ppt"],
    ["encrypted XLSX", ["EncryptionInfo", "EncryptedPackage"], "a.xlsx", "xlsx"],
    ["encrypted PPTM", ["EncryptionInfo", "EncryptedPackage"], "a.pptm", "pptx"],
    ["encrypted without a name", ["EncryptionInfo", "EncryptedPackage"], "a", "docx"],
    ["MSG", ["__nameid_version1.0", "__properties_version1.0"], "a.doc", "msg"],
    ["an installer", ["SummaryInformation"], "a.xls", "unknown"],
  ])("compound file: %s", async (_, streams, filename, id) => {
    expect(await sniff(makeSparseOleFile(streams), filename)).toEqual(both(id));
  });

  it("compound files whose directory is beyond the head, missing or cyclic", async () => {
    const far = makeSparseOleFile(["WordDocument"], { directorySector: 300 });
    expect(await sniff(far, "a.doc")).toEqual(both("doc"));
    expect(await sniff(far, "a")).toEqual({ whole: "doc", head: "unknown" });
    expect(await sniff(far.subarray(0, 1000), "a.doc")).toEqual(both("doc"));
    expect(await sniff(makeSparseOleFile(["A", "B"], { loop: true }))).toEqual(both("unknown"));
  });
});

describe("text", () => {
  const page = "<!DOCTYPE html><title>x</title>";
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>';
  it.each<[string, string | Buffer, string | undefined, string | undefined, MediaTypeId]>([
    ["a page", page, "a.txt", undefined, "html"],
    ["a page named .png", page, "a.png", "image/png", "html"],
    ["a page named .docx", `\n ${page}`, "a.docx", undefined, "html"],
    [
      "a page after a byte order mark and comments",
      `\ufeff  <!-- a > b --> <!--x-->\n${page}`,
      "a",
      undefined,
      "html",
    ],
    [
      "XHTML",
      `<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0"><html/>`,
      "a",
      undefined,
      "html",
    ],
    ["<HTML>", "<HTML lang=de>", undefined, undefined, "html"],
    ["<body>", "<body>x", undefined, undefined, "html"],
    ["a page in UTF-16", Buffer.from(`\ufeff${page}`, "utf16le"), undefined, undefined, "html"],
    ["a page in Latin-1", Buffer.from("<html>gr\xfc\xdfe", "latin1"), undefined, undefined, "html"],
    ["a page with a stray NUL", "<html>a\0b", undefined, undefined, "html"],
    ["a fragment of a page", "<p>hi</p>", "a.html", undefined, "html"],
    ["a fragment of a page, declared", "<p>hi</p>", "a", "text/html; charset=utf-8", "html"],
    ["a fragment of a page, undeclared", "<p>hi</p>", "a", undefined, "txt"],
    ["text named as a page", "hello", "a.htm", undefined, "html"],
    ["SVG", svg, "a.png", undefined, "svg"],
    [
      "SVG after a prolog",
      `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "b>c">]> <!-- x -->${svg}`,
      undefined,
      undefined,
      "svg",
    ],
    [
      "SVG with a prefix",
      '<s:svg xmlns:s="http://www.w3.org/2000/svg"/>',
      undefined,
      undefined,
      "svg",
    ],
    ["SRT", "1\n00:00:01,000 --> 00:00:02,000\nHi\n", "a.txt", undefined, "srt"],
    ["WebVTT", "\ufeffWEBVTT\n\n00:01.000 --> 00:02.000\nHi\n", "a.txt", undefined, "vtt"],
    ["a text that mentions WebVTT", "WEBVTTX", "a.vtt", undefined, "txt"],
    ["ASS", "; comment\n[Script Info]\n", "a.txt", undefined, "ass"],
    [
      "ASS after many comments",
      `${"; comment\r\n\r\n".repeat(30)}[V4+ Styles]\r\n`,
      "",
      undefined,
      "ass",
    ],
    ["ASS with old Macintosh lines", "; comment\r\r[Script Info]\rTitle: a", "", undefined, "ass"],
    ["a configuration file", "; [Script Info]\n[core]\n", "", undefined, "txt"],
    ["XML", '<?xml version="1.0"?><office:document/>', "a.odt", undefined, "txt"],
    [
      "XML of an unknown kind",
      '<office:document office:mimetype="application/vnd.oasis.opendocument.constructor"/>',
      "a.odt",
      undefined,
      "txt",
    ],
    ["HLS", "#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n", "a.mp4", "video/mp4", "txt"],
    ["DASH", '<?xml version="1.0"?><MPD/>', "a.mp4", "video/mp4", "txt"],
    ["ffconcat", "ffconcat version 1.0\nfile /etc/passwd\n", "a.mp4", undefined, "txt"],
    ["SDP", "v=0\no=- 0 0 IN IP4 127.0.0.1\n", "a.mp4", undefined, "txt"],
    ["CSV", "a;b\n1;2\n", "a.csv", undefined, "csv"],
    ["CSV, declared", "a;b\n1;2\n", "a", "text/csv", "csv"],
    ["CSV in Windows-1252", Buffer.from("gr\xfc\xdfe;\x80\n", "latin1"), "a.csv", undefined, "csv"],
    ["JSON", '{"a": [1]}', "a.txt", undefined, "json"],
    ["JSON followed by text", "[1] see below", "a.txt", undefined, "txt"],
    ["invalid JSON, by its name", "{a: 1}", "a.json", undefined, "json"],
    ["RTF", "{\\rtf1\\ansi hello}", "a.txt", undefined, "rtf"],
    ["PDF", "%PDF-1.4\n%%EOF", "a.txt", undefined, "pdf"],
    [
      "PDF after other bytes",
      Buffer.concat([Buffer.from([0, 1, 2, 255]), Buffer.from("%PDF-1.4")]),
      "a",
      undefined,
      "pdf",
    ],
    ["text named as DOCX", "hello", "a.docx", undefined, "txt"],
    ["text that begins like a bitmap", "BMW is a car", "a.bmp", "image/bmp", "txt"],
    ["text that begins like a GIF", "GIF89a is a format", undefined, undefined, "txt"],
    ["text that begins like a transport stream", "G".repeat(2000), "a.ts", undefined, "txt"],
    ["text that begins like a program", "MZ", undefined, undefined, "txt"],
    ["Markdown", "# Title\n\n- one\n", "a.md", "text/markdown", "md"],
    ["EML", "From: a@b.de\r\nSubject: Hi\r\n\r\nx", "a.txt", undefined, "eml"],
    [
      "a page as EML",
      `\nMIME-Version: 1.0\nContent-Type: text/html\n\n${page}`,
      "a",
      undefined,
      "eml",
    ],
    [
      "EML from a mailbox, with a folded header and binary content",
      Buffer.from(
        "From a@b.de Mon Jan  1\nReceived: from x\n\tby y\nDate: x\n\n\0\x01\xff",
        "latin1",
      ),
      "a",
      undefined,
      "eml",
    ],
    ["front matter", "Title: x\nDate: 2026-01-01\nTo: do\n\ntext", "a.eml", undefined, "txt"],
    ["a text with one header", "From: me\n\nto you", "a.eml", undefined, "txt"],
    ["a text with headers in it", "Dear Bob\nFrom: a\nTo: b\n\n", "a.eml", undefined, "txt"],
    ["emoji", "👋🏽", undefined, undefined, "txt"],
    ["Shift-JIS", Buffer.from("93fa967b8cea", "hex"), "a.txt", undefined, "txt"],
  ])("%s", async (_, content, filename, contentType, id) => {
    expect(await sniff(content, filename, contentType)).toEqual(both(id));
  });

  it("that is longer than the head, which ends within a character", async () => {
    expect(await sniff(`x${"ü".repeat(headBytes)}`)).toEqual(both("txt"));
    expect(await sniff(`[${'{"a":"ü"},'.repeat(20_000)}{}]`)).toEqual(both("json"));
  });
});

describe("anything else", () => {
  it.each<[string, Buffer]>([
    ["nothing", Buffer.alloc(0)],
    ["one NUL", Buffer.alloc(1)],
    ["zeros", Buffer.alloc(100_000)],
    ["noise", Buffer.from(Array.from({ length: 5000 }, (_, n) => (n * n * 31 + n * 7) & 255))],
    ["gzip", Buffer.from("1f8b0800000000000003cbc80700ac2a93d802000000", "hex")],
    ["DjVu", Buffer.from("AT&TFORM\0\0\0\x10DJVUINFO\0\0\0\x00")],
    ["Photoshop", Buffer.from("8BPS\0\x01\0\0\0\0\0\0\0\x03")],
    ["a program", Buffer.from("7f454c460201010000", "hex")],
    ["a RIFF of another kind", Buffer.from("RIFF\x10\0\0\0RMIDdata\0\0\0\0")],
    ["Matroska of another kind", Buffer.from("1a45dfa387428284666f6f21", "hex")],
    ["an empty Ogg", Buffer.from(`OggS\0\x02${"\0".repeat(40)}`)],
    ["a box that is too short", Buffer.from("00000003667479706d703432", "hex").subarray(0, 8)],
  ])("is unknown: %s", async (_, content) => {
    expect(await sniff(content, "a.mp4", "video/mp4")).toEqual(both("unknown"));
  });

  const box = (brand: string) => `0000000c${Buffer.from(brand).toString("hex")}0d0a870a`;
  const icon = (count: string, bytes: string) =>
    `00000100${count}101000000100200${"0"}${bytes}16000000${"00".repeat(8)}`;
  it.each<[string, string, MediaTypeId]>([
    ["JPEG 2000", `${box("jP  ")}00000014667479706a703220`, "jp2"],
    ["a bare JPEG 2000 codestream", "ff4fff510029000000000003", "jp2"],
    ["Canon CR3", "0000001866747970637278200000000163727820 69736f6d".replace(" ", ""), "raw"],
    ["ICO", icon("0100", "28010000"), "ico"],
    ["an ICO without images", icon("0000", "28010000"), "unknown"],
    ["an ICO whose image is too short", icon("0100", "01000000"), "unknown"],
  ])("is detected by its signature: %s", async (_, hex, id) => {
    expect(await sniff(Buffer.from(hex, "hex"), "a.mp4", "video/mp4")).toEqual(both(id));
  });

  it.each<[string, string, MediaTypeId]>([
    ["AVIF by a compatible brand", "mif1 mif1avifmiaf", "avif"],
    ["an AVIF sequence", "avis avisavif", "avif"],
    ["HEIC", "heic mif1heic", "heic"],
    ["HEIC by another brand", "mif1 mif1heic", "heic"],
    ["MOV", "qt   qt  ", "mov"],
    ["M4V", "M4V  M4V mp42", "mp4"],
    ["M4B", "M4B  M4B mp42", "m4a"],
    ["an unknown brand", "zzzz zzzz", "mp4"],
    ["3GPP2", "3g2a 3g2a", "3gp"],
  ])("%s", async (_, brands, id) => {
    const major = brands.slice(0, 4);
    const compatible = brands.slice(5);
    const box = Buffer.from(`\0\0\0\0ftyp${major}\0\0\0\0${compatible}`, "latin1");
    box.writeUInt32BE(box.length, 0);
    expect(await sniff(box)).toEqual(both(id));
  });

  it("a QuickTime file without brands", async () => {
    const box = (type: string, size: number) => {
      const bytes = Buffer.alloc(size);
      bytes.writeUInt32BE(size, 0);
      bytes.write(type, 4);
      return bytes;
    };
    expect(await sniff(Buffer.concat([box("wide", 8), box("mdat", 64)]))).toEqual(both("mov"));
    expect(await sniff(Buffer.concat([box("free", 8), box("what", 64)]))).toEqual(both("unknown"));
  });
});
