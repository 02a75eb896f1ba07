import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type MediaTypeId, mediaType } from "#lib/media/types.ts";
import { makeOfficeSamples, type OfficeSamples } from "#tests/samples/documents.ts";
import { pngChunk } from "#tests/samples/images/image-bytes.ts";
import { makeTestFrames, makeTestImage } from "#tests/samples/images/images.ts";
import { encodeWithVips, makeDng, makeIcon } from "#tests/samples/images/imported-images.ts";
import { listZip, makePdf, unzip } from "#tests/samples/metadata.ts";
import {
  h264,
  makeVideo,
  testPattern,
  tone,
  videoFolder,
  videoWithText,
} from "#tests/samples/videos.ts";
import { makeZip } from "#tests/samples/zip.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import type { Damage } from "./mutate.ts";

/** Small valid files of all accepted types, to be damaged. Those by LibreOffice contain the current time. */

export interface MutationSeed {
  readonly id: string;
  readonly type: MediaTypeId;
  /** The file with `damage` applied, or applied to the content of its container. */
  readonly write: (damage: Damage) => Promise<Buffer>;
}

type Build = () => Buffer | Promise<Buffer>;

function fileSeed(type: MediaTypeId, build: Build, id: string = type): MutationSeed {
  let built: Promise<Buffer> | undefined;
  const write = async (damage: Damage) => {
    built ??= Promise.resolve(build());
    return damage(await built);
  };
  return { id, type, write };
}

const exif = {
  IFD0: { Artist: "Secret" },
  IFD3: { GPSLatitudeRef: "N", GPSLatitude: "51/1 30/1 0/1" },
};
const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" dc:format="Secret"/></rdf:RDF></x:xmpmeta>`;
const scene = () =>
  makeTestImage({ width: 64, height: 48 }).withIccProfile("p3").withExif(exif).withXmp(xmp);
const frames = () => makeTestFrames(["#aa3333", "#33aa33", "#3333aa"], 64, 48);

const png = () => scene().png().toBuffer();
const avif = () => scene().avif({ effort: 0 }).toBuffer();
const setBrand = (brand: string, bytes: Buffer) => {
  bytes.write(brand, 8, "latin1");
  return bytes;
};

/** A PNG with damaged chunk data and valid checksums. */
async function damageChunks(damage: Damage): Promise<Buffer> {
  const bytes = await png();
  const chunks: Buffer[] = [bytes.subarray(0, 8)];
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const content = bytes.subarray(at + 8, at + 8 + length);
    chunks.push(pngChunk(bytes.toString("latin1", at + 4, at + 8), damage(content)));
    at += length + 12;
  }
  return Buffer.concat(chunks);
}

const small = testPattern("size=64x36:rate=10:duration=0.5");
/** The metadata of the seeds, without random numbers, so that every run damages the same bytes. */
const titled = ["-metadata", "title=Secret", "-metadata", "artist=Secret", "-fflags", "+bitexact"];
const aacAudio = ["-c:a", "aac"];

const videoSeed = (type: MediaTypeId, ...options: string[]) =>
  fileSeed(type, () => {
    const { extension } = mediaType(type);
    return readFileSync(makeVideo(extension, ...small, ...tone(0.5), ...options, ...titled));
  });

const audioSeed = (type: MediaTypeId, ...options: string[]) =>
  fileSeed(type, () => readFileSync(makeVideo(type, ...tone(0.5), ...options, ...titled)));

function mp3WithCover(): Buffer {
  const cover = makeVideo("png", ...small, "-frames:v", "1");
  const maps = ["-i", cover, "-map", "0", "-map", "1", "-c:v", "copy"];
  return readFileSync(makeVideo("mp3", ...tone(0.5), ...maps, ...titled));
}

function videoWithSubtitles(): Buffer {
  return readFileSync(
    makeVideo(
      "mkv",
      "-i",
      videoWithText(),
      "-map",
      "0",
      "-t",
      "0.5",
      "-c",
      "copy",
      "-fflags",
      "+bitexact",
    ),
  );
}

/** A PDF with compressed object and cross-reference streams. */
function compressedPdf(): Buffer {
  const from = join(videoFolder(), "plain.pdf");
  const to = join(videoFolder(), "packed.pdf");
  writeFileSync(from, makePdf());
  execProgram("qpdf", ["--object-streams=generate", "--deterministic-id", from, to]);
  return readFileSync(to);
}

let samples: Promise<OfficeSamples> | undefined;

async function officeFile(type: MediaTypeId): Promise<string> {
  samples ??= makeOfficeSamples(videoFolder());
  return (await samples).get(type)?.path ?? "";
}

const officeSeed = (type: MediaTypeId) =>
  fileSeed(type, async () => readFileSync(await officeFile(type)));

/** A package with one damaged part and valid checksums. */
const packagePartSeed = (type: MediaTypeId, part: string): MutationSeed => ({
  id: `${type} in ${part}`,
  type,
  async write(damage) {
    const path = await officeFile(type);
    const names = listZip(path).filter((name) => !name.endsWith("/"));
    const read = (name: string) => (name === part ? damage(unzip(path, name)) : unzip(path, name));
    return makeZip(names.map((name) => ({ name, content: read(name) })));
  },
});

const textSeed = (type: MediaTypeId, content: string) => fileSeed(type, () => Buffer.from(content));

const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title>
<style>@page { size: A5; margin: 1cm } h1 { color: #336699; break-after: page } td { border: 1px solid }</style>
</head><body><h1>Heading</h1><table><tr><td>One<td>Two</table>
<svg width="90" height="40"><circle cx="20" cy="20" r="15" fill="red"/><path d="M40 5 L80 35 Q60 0 40 35 z"/></svg>
<script>document.body.append(new Date(0).toISOString(), JSON.stringify([..."abc"].map((c, i) => c + i)))</script>
</body></html>`;

const svgText = `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="48"><defs><linearGradient id="g"><stop offset="0" stop-color="red"/><stop offset="1" stop-color="blue"/></linearGradient></defs><rect width="64" height="48" fill="url(#g)"/><path d="M4 4 L60 44 Q30 0 4 44 z" transform="rotate(10 32 24)"/><text x="5" y="20" font-size="12">text</text></svg>`;

const assText =
  "[Script Info]\nScriptType: v4.00+\n\n[V4+ Styles]\nFormat: Name, Fontname, Fontsize\nStyle: Default,Arial,20\n\n[Events]\nFormat: Layer, Start, End, Style, Text\nDialogue: 0,0:00:00.10,0:00:00.30,Default,{\\i1}Grüße{\\i0}, 你好\n";

const mail = [
  'From: "Änna" <a@example.com>',
  "To: b@example.com",
  "Subject: =?utf-8?b?R3LDvMOfZQ==?=",
  "MIME-Version: 1.0",
  "Content-Type: multipart/mixed; boundary=x",
  "",
  "--x",
  "Content-Type: text/html; charset=utf-8",
  "Content-Transfer-Encoding: quoted-printable",
  "",
  "<p>Gr=C3=BC=C3=9Fe <img src=3D'cid:1'></p>",
  "--x",
  "Content-Type: image/gif; name=dot.gif",
  "Content-ID: <1>",
  "Content-Transfer-Encoding: base64",
  "",
  "R0lGODdhAQABAIAAAP8AAP///ywAAAAAAQABAAACAkQBADs=",
  "--x--",
].join("\r\n");

export const mutationSeeds: readonly MutationSeed[] = [
  fileSeed("jpeg", () => scene().jpeg().toBuffer()),
  fileSeed("jpeg", () => scene().jpeg({ progressive: true }).toBuffer(), "progressive jpeg"),
  fileSeed("png", png),
  { id: "png in its chunks", type: "png", write: damageChunks },
  fileSeed("webp", () => scene().webp().toBuffer()),
  fileSeed("webp", async () => (await frames()).webp({ lossless: true }).toBuffer(), "moving webp"),
  fileSeed("gif", async () => (await frames()).gif().toBuffer()),
  fileSeed("avif", avif),
  fileSeed("heic", async () => readFileSync((await encodeWithVips("heic", scene())).path)),
  fileSeed("heic", async () => setBrand("heic", await avif()), "heic with AV1"),
  fileSeed("jxl", async () => readFileSync((await encodeWithVips("jxl", scene())).path)),
  fileSeed("jp2", async () => readFileSync((await encodeWithVips("jp2", scene())).path)),
  fileSeed("ico", async () => readFileSync((await makeIcon([scene()])).path)),
  fileSeed("dng", async () => readFileSync((await makeDng()).path)),
  fileSeed("tiff", () => scene().tiff({ compression: "lzw" }).toBuffer()),
  fileSeed("bmp", () => readFileSync(makeVideo("bmp", ...small, "-frames:v", "1"))),
  textSeed("svg", svgText),
  textSeed("srt", "1\n00:00:00,100 --> 00:00:00,300\n<i>Grüße</i>, 你好\n\n"),
  textSeed("vtt", "WEBVTT\n\n00:00.100 --> 00:00.300 line:10%\n<v Ann>Grüße, 你好\n\n"),
  textSeed("ass", assText),
  videoSeed("mp4", ...h264, ...aacAudio, "-movflags", "+faststart"),
  videoSeed("mov", "-c:v", "mjpeg", "-c:a", "pcm_s16le"),
  fileSeed("mkv", videoWithSubtitles),
  videoSeed("webm", "-c:v", "libvpx", "-c:a", "libopus"),
  videoSeed("avi", "-c:v", "mpeg4", "-c:a", "libmp3lame"),
  videoSeed("mpeg", "-c:v", "mpeg2video", "-r", "25", "-c:a", "mp2"),
  videoSeed("mpegts", ...h264, ...aacAudio),
  videoSeed("flv", "-c:v", "flv", "-c:a", "libmp3lame", "-ar", "44100"),
  videoSeed("wmv", "-c:v", "wmv2", "-c:a", "wmav2"),
  videoSeed("3gp", ...h264, ...aacAudio),
  videoSeed("ogv", "-c:v", "libtheora", "-c:a", "libvorbis"),
  fileSeed("mp3", mp3WithCover),
  audioSeed("aac", ...aacAudio),
  audioSeed("m4a", ...aacAudio),
  audioSeed("ogg", "-c:a", "libvorbis"),
  audioSeed("opus", "-c:a", "libopus"),
  audioSeed("flac"),
  audioSeed("wav"),
  audioSeed("aiff"),
  audioSeed("caf", "-c:a", "alac"),
  audioSeed("ac3", "-ar", "48000"),
  audioSeed("wv", "-c:a", "wavpack"),
  audioSeed("wma", "-f", "asf", "-c:a", "wmav2"),
  videoSeed("mxf", "-c:v", "mpeg2video", "-r", "25", "-c:a", "pcm_s16le", "-ar", "48000"),
  fileSeed("pdf", () => makePdf()),
  fileSeed("pdf", compressedPdf, "packed pdf"),
  textSeed("html", page),
  ...(["docx", "xlsx", "pptx", "odt", "ods", "odp", "doc", "xls", "ppt", "rtf"] as const).map(
    officeSeed,
  ),
  packagePartSeed("docx", "word/document.xml"),
  packagePartSeed("docx", "docProps/core.xml"),
  packagePartSeed("xlsx", "xl/worksheets/sheet1.xml"),
  packagePartSeed("pptx", "ppt/slides/slide1.xml"),
  packagePartSeed("odt", "content.xml"),
  textSeed("csv", 'name;price;"of it"\n"a;b";1,50;=1+1\nGrüße;2e9;\n'),
  textSeed(
    "md",
    "# Grüße\n\n| a | b |\n|---|---|\n| *1* | [你好](https://example.com) |\n\n```js\n1\n```\n",
  ),
  textSeed("eml", mail),
  textSeed("txt", "1\n00:00:00,100 --> 00:00:00,300\nGrüße, 你好\n\n"),
  textSeed("json", '{"a": [1, {"b": null}, "\\u00fc"]}'),
  fileSeed("zip", () => makeZip(["a", "b/c"].map((name) => ({ name, content: name.repeat(50) })))),
];
