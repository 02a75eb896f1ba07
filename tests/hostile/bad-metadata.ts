import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Sharp } from "sharp";
import { type MediaTypeId, mediaType } from "#lib/media/types.ts";
import { pngChunk, withSegments } from "../samples/image-bytes.ts";
import { paintScene } from "../samples/images.ts";
import { secret } from "../samples/metadata.ts";
import { odfOf, ooxmlOf, wordBody } from "../samples/office-packages.ts";
import { pdfOf } from "../samples/pdf-bytes.ts";
import { h264, makeVideo, picture, tone, videoFolder } from "../samples/videos.ts";
import { id3 } from "./bad-audio.ts";
import type { BadInput } from "./bad-input.ts";

/** Good files whose metadata are made to harm: names that are none, text that is a program, titles without end. */

/** Names that an object has before anything is put into it, and one that is markup. */
const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "a<b>"];
const script = `<script>alert("${secret}")</script>`;
const escaped = script.replaceAll("<", "&lt;").replaceAll(">", "&gt;");
/** Each row is still the same file where the title is 10 MB. */
const endless = () => "t".repeat(10_000_000);

const scene = () => paintScene({ width: 40, height: 30 });

const xmp = (fields: string) =>
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:h="http://example.com/h/" xmlns:dc="http://purl.org/dc/elements/1.1/">${fields}</rdf:Description></rdf:RDF></x:xmpmeta>`;
const xmlNames = names.filter((name) => /^\w+$/.test(name));
const hostileXmp = xmp(
  xmlNames.map((name) => `<h:${name}>${escaped}</h:${name}>`).join("") +
    `<dc:title><rdf:Alt><rdf:li>${escaped}</rdf:li></rdf:Alt></dc:title>`,
);
const endlessXmp = () => xmp(`<dc:format>${endless()}</dc:format>`);
const marked = () =>
  scene()
    .withXmp(hostileXmp)
    .withExif({ IFD0: { Artist: script } });

/** A PNG with `chunks` behind its header. */
async function pngWith(image: Sharp, ...chunks: Buffer[]): Promise<Buffer> {
  const bytes = await image.png().toBuffer();
  return Buffer.concat([bytes.subarray(0, 33), ...chunks, bytes.subarray(33)]);
}

const pngText = (name: string, text: string) => pngChunk("tEXt", Buffer.from(`${name}\0${text}`));

/** A GIF with a comment before its end. */
async function gifWithComment(text: string): Promise<Buffer> {
  const bytes = await scene().gif().toBuffer();
  const blocks = text.match(/.{1,255}/gs) ?? [];
  const comment = blocks.map((block) =>
    Buffer.from(`${String.fromCharCode(block.length)}${block}`, "latin1"),
  );
  return Buffer.concat([
    bytes.subarray(0, -1),
    Buffer.from([0x21, 0xfe]),
    ...comment,
    Buffer.from([0, 0x3b]),
  ]);
}

/** A JPEG whose comments are as long as comments can be, 10 MB together. */
async function commentedJpeg(): Promise<Buffer> {
  const comment = [0xfe, Buffer.alloc(65_000, "t")] as const;
  return withSegments(
    await scene().jpeg().toBuffer(),
    Array.from({ length: 154 }, () => comment),
  );
}

const streams: Partial<Record<MediaTypeId, string[]>> = {
  mp4: [...h264, "-c:a", "aac", "-movflags", "use_metadata_tags"],
  mkv: [...h264, "-c:a", "aac"],
  webm: ["-c:v", "libvpx", "-c:a", "libopus"],
  ogg: ["-c:a", "libvorbis"],
};

/** A film or a sound that has these tags. */
function tagged(type: MediaTypeId, id: string, tags: Readonly<Record<string, string>>): Buffer {
  const path = join(videoFolder(), `${id}.ffmetadata`);
  const escapeTag = (text: string) => text.replace(/[=;#\\\n]/g, "\\$&");
  const lines = Object.entries(tags).map(
    ([name, value]) => `${escapeTag(name)}=${escapeTag(value)}\n`,
  );
  writeFileSync(path, `;FFMETADATA1\n${lines.join("")}`);
  const { kind, extension } = mediaType(type);
  const film = kind === "video" ? picture("size=64x36:rate=10:duration=0.3") : [];
  const inputs = [...film, ...tone(0.3), "-f", "ffmetadata", "-i", path];
  const metadata = ["-map_metadata", kind === "video" ? "2" : "1"];
  return readFileSync(makeVideo(extension, ...inputs, ...metadata, ...(streams[type] ?? [])));
}

const hostileTags = Object.fromEntries([
  ...names.map((name) => [name, script]),
  ...[
    ["title", script],
    ["comment", `=cmd|'/c ${secret}'!A0`],
    ["artist", `${secret}\u202e\u0007`],
  ],
]);

const pdf = (info: string) =>
  pdfOf({
    objects: [
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] >>",
      `<< ${info} >>`,
    ],
    trailer: "/Info 4 0 R",
  });

const paragraph = wordBody("<w:p><w:r><w:t>still</w:t></w:r></w:p>");

/** A DOCX with this title, in XML, and further properties by name. */
const docx = (title: string, properties: readonly string[] = []) =>
  ooxmlOf("docx", [
    { name: "word/document.xml", content: paragraph },
    {
      name: "docProps/core.xml",
      content: `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${title}</dc:title></cp:coreProperties>`,
    },
    {
      name: "docProps/custom.xml",
      content: `<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/custom-properties" xmlns:vt="http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes">${properties.map((name, index) => `<property fmtid="{D5CDD505-2E9C-101B-9397-08002B2CF9AE}" pid="${index + 2}" name="${name}"><vt:lpwstr>${escaped}</vt:lpwstr></property>`).join("")}</Properties>`,
    },
  ]);

const odt = (title: string, properties: readonly string[] = []) =>
  odfOf("text", "<text:p>still</text:p>", {
    parts: [
      {
        name: "meta.xml",
        content: `<office:document-meta xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:meta="urn:oasis:names:tc:opendocument:xmlns:meta:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><office:meta><dc:title>${title}</dc:title>${properties.map((name) => `<meta:user-defined meta:name="${name}">${escaped}</meta:user-defined>`).join("")}</office:meta></office:document-meta>`,
      },
    ],
  });

const rtf = (title: string) => Buffer.from(`{\\rtf1{\\info{\\title ${title}}}still}`);
const svg = (title: string, more = "") =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><title>${title}</title><metadata>${more}</metadata></svg>`,
  );

/** Whose metadata name and say what a program or a page would take for its own. */
const hostile = (type: MediaTypeId, build: BadInput["build"]): BadInput => ({
  ...{ id: `hostile tags of ${type}`, type, build },
  ...{ answers: ["completes"], mostBytes: 1.5 * 2 ** 30 },
});

/** Some readers have a limit for all that a file says of itself. */
const titled = (type: MediaTypeId, build: BadInput["build"]): BadInput => ({
  ...{ id: `10 MB of title in ${type}`, type, build },
  ...{ answers: ["completes", "too_complex"], mostBytes: 2 * 2 ** 30 },
});

const media = ["mp4", "mkv", "webm", "mp3", "flac", "ogg"] as const satisfies MediaTypeId[];

export const hostileMetadata: readonly BadInput[] = [
  hostile("jpeg", () => marked().jpeg().toBuffer()),
  hostile("png", () => pngWith(marked(), ...names.map((name) => pngText(name, script)))),
  hostile("webp", () => marked().webp().toBuffer()),
  hostile("tiff", () => marked().tiff().toBuffer()),
  hostile("avif", () => marked().avif({ effort: 0 }).toBuffer()),
  hostile("gif", () => gifWithComment(script)),
  hostile("svg", () =>
    svg(escaped, xmlNames.map((name) => `<${name}>${escaped}</${name}>`).join("")),
  ),
  ...media.map((type) => hostile(type, () => tagged(type, "hostile", hostileTags))),
  hostile("pdf", () => {
    const fields = xmlNames.map((name) => `/${name} (${secret})`).join(" ");
    return pdf(`/Title (${script}) /Author (${secret}\\nPages: 9\\n) ${fields}`);
  }),
  hostile("docx", () => docx(escaped, xmlNames)),
  hostile("odt", () => odt(escaped, xmlNames)),
  hostile("rtf", () => rtf(script)),
];

export const endlessMetadata: readonly BadInput[] = [
  titled("jpeg", commentedJpeg),
  titled("png", () => pngWith(scene(), pngText("Title", endless()))),
  titled("webp", () => scene().withXmp(endlessXmp()).webp().toBuffer()),
  titled("tiff", () => scene().withXmp(endlessXmp()).tiff().toBuffer()),
  titled("gif", () => gifWithComment(endless())),
  titled("svg", () => svg(endless())),
  ...media
    .filter((type) => type !== "mp3")
    .map((type) => titled(type, () => tagged(type, "endless", { title: endless() }))),
  titled("mp3", () => {
    const sound = readFileSync(makeVideo("mp3", ...tone(0.3)));
    return Buffer.concat([id3("TIT2", Buffer.from(`\0${endless()}`)), sound]);
  }),
  titled("pdf", () => pdf(`/Title (${endless()})`)),
  titled("docx", () => docx(endless())),
  titled("odt", () => odt(endless())),
  titled("rtf", () => rtf(endless())),
  titled("html", () => Buffer.from(`<!doctype html><title>${endless()}</title><p>still</p>`)),
];
