import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findPython } from "#lib/engines/pdf/qpdf-process.ts";
import { launchOptions } from "../../support/chromium.ts";

/** PDFs that other programs write, with bookmarks, links, form fields, tags, page labels and attachments. */

/** A PDF, with the program that has written it and how qpdf has rewritten it. */
export interface PdfOfOthers {
  readonly id: string;
  readonly path: string;
}

/** How qpdf rewrites each file. */
const versions: readonly (readonly [name: string, options: (notes: string) => string[]])[] = [
  ["as written", () => ["--stream-data=preserve", "--object-streams=preserve"]],
  [
    "with object streams and an attachment",
    (notes) => ["--object-streams=generate", "--add-attachment", notes, "--"],
  ],
  ["linearized, with restrictions", () => ["--linearize", "--encrypt", "", "owner", "256", "--"]],
];

/** Makes 21 files in `folder`, in about 5 s. */
export function makePdfsOfOthers(folder: string): PdfOfOthers[] {
  const notes = join(folder, "notes of qpdf.txt");
  writeFileSync(notes, "Notes of qpdf");
  const files: PdfOfOthers[] = [];
  for (const [program, source] of writeSources(folder)) {
    for (const [name, options] of versions) {
      const path = join(folder, `${files.length}.pdf`);
      execFileSync("qpdf", [source, ...options(notes), path]);
      files.push({ id: `${program}, ${name}`, path });
    }
  }
  return files;
}

function writeSources(folder: string): [program: string, path: string][] {
  const [report, letter] = exportFromLibreOffice(folder);
  const page = printFromChromium(folder);
  return [
    ["LibreOffice's form", report],
    ["LibreOffice's letter", letter],
    ["Chromium", page],
    ["Ghostscript", distill(folder, "manual", writeScript(folder))],
    ["Ghostscript after Chromium", distill(folder, "page again", page)],
    ["pikepdf", runPython(folder, "pikepdf", pikepdfProgram)],
    ["ReportLab", runPython(folder, "reportlab", reportlabProgram)],
  ];
}

const namespaces = [
  'office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"',
  'style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"',
  'text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"',
  'draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"',
  'fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"',
  'svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"',
  'form="urn:oasis:names:tc:opendocument:xmlns:form:1.0"',
  'ooo="http://openoffice.org/2004/office"',
].map((namespace) => `xmlns:${namespace}`);

/** A flat text document. A heading of the style `Next` starts a page. */
function makeText(body: string): string {
  const next =
    '<style:style style:name="Next" style:family="paragraph" style:parent-style-name="Heading"><style:paragraph-properties fo:break-before="page"/></style:style>';
  return `<?xml version="1.0"?><office:document ${namespaces.join(" ")} office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.text"><office:automatic-styles>${next}</office:automatic-styles><office:body><office:text>${body}</office:text></office:body></office:document>`;
}

const heading = (text: string, style = "") =>
  `<text:h ${style} text:outline-level="1">${text}</text:h>`;
const next = 'text:style-name="Next"';
const paragraph = (text: string) => `<text:p>${text}</text:p>`;
const place = 'svg:width="5cm" svg:height="1cm" svg:x="1cm" svg:y="3cm"';
const control = (id: string) =>
  paragraph(`<draw:control text:anchor-type="paragraph" draw:control="${id}" ${place}/>`);

const form = `<office:forms><form:form form:name="Form">
<form:text form:name="customer" form:control-implementation="ooo:com.sun.star.form.component.TextField" xml:id="one" form:id="one" form:current-value="Ada"/>
<form:checkbox form:name="agreed" form:control-implementation="ooo:com.sun.star.form.component.CheckBox" xml:id="two" form:id="two" form:current-state="checked"/>
</form:form></office:forms>`;

function exportFromLibreOffice(folder: string): [report: string, letter: string] {
  const texts = {
    report: `${form}${heading("Offer")}${paragraph("Text of the offer")}${control("one")}${heading("Terms", next)}${paragraph("Text of the terms")}${control("two")}`,
    letter: `${heading("Dear")}${paragraph("Text of the letter")}${heading("Enclosed", next)}${paragraph("List")}${heading("Copies", next)}${paragraph("Copies to")}`,
  };
  const sources = Object.entries(texts).map(([name, body]) => {
    const path = join(folder, `${name}.fodt`);
    writeFileSync(path, makeText(body));
    return path;
  });
  const isTrue = { type: "boolean", value: "true" };
  const options = JSON.stringify({ UseTaggedPDF: isTrue, ExportBookmarks: isTrue });
  const profile = `-env:UserInstallation=file://${join(folder, "profile")}`;
  const target = `pdf:writer_pdf_Export:${options}`;
  const args = [profile, "--headless", "--convert-to", target, "--outdir", folder, ...sources];
  execFileSync("soffice", args, { stdio: "ignore" });
  return [join(folder, "report.pdf"), join(folder, "letter.pdf")];
}

function printFromChromium(folder: string): string {
  const page = join(folder, "page.html");
  const output = join(folder, "page.pdf");
  const style = "<style>h1 ~ h1 { break-before: page }</style>";
  const body =
    '<h1>Install</h1><p>Text of installing <a href="#use">use</a></p><h2>Linux</h2><p>Text of Linux</p><h1 id=use>Use</h1><p>Text of using</p>';
  writeFileSync(page, `<!doctype html><html lang=en><title>Manual</title>${style}${body}</html>`);
  const { executablePath = "chromium", args = [] } = launchOptions;
  const options = ["--generate-pdf-document-outline", "--no-pdf-header-footer"];
  const print = [...args, "--headless", ...options, `--print-to-pdf=${output}`, page];
  execFileSync(executablePath, print, { stdio: "ignore" });
  return output;
}

/** Two pages with bookmarks, a link, labels and an attachment. */
function writeScript(folder: string): string {
  const path = join(folder, "manual.ps");
  const script = `%!PS
[/Title (First) /Page 1 /Count 1 /OUT pdfmark
[/Title (Inside) /Page 1 /OUT pdfmark
[/Title (Second) /Page 2 /OUT pdfmark
[/_objdef {notes} /type /stream /OBJ pdfmark
[{notes} (Notes of Ghostscript) /PUT pdfmark
[/Name (notes.txt) /FS << /Type /Filespec /F (notes.txt) /UF (notes.txt) /EF << /F {notes} >> >> /EMBED pdfmark
[{Catalog} << /PageLabels << /Nums [0 << /S /r >> 1 << /S /D >>] >> >> /PUT pdfmark
/Helvetica findfont 24 scalefont setfont
72 700 moveto (Text one) show
[/Rect [72 600 200 620] /Page 2 /View [/Fit] /Subtype /Link /ANN pdfmark
showpage
72 700 moveto (Text two) show showpage
`;
  writeFileSync(path, script);
  return path;
}

function distill(folder: string, name: string, input: string): string {
  const output = join(folder, `${name} of Ghostscript.pdf`);
  execFileSync("gs", ["-q", "-dBATCH", "-dNOPAUSE", "-sDEVICE=pdfwrite", "-o", output, input]);
  return output;
}

function runPython(folder: string, name: string, program: string): string {
  const output = join(folder, `${name}.pdf`);
  mkdirSync(folder, { recursive: true });
  execFileSync(findPython(), ["-c", program, output]);
  return output;
}

const pikepdfProgram = `
import sys
from pikepdf import Array, AttachedFileSpec, Dictionary, Name, OutlineItem, Pdf, String
pdf = Pdf.new()
font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
fields = []
for number in range(1, 4):
    page = pdf.add_blank_page(page_size=(300, 200))
    page.Contents = pdf.make_stream(b"BT /F1 20 Tf 20 100 Td (Text %d) Tj ET" % number)
    page.Resources = Dictionary(Font=Dictionary(F1=font))
    field = Dictionary(Type=Name.Annot, Subtype=Name.Widget, FT=Name.Tx, T=String(f"line{number}"),
        V=String("x"), Rect=Array([10, 10, 90, 30]), P=page.obj, F=4)
    fields.append(pdf.make_indirect(field))
    page.Annots = Array(fields[-1:])
pdf.Root.AcroForm = Dictionary(Fields=Array(fields))
with pdf.open_outline() as outline:
    outline.root.append(OutlineItem("Chapter", 0))
    outline.root[0].children.append(OutlineItem("Section", 1))
    outline.root.append(OutlineItem("End", 2))
pdf.attachments["data.csv"] = AttachedFileSpec(pdf, b"a,b", filename="data.csv")
pdf.save(sys.argv[1])
`;

const reportlabProgram = `
import sys
from reportlab.pdfgen.canvas import Canvas
canvas = Canvas(sys.argv[1], pagesize=(300, 200))
for number in range(1, 4):
    canvas.drawString(20, 150, f"Line {number}")
    canvas.bookmarkPage(f"page{number}")
    canvas.addOutlineEntry(f"Part{number}", f"page{number}", level=number // 3)
    canvas.acroForm.textfield(name=f"city{number}", value="Rome", x=20, y=20, width=90, height=20)
    canvas.linkRect("", "page1", (150, 20, 200, 40))
    canvas.showPage()
canvas.save()
`;
