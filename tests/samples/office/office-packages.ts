import { makeZip, type ZipPart } from "../zip.ts";

/** Office files written part by part. */

const schemas = "http://schemas.openxmlformats.org";
const relationshipTypes = `${schemas}/officeDocument/2006/relationships`;
const xml = `<?xml version="1.0" encoding="UTF-8"?>`;

/** Makes a relationship to `target`, which is outside the package if `external`. */
export function relation(id: string, kind: string, target: string, external = true): string {
  const mode = external ? ` TargetMode="External"` : "";
  const escaped = target.replaceAll("&", "&amp;");
  return `<Relationship Id="${id}" Type="${relationshipTypes}/${kind}" Target="${escaped}"${mode}/>`;
}

/** Makes a relationships part. */
export function relations(...entries: string[]): string {
  return `${xml}<Relationships xmlns="${schemas}/package/2006/relationships">${entries.join("")}</Relationships>`;
}

const mainParts = {
  docx: ["word/document.xml", "wordprocessingml.document"],
  xlsx: ["xl/workbook.xml", "spreadsheetml.sheet"],
  pptx: ["ppt/presentation.xml", "presentationml.presentation"],
} as const;

/** Content types of parts that LibreOffice does not find by their relationships. */
const partTypes = [
  [/^xl\/worksheets\//, "spreadsheetml.worksheet"],
  [/^xl\/styles/, "spreadsheetml.styles"],
  [/^xl\/externalLinks\/[^_]/, "spreadsheetml.externalLink"],
  [/^ppt\/slides\/[^_]/, "presentationml.slide"],
  [/^word\/settings/, "wordprocessingml.settings"],
  [/^word\/comments/, "wordprocessingml.comments"],
] as const;

/** Makes an Office Open XML package of `parts`, with content types and root relationships. */
export function makeOpenXml(kind: keyof typeof mainParts, parts: readonly ZipPart[]): Buffer {
  const [main, type] = mainParts[kind];
  const override = (name: string, what: string) =>
    `<Override PartName="/${name}" ContentType="application/vnd.openxmlformats-officedocument.${what}+xml"/>`;
  const others = parts.flatMap(({ name }) => {
    const found = partTypes.find(([pattern]) => pattern.test(name));
    return found && !name.includes("_rels") ? [override(name, found[1])] : [];
  });
  const types = `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${override(main, `${type}.main`)}${others.join("")}`;
  return makeZip([
    {
      name: "[Content_Types].xml",
      content: `${xml}<Types xmlns="${schemas}/package/2006/content-types">${types}</Types>`,
    },
    { name: "_rels/.rels", content: relations(relation("r1", "officeDocument", main, false)) },
    ...parts,
  ]);
}

/** Makes `word/document.xml` with `body`. */
export function wordBody(body: string): string {
  return `${xml}<w:document xmlns:w="${schemas}/wordprocessingml/2006/main" xmlns:r="${relationshipTypes}" xmlns:wp="${schemas}/drawingml/2006/wordprocessingDrawing" xmlns:a="${schemas}/drawingml/2006/main" xmlns:pic="${schemas}/drawingml/2006/picture" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:v="urn:schemas-microsoft-com:vml"><w:body>${body}</w:body></w:document>`;
}

/** Makes a workbook with one sheet, by the content of its `worksheet` element, and more `parts`. */
export function makeWorkbook(sheet: string, parts: readonly ZipPart[] = [], links = ""): Buffer {
  const ns = `xmlns="${schemas}/spreadsheetml/2006/main" xmlns:r="${relationshipTypes}"`;
  const linked = links && relation("x1", "externalLink", "externalLinks/externalLink1.xml", false);
  const styled = parts.some(({ name }) => name === "xl/styles.xml");
  return makeOpenXml("xlsx", [
    {
      name: "xl/workbook.xml",
      content: `${xml}<workbook ${ns}><sheets><sheet name="S" sheetId="1" r:id="s1"/></sheets>${links}</workbook>`,
    },
    {
      name: "xl/_rels/workbook.xml.rels",
      content: relations(
        relation("s1", "worksheet", "worksheets/sheet1.xml", false),
        linked,
        styled ? relation("y1", "styles", "styles.xml", false) : "",
      ),
    },
    {
      name: "xl/worksheets/sheet1.xml",
      content: `${xml}<worksheet ${ns}>${sheet}</worksheet>`,
    },
    ...parts,
  ]);
}

const odf = "urn:oasis:names:tc:opendocument:xmlns";

/** Makes an OpenDocument package: `body` inside `office:body`, XML `before` it, and more `parts`. */
export function makeOpenDocumentPackage(
  kind: "text" | "spreadsheet" | "presentation",
  body: string,
  { prolog = "", before = "", parts = [] as readonly ZipPart[] } = {},
): Buffer {
  const mime = `application/vnd.oasis.opendocument.${kind}`;
  const names = ["content.xml", ...parts.map(({ name }) => name)];
  const files = names.map(
    (name) =>
      `<manifest:file-entry manifest:full-path="${name}" manifest:media-type="${name.endsWith(".xml") ? "text/xml" : ""}"/>`,
  );
  const namespaces = [
    "office",
    "style",
    "text",
    "table",
    "drawing:draw",
    "presentation",
    "script",
    "form",
    "xsl-fo-compatible:fo",
    "svg-compatible:svg",
    "meta",
    "chart",
  ].map((entry) => {
    const [name, prefix = name] = entry.split(":");
    return `xmlns:${prefix}="${odf}:${name}:1.0"`;
  });
  const others = `xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:of="${odf}:of:1.2" xmlns:ooo="http://openoffice.org/2004/office" xmlns:dom="http://www.w3.org/2001/xml-events"`;
  return makeZip([
    { name: "mimetype", content: mime },
    {
      name: "content.xml",
      content: `${xml}${prolog}<office:document-content ${namespaces.join(" ")} ${others} office:version="1.3">${before}<office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    },
    ...parts,
    {
      name: "META-INF/manifest.xml",
      content: `${xml}<manifest:manifest xmlns:manifest="${odf}:manifest:1.0" manifest:version="1.3"><manifest:file-entry manifest:full-path="/" manifest:media-type="${mime}"/>${files.join("")}</manifest:manifest>`,
    },
  ]);
}
