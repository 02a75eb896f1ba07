import { z } from "zod";
import { execProgram } from "../zygote/exec-program.ts";
import { once } from "./pdf.ts";
import { makePdfBytes, pdfStream } from "./pdf-bytes.ts";

/** PDFs with bookmarks, links, form fields, tags, page labels and an attachment, and how to read them. */

export interface RichPdf {
  readonly pages: number;
  /** The word before the number of each page. */
  readonly text?: string;
  /** The entries that are added to each page. */
  readonly page?: (index: number) => string;
  readonly info?: string;
  readonly catalog?: string;
}

/**
 * Each page has its number as text, links to the first page (by its object) and to the last one (by its
 * name), and a text field `name` with a widget on all pages as well as a field of its own. The bookmarks
 * are `Start`, with one for each page below it, and `Web`. Labels: i, ii, 1, 2 …
 */
export function makeRichPdf({
  pages,
  text = "Page",
  page: more = () => "",
  info = "/Title (Rich)",
  catalog = "",
}: RichPdf): Buffer {
  const firstPage = 20;
  const perPage = 8;
  const at = (index: number) => firstPage + index * perPage;
  const list = (write: (index: number) => string) =>
    Array.from({ length: pages }, (_, index) => write(index)).join(" ");
  const objects: (string | Buffer)[] = [
    "<< /Type /Catalog /Pages 2 0 R /Outlines 4 0 R /AcroForm 7 0 R /Names << /Dests 8 0 R /EmbeddedFiles 9 0 R >>" +
      " /PageLabels << /Nums [0 << /S /r >> 2 << /S /D >>] >> /StructTreeRoot 12 0 R /MarkInfo << /Marked true >>" +
      ` /Lang (en) /OpenAction [${at(0)} 0 R /Fit] ${catalog} >>`,
    `<< /Type /Pages /Kids [${list((index) => `${at(index)} 0 R`)}] /Count ${pages} /MediaBox [0 0 300 200] /Resources << /Font << /F1 3 0 R >> >> >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    "<< /Type /Outlines /First 5 0 R /Last 6 0 R /Count 2 >>",
    `<< /Title (Start) /Parent 4 0 R /Next 6 0 R /Dest (first) /First ${at(0) + 2} 0 R /Last ${at(pages - 1) + 2} 0 R /Count ${-pages} /C [1 0 0] >>`,
    "<< /Title (Web) /Parent 4 0 R /Prev 5 0 R /A << /S /URI /URI (https://example.com/) >> >>",
    `<< /Fields [11 0 R ${list((index) => `${at(index) + 4} 0 R`)}] /DR << /Font << /Helv 3 0 R >> >> /DA (/Helv 12 Tf 0 g) /CO [${at(0) + 4} 0 R ${at(pages - 1) + 4} 0 R] >>`,
    `<< /Names [(first) [${at(0)} 0 R /Fit] (last) << /D [${at(pages - 1)} 0 R /XYZ 0 200 0] >>] >>`,
    "<< /Names [(notes.txt) 10 0 R] >>",
    "<< /Type /Filespec /F (notes.txt) /UF (notes.txt) /EF << /F 13 0 R >> >>",
    `<< /FT /Tx /T (name) /V (Ada) /Kids [${list((index) => `${at(index) + 3} 0 R`)}] >>`,
    `<< /Type /StructTreeRoot /K 14 0 R /ParentTree << /Nums [${list((index) => `${index} [${at(index) + 5} 0 R]`)}] >> /ParentTreeNextKey ${pages} /RoleMap << /Para /P >> >>`,
    pdfStream("/Type /EmbeddedFile", `Notes of ${text}`),
    `<< /Type /StructElem /S /Document /P 12 0 R /K [${list((index) => `${at(index) + 5} 0 R`)}] >>`,
    info === "" ? "null" : `<< ${info} >>`,
    ...Array.from({ length: 4 }, () => "null"),
  ];
  for (let index = 0; index < pages; index++) {
    const content = `/P << /MCID 0 >> BDC BT /F1 24 Tf 20 100 Td (${text} ${index + 1}) Tj ET EMC`;
    const self = at(index);
    const last = at(pages - 1);
    const item = (step: number) => `${self + 2 + step * perPage} 0 R`;
    objects.push(
      `<< /Type /Page /Parent 2 0 R /Contents ${self + 1} 0 R /StructParents ${index} /Annots [${self + 3} 0 R ${self + 4} 0 R ${self + 6} 0 R ${self + 7} 0 R] ${more(index)} >>`,
      pdfStream("", content),
      `<< /Title (${text} ${index + 1}) /Parent 5 0 R /Dest [${self} 0 R /XYZ 0 200 0] ${index > 0 ? `/Prev ${item(-1)}` : ""} ${index < pages - 1 ? `/Next ${item(1)}` : ""} >>`,
      `<< /Type /Annot /Subtype /Widget /Parent 11 0 R /Rect [10 10 90 30] /P ${self} 0 R >>`,
      `<< /Type /Annot /Subtype /Widget /FT /Tx /T (field${index + 1}) /V (${index + 1}) /Rect [100 10 190 30] /P ${self} 0 R >>`,
      `<< /Type /StructElem /S /Para /P 14 0 R /Pg ${self} 0 R /K [0] >>`,
      `<< /Type /Annot /Subtype /Link /Rect [10 40 90 60] /Dest [${at(0)} 0 R /Fit] >>`,
      `<< /Type /Annot /Subtype /Link /Rect [100 40 190 60] /A << /S /GoTo /D (last) >> >>`,
    );
    if (last < self) throw new Error("a page is after the last one");
  }
  return makePdfBytes({ objects, trailer: info === "" ? "" : "/Info 15 0 R" });
}

interface Outline {
  readonly title: string;
  readonly destpageposfrom1: number | null;
  readonly kids: readonly Outline[];
}

const outlineSchema: z.ZodType<Outline> = z.lazy(() =>
  z.object({
    title: z.string(),
    destpageposfrom1: z.number().nullable(),
    kids: z.array(outlineSchema),
  }),
);

const objectSchema = z.object({ value: z.unknown() }).partial();

const jsonSchema = z.object({
  outlines: z.array(outlineSchema),
  acroform: z.object({
    fields: z.array(
      z.object({ fullname: z.string(), pageposfrom1: z.number(), value: z.unknown() }),
    ),
  }),
  attachments: z.record(z.string(), z.unknown()),
  pages: z.array(z.object({ object: z.string() })),
  pagelabels: z.array(z.object({ index: z.number(), label: z.record(z.string(), z.unknown()) })),
  qpdf: z.tuple([z.unknown(), z.record(z.string(), objectSchema)]),
});

/** Titles and pages of bookmarks, as `title>page` with those below in brackets. */
function formatOutline(items: readonly Outline[]): string {
  return items
    .map(({ title, destpageposfrom1, kids }) => {
      const below = kids.length > 0 ? `[${formatOutline(kids)}]` : "";
      return `${title}>${destpageposfrom1 ?? "-"}${below}`;
    })
    .join(" ");
}

/**
 * What qpdf finds in a PDF, which must be valid without warnings; and what poppler finds, which reads it when the text, the
 * tags, the links or the named destinations are asked for.
 */
export function readRichPdf(path: string) {
  execProgram("qpdf", ["--check", path]);
  const keys = ["outlines", "acroform", "attachments", "pages", "pagelabels", "qpdf"];
  const args = ["--json=2", ...keys.map((key) => `--json-key=${key}`), path];
  const output = execProgram("qpdf", args, { encoding: "utf8" });
  const { outlines, acroform, attachments, pages, pagelabels, qpdf } = jsonSchema.parse(
    JSON.parse(output),
  );
  const value = (name: unknown) =>
    typeof name === "string" ? (qpdf[1][`obj:${name}`]?.value ?? name) : name;
  const dict = (name: unknown) => z.record(z.string(), z.unknown()).catch({}).parse(value(name));
  const array = (name: unknown) => z.array(z.unknown()).catch([]).parse(value(name));
  const pageOf = (destination: unknown) =>
    pages.findIndex(({ object }) => object === array(destination)[0]) + 1;
  const poppler = (command: string, option: string, ...more: string[]) =>
    execProgram(command, [option, path, ...more], { encoding: "utf8" });
  const named = once(() => {
    const rows = poppler("pdfinfo", "-dests")
      .split("\n")
      .map((row) => /^\s*(\d+) \[.*\] "(.*)"$/.exec(row));
    return new Map(rows.map((match) => [match?.[2] ?? "", Number(match?.[1])]));
  });
  const { "/Root": root } = dict(qpdf[1].trailer?.value);
  /** Named destinations as PDF 1.1 has them, which pdfinfo does not list. */
  const { "/Dests": oldDests } = dict(root);
  const pageOfName = (name: string) => {
    const target = dict(oldDests)[name];
    return target === undefined ? named().get(name.slice(2)) : pageOf(dict(target)["/D"] ?? target);
  };
  const links = once(() =>
    pages.map(({ object }) =>
      array(dict(object)["/Annots"])
        .map(dict)
        .filter((annotation) => annotation["/Subtype"] === "/Link")
        .map((link) => link["/Dest"] ?? dict(link["/A"])["/D"])
        .map((target) =>
          typeof value(target) === "string" ? pageOfName(String(value(target))) : pageOf(target),
        ),
    ),
  );
  const text = once(() => poppler("pdftotext", "-layout", "-").split("\f").slice(0, -1));
  const tags = once(() => [...poppler("pdfinfo", "-struct-text").matchAll(/^ *"(.+)"$/gm)]);
  return {
    get text() {
      return text().map((page) => page.trim());
    },
    outlines: formatOutline(outlines),
    fields: acroform.fields.map(({ fullname, pageposfrom1 }) => `${fullname}@${pageposfrom1}`),
    attachments: Object.keys(attachments),
    labels: pagelabels.map(({ index, label }) => [index, label["/S"], label["/St"] ?? 1]),
    /** The pages that the links of each page lead to; 0 for one that is not there. */
    get links() {
      return links();
    },
    get named() {
      return [...named().keys()].filter((name) => name !== "");
    },
    /** The texts of the tags. */
    get tags() {
      return tags().map((match) => match[1]?.trim());
    },
    objects: Object.keys(qpdf[1]).length,
  };
}
