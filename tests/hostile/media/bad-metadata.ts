import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Sharp } from "sharp";
import { type MediaTypeId, mediaType } from "#lib/media/types.ts";
import { insertJpegSegments, pngChunk } from "#tests/samples/images/image-bytes.ts";
import { makeTestImage } from "#tests/samples/images/images.ts";
import { secret } from "#tests/samples/metadata.ts";
import {
  makeOpenDocumentPackage,
  makeOpenXml,
  wordBody,
} from "#tests/samples/office/office-packages.ts";
import { makePdfBytes } from "#tests/samples/pdf/pdf-bytes.ts";
import { h264, makeVideo, testPattern, tone, videoFolder } from "#tests/samples/videos.ts";
import type { BadInput } from "../bad-input.ts";
import { id3 } from "./bad-audio.ts";

/** Bad inputs: valid files with malicious metadata (special names, scripts) or very long titles. */

/** Property names that every JavaScript object has, and one with markup. */
const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "a<b>"];
const script = `<script>alert("${secret}")</script>`;
const escaped = script.replaceAll("<", "&lt;").replaceAll(">", "&gt;");
/** A title of 10 MB. A function, because the text is needed only while a file is built. */
const longText = () => "t".repeat(10_000_000);

const scene = () => makeTestImage({ width: 40, height: 30 });

const xmp = (fields: string) =>
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:h="http://example.com/h/" xmlns:dc="http://purl.org/dc/elements/1.1/">${fields}</rdf:Description></rdf:RDF></x:xmpmeta>`;
const xmlNames = names.filter((name) => /^\w+$/.test(name));
const maliciousXmp = xmp(
  xmlNames.map((name) => `<h:${name}>${escaped}</h:${name}>`).join("") +
    `<dc:title><rdf:Alt><rdf:li>${escaped}</rdf:li></rdf:Alt></dc:title>`,
);
const oversizedXmp = () => xmp(`<dc:format>${longText()}</dc:format>`);
const imageWithMaliciousMetadata = () =>
  scene()
    .withXmp(maliciousXmp)
    .withExif({ IFD0: { Artist: script } });

/** A PNG with `chunks` after its header. */
async function pngWith(image: Sharp, ...chunks: Buffer[]): Promise<Buffer> {
  const bytes = await image.png().toBuffer();
  return Buffer.concat([bytes.subarray(0, 33), ...chunks, bytes.subarray(33)]);
}

const pngText = (name: string, text: string) => pngChunk("tEXt", Buffer.from(`${name}\0${text}`));

/** A GIF with a comment at its end. */
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

/** A JPEG with comments of nearly the maximum length, 10 MB in total. */
async function commentedJpeg(): Promise<Buffer> {
  const comment = [0xfe, Buffer.alloc(65_000, "t")] as const;
  return insertJpegSegments(
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

/** A video or an audio file with these tags. */
function tagged(type: MediaTypeId, id: string, tags: Readonly<Record<string, string>>): Buffer {
  const path = join(videoFolder(), `${id}.ffmetadata`);
  const escapeTag = (text: string) => text.replace(/[=;#\\\n]/g, "\\$&");
  const lines = Object.entries(tags).map(
    ([name, value]) => `${escapeTag(name)}=${escapeTag(value)}\n`,
  );
  writeFileSync(path, `;FFMETADATA1\n${lines.join("")}`);
  const { kind, extension } = mediaType(type);
  const video = kind === "video" ? testPattern("size=64x36:rate=10:duration=0.3") : [];
  const inputs = [...video, ...tone(0.3), "-f", "ffmetadata", "-i", path];
  const metadata = ["-map_metadata", kind === "video" ? "2" : "1"];
  return readFileSync(makeVideo(extension, ...inputs, ...metadata, ...(streams[type] ?? [])));
}

const maliciousTags = Object.fromEntries([
  ...names.map((name) => [name, script]),
  ["title", script],
  ["comment", `=cmd|'/c ${secret}'!A0`],
  ["artist", `${secret}\u202e\u0007`],
]);

const pdf = (info: string) =>
  makePdfBytes({
    objects: [
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] >>",
      `<< ${info} >>`,
    ],
    trailer: "/Info 4 0 R",
  });

const paragraph = wordBody("<w:p><w:r><w:t>still</w:t></w:r></w:p>");

/** A DOCX with this title (as XML) and custom properties with these names. */
const docx = (title: string, properties: readonly string[] = []) =>
  makeOpenXml("docx", [
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
  makeOpenDocumentPackage("text", "<text:p>still</text:p>", {
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

/** A file with special names and scripts in its metadata. */
const maliciousRow = (type: MediaTypeId, build: BadInput["build"]): BadInput => ({
  id: `malicious metadata in ${type}`,
  type,
  build,
  expected: ["completes"],
  maxEngineBytes: 1.5 * 2 ** 30,
});

/** A file with a very long title. Some readers limit the size of all metadata. */
const oversizedTitleRow = (type: MediaTypeId, build: BadInput["build"]): BadInput => ({
  id: `a title of 10 MB in ${type}`,
  type,
  build,
  expected: ["completes", "too_complex"],
  maxEngineBytes: 2 * 2 ** 30,
  isCostly: true,
});

const media = ["mp4", "mkv", "webm", "mp3", "flac", "ogg"] as const satisfies MediaTypeId[];

export const maliciousMetadata: readonly BadInput[] = [
  maliciousRow("jpeg", () => imageWithMaliciousMetadata().jpeg().toBuffer()),
  maliciousRow("png", () =>
    pngWith(imageWithMaliciousMetadata(), ...names.map((name) => pngText(name, script))),
  ),
  maliciousRow("webp", () => imageWithMaliciousMetadata().webp().toBuffer()),
  maliciousRow("tiff", () => imageWithMaliciousMetadata().tiff().toBuffer()),
  maliciousRow("avif", () => imageWithMaliciousMetadata().avif({ effort: 0 }).toBuffer()),
  maliciousRow("gif", () => gifWithComment(script)),
  maliciousRow("svg", () =>
    // Its title is content, which screen readers read.
    svg("Circle", xmlNames.map((name) => `<${name}>${escaped}</${name}>`).join("")),
  ),
  ...media.map((type) => maliciousRow(type, () => tagged(type, "malicious", maliciousTags))),
  maliciousRow("pdf", () => {
    const fields = xmlNames.map((name) => `/${name} (${secret})`).join(" ");
    return pdf(`/Title (${script}) /Author (${secret}\\nPages: 9\\n) ${fields}`);
  }),
  maliciousRow("docx", () => docx(escaped, xmlNames)),
  maliciousRow("odt", () => odt(escaped, xmlNames)),
  maliciousRow("rtf", () => rtf(script)),
];

export const oversizedMetadata: readonly BadInput[] = [
  oversizedTitleRow("jpeg", commentedJpeg),
  oversizedTitleRow("png", () => pngWith(scene(), pngText("Title", longText()))),
  oversizedTitleRow("webp", () => scene().withXmp(oversizedXmp()).webp().toBuffer()),
  oversizedTitleRow("tiff", () => scene().withXmp(oversizedXmp()).tiff().toBuffer()),
  oversizedTitleRow("gif", () => gifWithComment(longText())),
  oversizedTitleRow("svg", () => svg(longText())),
  ...media
    .filter((type) => type !== "mp3")
    .map((type) => oversizedTitleRow(type, () => tagged(type, "oversized", { title: longText() }))),
  oversizedTitleRow("mp3", () => {
    const audio = readFileSync(makeVideo("mp3", ...tone(0.3)));
    return Buffer.concat([id3("TIT2", Buffer.from(`\0${longText()}`)), audio]);
  }),
  oversizedTitleRow("pdf", () => pdf(`/Title (${longText()})`)),
  oversizedTitleRow("docx", () => docx(longText())),
  oversizedTitleRow("odt", () => odt(longText())),
  oversizedTitleRow("rtf", () => rtf(longText())),
  oversizedTitleRow("html", () =>
    Buffer.from(`<!doctype html><title>${longText()}</title><p>still</p>`),
  ),
];
