import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { MediaTypeId } from "#lib/media/types.ts";
import type { Sample } from "#tests/support/operation.ts";
import {
  flatFilters,
  flatHead,
  flatMime,
  type OfficeSamples,
  withLibreOffice,
} from "../documents.ts";
import { makeTestImage } from "../images/images.ts";
import { addMetadata, secret } from "../metadata.ts";

/** Office documents with personal metadata, made by LibreOffice: every personal value contains `secret`. */

const head = `${flatHead}
 xmlns:meta="urn:oasis:names:tc:opendocument:xmlns:meta:1.0"
 xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:officeooo="http://openoffice.org/2009/office"`;

const meta =
  `<office:meta><dc:title>${secret} title</dc:title><dc:subject>${secret}</dc:subject>` +
  `<dc:description>${secret}</dc:description><meta:keyword>${secret}</meta:keyword>` +
  `<meta:initial-creator>${secret} author</meta:initial-creator><dc:creator>${secret}</dc:creator>` +
  `<meta:creation-date>2020-01-02T03:04:05</meta:creation-date><dc:date>2020-01-02T03:04:05</dc:date>` +
  `<meta:user-defined meta:name="Company">${secret} company</meta:user-defined>` +
  `<meta:user-defined meta:name="${secret} name">${secret} value</meta:user-defined></office:meta>`;

const who = `<dc:creator>${secret} person</dc:creator><dc:date>2020-05-06T07:08:09</dc:date>`;
const comment =
  `<office:annotation office:display="true" svg:width="3cm" svg:height="1cm" svg:x="5cm" svg:y="0cm">${who}<meta:creator-initials>Sec</meta:creator-initials>` +
  `<text:p>Kept comment</text:p></office:annotation>`;

async function writeText(folder: string): Promise<string> {
  const path = join(folder, "photo.jpg");
  await makeTestImage({ width: 80, height: 60 }).jpeg().toFile(path);
  const photo = await readFile((await addMetadata({ path, type: "jpeg" })).path, "base64");
  const change =
    `<text:tracked-changes><text:changed-region xml:id="c1" text:id="c1"><text:insertion>` +
    `<office:change-info>${who}</office:change-info></text:insertion></text:changed-region></text:tracked-changes>`;
  const image =
    `<draw:frame text:anchor-type="as-char" svg:width="2cm" svg:height="1.5cm">` +
    `<draw:image><office:binary-data>${photo}</office:binary-data></draw:image></draw:frame>`;
  const paragraph =
    `<text:p>Kept text${comment}<text:change-start text:change-id="c1"/> and kept insertion` +
    `<text:change-end text:change-id="c1"/>${image}</text:p>`;
  return `${head} office:mimetype="${flatMime}.text">${meta}<office:body><office:text>${change}${paragraph}</office:text></office:body></office:document>`;
}

function writeSheets(): string {
  const cell = `<table:table-cell office:value-type="string">${comment}<text:p>Kept cell</text:p></table:table-cell>`;
  return `${head} office:mimetype="${flatMime}.spreadsheet">${meta}<office:body><office:spreadsheet><table:table table:name="Kept"><table:table-row>${cell}</table:table-row></table:table></office:spreadsheet></office:body></office:document>`;
}

function writeSlides(): string {
  const frame = `<draw:frame svg:width="15cm" svg:height="3cm" svg:x="2cm" svg:y="2cm"><draw:text-box><text:p>Kept slide</text:p></draw:text-box></draw:frame>`;
  const note = `<officeooo:annotation svg:x="1cm" svg:y="1cm">${who}<text:p>Kept comment</text:p></officeooo:annotation>`;
  return `${head} office:mimetype="${flatMime}.presentation">${meta}<office:body><office:presentation><draw:page draw:name="p1">${frame}${note}</draw:page></office:presentation></office:body></office:document>`;
}

const filters = {
  docx: ["text", "MS Word 2007 XML"],
  doc: ["text", "MS Word 97"],
  rtf: ["text", "Rich Text Format"],
  xls: ["sheets", "MS Excel 97"],
  ppt: ["slides", "MS PowerPoint 97"],
} as const satisfies Partial<Record<MediaTypeId, readonly [keyof typeof flatFilters, string]>>;

export type PersonalType = keyof typeof filters;

/** Makes one document of each type in `folder`, with properties and a comment; texts also get a change and an image. */
export async function makePersonalOffice(folder: string): Promise<OfficeSamples> {
  const sources = { text: await writeText(folder), sheets: writeSheets(), slides: writeSlides() };
  const samples = new Map<MediaTypeId, Sample>();
  await withLibreOffice(async (store) => {
    for (const type of Object.keys(filters) as PersonalType[]) {
      const [kind, filter] = filters[type];
      const path = join(folder, `personal.${type}`);
      await store(sources[kind], flatFilters[kind], filter, path);
      samples.set(type, { path, type });
    }
  });
  return samples;
}

/** Reads the bodies of `files` with LibreOffice, without names, dates and generated numbers. */
export async function readBodies(files: readonly Sample[], folder: string): Promise<string[]> {
  const bodies: string[] = [];
  await withLibreOffice(async (store) => {
    for (const { path, type } of files) {
      const [kind, filter] = filters[type as PersonalType]; // as `files` come from makePersonalOffice
      const flat = join(folder, "body.xml");
      await store(await readFile(path), filter, flatFilters[kind], flat);
      const body = /<office:body>.*<\/office:body>/s.exec(await readFile(flat, "utf8"))?.[0] ?? "";
      bodies.push(
        body
          .replace(/<(dc:(creator|date)|(meta|loext):(creator|sender)-initials)>[^<]*<\/\1>/g, "")
          .replace(/<office:binary-data>.*?<\/office:binary-data>/gs, "")
          .replace(/ct\d+/g, "ct"),
      );
    }
  });
  return bodies;
}
