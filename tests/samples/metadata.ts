import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { readTags } from "#lib/engines/exiftool/exiftool.ts";
import { exiftool } from "../support/exiftool.ts";
import type { Sample } from "../support/operation.ts";
import { makeTestImage, toSample } from "./images/images.ts";
import { makeZip } from "./zip.ts";
import { execProgram } from "./zygote/exec-program.ts";

/** Files with personal metadata: every personal value contains the word `secret`. */

/** Part of every personal value. */
export const secret = "Secret";

const exifTags = [
  "-GPSLatitude=12.5",
  "-GPSLatitudeRef=N",
  "-GPSAreaInformation=Secret",
  "-Make=Secret",
  "-Model=Secret",
  "-Artist=Secret",
  "-Software=Secret",
  "-ImageDescription=Secret",
  "-Copyright=Secret",
  "-UserComment=Secret",
  "-SerialNumber=Secret",
  "-OwnerName=Secret",
  "-DateTimeOriginal=2020:01:02 03:04:05",
  "-XMP:Title=Secret",
  "-XMP:Creator=Secret",
  "-IPTC:By-line=Secret",
  "-IPTC:City=Secret",
  "-Comment=Secret",
  "-PNG:Author=Secret",
];

/** Adds EXIF, XMP, IPTC, comments and GPS positions to `sample`, as far as its format supports them. */
export async function addMetadata(sample: Sample, orientation?: number): Promise<Sample> {
  const turned = orientation ? [`-Orientation#=${orientation}`] : [];
  await exiftool("-q", "-m", "-overwrite_original", ...exifTags, ...turned, sample.path);
  return sample;
}

export type ImageType = "jpeg" | "png" | "webp" | "gif" | "tiff" | "avif";

/** Makes an image of `type` with an ICC profile and personal metadata. */
export async function makeImage(type: ImageType, orientation?: number): Promise<Sample> {
  const image = makeTestImage({ width: 80, height: 60 }).withIccProfile("p3");
  return addMetadata(await toSample(type, await image[type]().toBuffer()), orientation);
}

/** Decodes all frames of an image. */
export async function readPixels(path: string): Promise<Buffer> {
  return sharp(path, { pages: -1 }).raw().toBuffer();
}

/** Whether the bytes of the file contain the secret, as 8-bit or 16-bit text. */
export async function containsSecret(path: string): Promise<boolean> {
  const bytes = await readFile(path);
  return [secret, Buffer.from(secret, "utf16le"), Buffer.from(secret, "utf16le").swap16()].some(
    (text) => bytes.includes(text),
  );
}

/** Groups of exiftool that hold metadata; the others describe the format. */
const personalGroups =
  /^(GPS|XMP|IPTC|Photoshop|MakerNotes|ExifIFD|IFD1|UserData|Keys|ItemList|ID3)/;
const personalNames =
  /:(Make|Model|Artist|Author|Creator|Software|Title|Comment|Copyright|.*Date.*|Encoder|Producer|Company|LastModifiedBy|Muxing.*|Writing.*|.*Vendor.*|HandlerDescription|CompressorName|CommentBy|CurrentUser|LastSavedBy|Company|Manager|Subject|Keywords|Template|Tag_.*)$/;

/** Lists the tags with people, places, programs and dates that exiftool finds in the file. */
export async function personalTags(path: string): Promise<string[]> {
  const file = { name: "in/0.bin", path, extension: "bin" };
  const tags = await readTags(file, new AbortController().signal);
  const isEmpty = (value: unknown) =>
    /^(|Author *|0000:00:00 00:00:00(Z|\.000)?|ffmpeg|1980:01:01.*)$/.test(`${value}`);
  return [...tags]
    .filter(
      ([name, value]) => personalGroups.test(name) || (personalNames.test(name) && !isEmpty(value)),
    )
    .filter(([name]) => !/^(ICC|Composite)/.test(name))
    .map(([name, value]) => `${name}=${value}`);
}

/** Makes an uncompressed PDF with an information dictionary, XMP, a comment and a form field. */
export function makePdf(extra = ""): Buffer {
  const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF>${secret}</rdf:RDF></x:xmpmeta>`;
  const content = "BT /F1 24 Tf 20 100 Td (Kept text) Tj ET";
  const stream = (dict: string, data: string) =>
    `<< ${dict} /Length ${data.length} >>\nstream\n${data}\nendstream`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R /Metadata 6 0 R /Lang (en) /PieceInfo << /X << /Private (Secret) >> >> >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Annots [8 0 R 9 0 R]" +
      " /Metadata 6 0 R /LastModified (D:2020) /Resources << /Font << /F1 5 0 R >> >> >>",
    stream("", content),
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    stream("/Type /Metadata /Subtype /XML", xmp),
    `<< /Title (${secret} title) /Author (${secret}) /Creator (${secret}) /Producer (${secret}) /CreationDate (D:20200102030405Z) >>`,
    `<< /Type /Annot /Subtype /Text /Rect [10 10 30 30] /Contents (Kept comment) /T (${secret}) /M (D:20200102) >>`,
    "<< /Type /Annot /Subtype /Widget /FT /Tx /Rect [50 10 90 30] /T (Kept field) >>",
  ];
  let pdf = "%PDF-1.7\n";
  const offsets: number[] = [];
  for (const [index, object] of objects.entries()) {
    offsets.push(pdf.length);
    pdf += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`);
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows.join("")}`;
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 7 0 R >>`;
  return Buffer.from(
    `${pdf}${table}${trailer}\nstartxref\n${pdf.length}\n%%EOF\n${extra}`,
    "latin1",
  );
}

/** Decompresses the objects of a PDF to text. */
export function unpackPdf(path: string): string {
  return execProgram("qpdf", ["--qdf", "--no-original-object-ids", path, "-"], {
    encoding: "latin1",
  });
}

const relationships = "http://schemas.openxmlformats.org/package/2006/relationships";
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

/** Makes a Word document with properties, a tracked change, a comment and an image with metadata. */
export async function makeWordDocument(): Promise<Sample> {
  const photo = readFileSync((await makeImage("jpeg", 6)).path);
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${type}" Target="${target}"/>`;
  const type = (name: string, kind: string) =>
    `<Override PartName="/${name}" ContentType="application/vnd.openxmlformats-${kind}+xml"/>`;
  const who = `w:author="${secret}" w:date="2020-01-02T03:04:05Z"`;
  return toSample(
    "docx",
    makeZip([
      {
        name: "[Content_Types].xml",
        content: `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="jpg" ContentType="image/jpeg"/>${type("word/document.xml", "officedocument.wordprocessingml.document.main")}${type("docProps/core.xml", "package.core-properties")}${type("docProps/app.xml", "officedocument.extended-properties")}${type("word/comments.xml", "officedocument.wordprocessingml.comments")}</Types>`,
      },
      {
        name: "_rels/.rels",
        content: `<Relationships xmlns="${relationships}">${relation("r1", `${office}/officeDocument`, "word/document.xml")}${relation("r2", `${relationships}/metadata/core-properties`, "docProps/core.xml")}${relation("r3", `${office}/extended-properties`, "docProps/app.xml")}</Relationships>`,
      },
      {
        name: "docProps/core.xml",
        content: `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:creator>${secret}</dc:creator><dc:title>${secret}</dc:title><cp:lastModifiedBy>${secret}</cp:lastModifiedBy></cp:coreProperties>`,
      },
      {
        name: "docProps/app.xml",
        content: `<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"><Company>${secret}</Company></Properties>`,
      },
      {
        name: "word/_rels/document.xml.rels",
        content: `<Relationships xmlns="${relationships}">${relation("r1", `${office}/comments`, "comments.xml")}</Relationships>`,
      },
      {
        name: "word/document.xml",
        content: `<w:document xmlns:w="${word}"><w:body><w:p><w:r><w:t>Kept text, w:author="x"</w:t></w:r><w:ins w:id="1" ${who}><w:r><w:t> and kept insertion</w:t></w:r></w:ins></w:p></w:body></w:document>`,
      },
      {
        name: "word/comments.xml",
        content: `<w:comments xmlns:w="${word}"><w:comment w:id="1" ${who} w:initials="S"><w:p><w:r><w:t>Kept comment</w:t></w:r></w:p></w:comment></w:comments>`,
      },
      { name: "word/styles.xml", content: `<w:styles xmlns:w="${word}"/>` },
      { name: "word/media/photo.jpg", content: photo },
    ]),
  );
}

/** Makes an OpenDocument text with properties, a thumbnail and a comment. */
export function makeOpenDocument(): Promise<Sample> {
  const ns = "urn:oasis:names:tc:opendocument:xmlns";
  const entry = (path: string, type: string) =>
    `<m:file-entry m:full-path="${path}" m:media-type="${type}"/>`;
  return toSample(
    "odt",
    makeZip([
      { name: "mimetype", content: "application/vnd.oasis.opendocument.text" },
      {
        name: "content.xml",
        content: `<o:document-content xmlns:o="${ns}:office:1.0" xmlns:text="${ns}:text:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/" o:version="1.3"><o:body><o:text><text:p>Kept text<o:annotation><dc:creator>${secret}</dc:creator><dc:date>2020-01-02T03:04:05</dc:date><text:p>Kept comment</text:p></o:annotation></text:p></o:text></o:body></o:document-content>`,
      },
      {
        name: "meta.xml",
        content: `<o:document-meta xmlns:o="${ns}:office:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><o:meta><dc:creator>${secret}</dc:creator></o:meta></o:document-meta>`,
      },
      { name: "Thumbnails/thumbnail.png", content: secret },
      {
        name: "META-INF/manifest.xml",
        content: `<m:manifest xmlns:m="${ns}:manifest:1.0" m:version="1.3">${entry("/", "application/vnd.oasis.opendocument.text")}${entry("content.xml", "text/xml")}${entry("meta.xml", "text/xml")}${entry("Thumbnails/thumbnail.png", "image/png")}</m:manifest>`,
      },
    ]),
  );
}

/** Reads one entry of a ZIP archive. */
export function unzip(path: string, name: string): Buffer {
  // Square brackets are a pattern to unzip.
  return execProgram("unzip", ["-p", path, name.replace("[", "\\[")]);
}

/** Lists the entry names of a ZIP archive in order. */
export function listZip(path: string): string[] {
  return execProgram("unzip", ["-Z1", path], { encoding: "utf8" }).trim().split("\n");
}
