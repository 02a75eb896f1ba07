import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { makePdf } from "#tests/samples/metadata.ts";
import { makeObjectStreamPdf, makePdfBytes, pdfStream } from "#tests/samples/pdf/pdf-bytes.ts";
import { videoFolder } from "#tests/samples/videos.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import type { BadInput } from "../bad-input.ts";
import { zlibBomb } from "./deflate-bomb.ts";

/** Bad inputs: damaged, encrypted and malicious PDFs. */

const flate = "/Filter /FlateDecode";
const tree = "<< /Type /Catalog /Pages 2 0 R >>";
const onePage = "<< /Type /Pages /Kids [3 0 R] /Count 1 >>";
const page = (more = "") => `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] ${more} >>`;

/** A PDF with one page. `more` is added to the catalog, the page and the objects. */
const simple = (more: { catalog?: string; page?: string; objects?: (string | Buffer)[] } = {}) =>
  makePdfBytes({
    objects: [
      `<< /Type /Catalog /Pages 2 0 R ${more.catalog ?? ""} >>`,
      onePage,
      page(more.page),
      ...(more.objects ?? []),
    ],
  });

function encrypted(user: string): string {
  const from = join(videoFolder(), "open.pdf");
  const to = join(videoFolder(), `locked-${user}.pdf`);
  writeFileSync(from, makePdf());
  execProgram("qpdf", ["--encrypt", user, "owner", "256", "--", from, to]);
  return to;
}

/** A PDF whose page tree refers to these object numbers. */
function pages(numbers: readonly number[]): Buffer {
  const kids = numbers.map((number) => `${number} 0 R`).join(" ");
  const node = `<< /Type /Pages /Count ${numbers.length} /Kids [${kids}] >>`;
  const distinct = new Set(numbers);
  return makePdfBytes({ objects: [tree, node, ...Array.from(distinct, () => page())] });
}

/** Zeros, deflated `times` times: each inflation grows them a thousandfold. */
function nested(times: number): Buffer {
  let data: Buffer = zlibBomb(16);
  for (let level = 1; level < times; level++) data = deflateSync(data);
  return data;
}

type Build = BadInput["build"];
const row =
  (...expected: BadInput["expected"]) =>
  (id: string, build: Build, more: Partial<BadInput> = {}): BadInput => ({
    id,
    type: "pdf",
    build,
    expected,
    ...more,
  });

const fine = row("completes");
const corrupt = row("corrupt");
const failing = row("out_of_memory", "corrupt", "timed_out");
/** Depends on how much of the file a reader reads. */
const mayFail = row("completes", "corrupt", "too_complex");
/** Operations that only read the pages, with poppler, which inflates streams as far as it needs them. */
const readers = ["document/pdf-to-text", "document/pdf-to-images", "document/thumbnail"];
const forReaders = (expected: BadInput["expected"]): BadInput["expectedFor"] =>
  Object.fromEntries(readers.map((id) => [id, expected]));
const modest = { maxEngineBytes: 3 * 2 ** 30 };

export const badPdfs: readonly BadInput[] = [
  corrupt("garbage after the header", () => Buffer.from("%PDF-1.7\ngarbage")),
  corrupt("only a header", () => Buffer.from("%PDF-1.7\n")),
  mayFail("a truncated PDF", () => makePdf().subarray(0, 700)),
  fine("a PDF with other data before and after it", () =>
    Buffer.concat([Buffer.from("<html>\n"), makePdf("and more")]),
  ),
  fine("a PDF without a cross-reference table", () => {
    const text = makePdf().toString("latin1");
    const table = text.indexOf("xref\n0");
    const trailer = text.indexOf("trailer");
    return Buffer.from(text.slice(0, table) + text.slice(trailer), "latin1");
  }),
  row("encrypted")("a user password", () => encrypted("user"), {
    expectedFor: { "pipeline/strip-metadata": ["encrypted"] },
  }),
  fine("an owner password", () => encrypted(""), {
    expectedFor: {
      "document/protect-pdf": ["encrypted"],
      "document/sign-pdf": ["encrypted"],
      "document/verify-signatures": ["encrypted"],
    },
  }),
  failing(
    "an object stream that inflates to 1 GB",
    () => makeObjectStreamPdf(flate, (content) => zlibBomb(1024, content)),
    {
      ...modest,
      isCostly: true,
      expectedFor: forReaders(["completes", "out_of_memory", "corrupt", "timed_out"]),
    },
  ),
  // Less than the engines' memory, so that each one that an operation uses inflates it.
  fine(
    "an object stream that inflates to 64 MB",
    () => makeObjectStreamPdf(flate, (content) => zlibBomb(64, content)),
    { ...modest, isCostly: true },
  ),
  mayFail(
    "an object stream deflated ten times",
    () => makeObjectStreamPdf(`/Filter [${"/FlateDecode ".repeat(10)}]`, () => nested(10)),
    modest,
  ),
  mayFail(
    "a page that inflates to 64 MB",
    () => simple({ page: "/Contents 4 0 R", objects: [pdfStream(flate, zlibBomb(64))] }),
    modest,
  ),
  mayFail(
    "a page deflated twenty times",
    () => {
      const filter = `/Filter [${"/FlateDecode ".repeat(20)}]`;
      return simple({ page: "/Contents 4 0 R", objects: [pdfStream(filter, nested(20))] });
    },
    modest,
  ),
  mayFail("a page tree that contains itself", () =>
    makePdfBytes({ objects: [tree, "<< /Type /Pages /Kids [2 0 R 2 0 R 1 0 R] /Count 3 >>"] }),
  ),
  mayFail("a page that is its own parent", () =>
    makePdfBytes({ objects: [tree, onePage, "<< /Type /Page /Parent 3 0 R >>"] }),
  ),
  mayFail("objects that refer to themselves", () =>
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
  mayFail("a cross-reference table that is its own predecessor", () =>
    makePdfBytes({ objects: [tree, onePage, page()], trailer: "/Prev 0 /XRefStm 9" }),
  ),
  mayFail("a million nested arrays", () => simple({ page: `/X ${"[".repeat(1_000_000)}` })),
  mayFail("a million nested dictionaries", () =>
    simple({ page: `/X ${"<</A".repeat(1_000_000)}` }),
  ),
  mayFail(
    "20,000 damaged objects, each with a message of its own",
    () => simple({ objects: Array.from({ length: 20_000 }, () => "<< /Broken ) >>") }),
    modest,
  ),
  mayFail("a page tree of 5,000 levels", () => {
    const depth = 5000;
    const nodes = Array.from(
      { length: depth },
      (_, index) => `<< /Type /Pages /Kids [${index + 3} 0 R] /Count 1 /Parent ${index + 1} 0 R >>`,
    );
    return makePdfBytes({ objects: [tree, ...nodes, page()] });
  }),
  mayFail("a cross-reference table that declares 2³¹ objects", () =>
    makePdfBytes({ objects: [tree, onePage, page()], size: 2 ** 31 - 1 }),
  ),
  mayFail("a reference to object 2³¹", () =>
    simple({ page: "/Contents 2147483647 0 R /X 99999999999999999999 0 R" }),
  ),
  mayFail("the same page 100,000 times", () => pages(Array.from({ length: 100_000 }, () => 3)), {
    ...modest,
    isCostly: true,
  }),
  fine("100,000 pages", () => pages(Array.from({ length: 100_000 }, (_, index) => index + 3)), {
    ...modest,
    isSlow: true,
    expectedFor: {
      "document/pdf-to-images": ["completes", "too_complex"],
      "document/ocr": ["too_complex"],
    },
  }),
  fine("a page of 14,400²", () => simple({ page: "/MediaBox [0 0 14400 14400]" }), {
    expectedFor: { "document/pdf-to-images": ["completes", "too_complex"] },
  }),
  mayFail("a page with an invalid size", () => simple({ page: "/MediaBox [1e38 -1e38 (a) null]" })),
  fine("scripts, launch actions, forms and attachments", ({ url, secretFile }) =>
    simple({
      catalog:
        "/OpenAction 4 0 R /AA << /WC 4 0 R >> /Names << /JavaScript << /Names [(a) 4 0 R] >> /EmbeddedFiles << /Names [(b) 8 0 R] >> >> /AcroForm << /XFA 7 0 R >>",
      page: "/AA << /O 5 0 R >> /Annots [6 0 R]",
      objects: [
        `<< /S /JavaScript /JS (app.launchURL\\("${url}"\\)) /Next 5 0 R >>`,
        `<< /S /Launch /F (${secretFile}) /Win << /F (cmd.exe) /P (/c calc) >> >>`,
        `<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /SubmitForm /F << /FS /URL /F (${url}/form) >> >> >>`,
        pdfStream("", `<x:xdp xmlns:x="a"><template href="${url}/xfa"/></x:xdp>`),
        "<< /Type /Filespec /F (../../run.exe) /EF << /F 9 0 R >> >>",
        pdfStream("/Type /EmbeddedFile", "MZ"),
      ],
    }),
  ),
  mayFail("streams in external files", ({ url, secretFile }) =>
    simple({
      catalog: "/Metadata 5 0 R",
      page: "/Contents 4 0 R",
      objects: [
        pdfStream(`/F (${secretFile})`, ""),
        pdfStream(`/Type /Metadata /F << /FS /URL /F (${url}/a) >>`, ""),
      ],
    }),
  ),
];
