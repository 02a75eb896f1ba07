import { makeZip } from "../zip.ts";
import { relations } from "./office-packages.ts";

/** ZIP packages of programs other than Microsoft Office and LibreOffice. */

const xml = `<?xml version="1.0" encoding="UTF-8"?>`;

const starNamespaces = ["office", "style", "text", "table", "draw=drawing", "presentation"]
  .map((entry) => {
    const [prefix, name = prefix] = entry.split("=");
    return `xmlns:${prefix}="http://openoffice.org/2000/${name}"`;
  })
  .join(" ");

const starSvg = `xmlns:fo="http://www.w3.org/1999/XSL/Format" xmlns:svg="http://www.w3.org/2000/svg"`;

const box = (text: string) =>
  `<draw:page draw:name="p1" draw:master-page-name="Default"><draw:text-box svg:x="2cm" svg:y="2cm" svg:width="15cm" svg:height="3cm"><text:p>${text}</text:p></draw:text-box></draw:page>`;

const starBodies = {
  writer: (text: string) => `<text:p>${text}</text:p>`,
  calc: (text: string) =>
    `<table:table table:name="S"><table:table-row><table:table-cell table:value-type="string"><text:p>${text}</text:p></table:table-cell></table:table-row></table:table>`,
  impress: box,
  draw: box,
};

/** OpenOffice.org 1 (sxw, sxc, sxi, sxd), and its templates (stw, stc, sti, std). */
export function makeStarOffice(
  kind: keyof typeof starBodies,
  text: string,
  template = false,
): Buffer {
  const mime = `application/vnd.sun.xml.${kind}${template ? ".template" : ""}`;
  const documentClass = {
    writer: "text",
    calc: "spreadsheet",
    impress: "presentation",
    draw: "drawing",
  };
  const head = `${starNamespaces} ${starSvg} office:class="${documentClass[kind]}" office:version="1.0"`;
  const styles = `<office:automatic-styles><style:page-master style:name="PM"/></office:automatic-styles><office:master-styles><style:master-page style:name="Default" style:page-master-name="PM"/></office:master-styles>`;
  return makeZip([
    { name: "mimetype", content: mime },
    {
      name: "content.xml",
      content: `${xml}<office:document-content ${head}><office:body>${starBodies[kind](text)}</office:body></office:document-content>`,
    },
    {
      name: "styles.xml",
      content: `${xml}<office:document-styles ${head}>${styles}</office:document-styles>`,
    },
    {
      name: "META-INF/manifest.xml",
      content: `${xml}<manifest:manifest xmlns:manifest="http://openoffice.org/2001/manifest"><manifest:file-entry manifest:media-type="${mime}" manifest:full-path="/"/><manifest:file-entry manifest:media-type="text/xml" manifest:full-path="content.xml"/><manifest:file-entry manifest:media-type="text/xml" manifest:full-path="styles.xml"/></manifest:manifest>`,
    },
  ]);
}

const apple = "http://developer.apple.com/namespaces";
const appleCommon = `xmlns:sf="${apple}/sf" xmlns:sfa="${apple}/sfa"`;

/** Makes a document of Pages '09. */
export function makePages(text: string): Buffer {
  return makeZip([
    {
      name: "index.xml",
      content: `${xml}<sl:document xmlns:sl="${apple}/sl" ${appleCommon} sl:version="92008102400"><sf:text-storage sf:kind="body"><sf:text-body><sf:section><sf:layout><sf:p>${text}<sf:br/></sf:p></sf:layout></sf:section></sf:text-body></sf:text-storage></sl:document>`,
    },
  ]);
}

/** Makes a presentation of Keynote '09. */
export function makeKeynote(text: string): Buffer {
  const geometry = `<sf:geometry><sf:naturalSize sfa:w="600" sfa:h="100"/><sf:size sfa:w="600" sfa:h="100"/><sf:position sfa:x="100" sfa:y="100"/></sf:geometry>`;
  const shape = `<sf:shape>${geometry}<sf:path><sf:bezier-path><sf:bezier sfa:path="M 0 0 L 600 0 L 600 100 L 0 100 Z"/></sf:bezier-path></sf:path><sf:text><sf:text-storage sf:kind="textbox"><sf:text-body><sf:layout><sf:p>${text}<sf:br/></sf:p></sf:layout></sf:text-body></sf:text-storage></sf:text></sf:shape>`;
  return makeZip([
    {
      name: "index.apxl",
      content: `${xml}<key:presentation xmlns:key="${apple}/keynote2" ${appleCommon} key:version="92008102400"><key:size sfa:w="1024" sfa:h="768"/><key:slide-list><key:slide><key:page><sf:size sfa:w="1024" sfa:h="768"/><sf:layers><sf:layer><sf:drawables>${shape}</sf:drawables></sf:layer></sf:layers></key:page></key:slide></key:slide-list></key:presentation>`,
    },
  ]);
}

const visioMain = `xmlns="http://schemas.microsoft.com/office/visio/2012/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`;

/** Visio 2013, one page with one rectangle that contains `text`. */
export function makeVisio(text: string): Buffer {
  const type = (name: string, kind: string) =>
    `<Override PartName="/visio/${name}.xml" ContentType="application/vnd.ms-visio.${kind}+xml"/>`;
  const cell = (name: string, value: number) => `<Cell N="${name}" V="${value}"/>`;
  const shape = `<Shape ID="1" Type="Shape">${cell("PinX", 4)}${cell("PinY", 6)}${cell("Width", 4)}${cell("Height", 2)}${cell("LocPinX", 2)}${cell("LocPinY", 1)}<Section N="Geometry" IX="0"><Row T="MoveTo" IX="1">${cell("X", 0)}${cell("Y", 0)}</Row><Row T="LineTo" IX="2">${cell("X", 4)}${cell("Y", 0)}</Row><Row T="LineTo" IX="3">${cell("X", 4)}${cell("Y", 2)}</Row><Row T="LineTo" IX="4">${cell("X", 0)}${cell("Y", 2)}</Row><Row T="LineTo" IX="5">${cell("X", 0)}${cell("Y", 0)}</Row></Section><Text>${text}</Text></Shape>`;
  return makeZip([
    {
      name: "[Content_Types].xml",
      content: `${xml}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${type("document", "drawing.main")}${type("pages/pages", "pages")}${type("pages/page1", "page")}</Types>`,
    },
    {
      name: "_rels/.rels",
      content: relations(
        `<Relationship Id="r1" Type="http://schemas.microsoft.com/visio/2010/relationships/document" Target="visio/document.xml"/>`,
      ),
    },
    { name: "visio/document.xml", content: `${xml}<VisioDocument ${visioMain}/>` },
    {
      name: "visio/_rels/document.xml.rels",
      content: relations(
        `<Relationship Id="r1" Type="http://schemas.microsoft.com/visio/2010/relationships/pages" Target="pages/pages.xml"/>`,
      ),
    },
    {
      name: "visio/pages/pages.xml",
      content: `${xml}<Pages ${visioMain}><Page ID="0" Name="P"><PageSheet>${cell("PageWidth", 8.5)}${cell("PageHeight", 11)}</PageSheet><Rel r:id="r1"/></Page></Pages>`,
    },
    {
      name: "visio/pages/_rels/pages.xml.rels",
      content: relations(
        `<Relationship Id="r1" Type="http://schemas.microsoft.com/visio/2010/relationships/page" Target="page1.xml"/>`,
      ),
    },
    {
      name: "visio/pages/page1.xml",
      content: `${xml}<PageContents ${visioMain}><Shapes>${shape}</Shapes></PageContents>`,
    },
  ]);
}
