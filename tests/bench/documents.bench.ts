import { execFile } from "node:child_process";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { PDFDocument } from "@cantoo/pdf-lib";
import sharp from "sharp";
import type { Operation } from "#lib/operations/define.ts";
import { makePages } from "#tests/samples/pdf/drawn-pdf.ts";
import { startBareChromium } from "./engines/bare-engines.ts";
import { type Input, runHere } from "./engines/run-here.ts";
import { type BenchRow, makeRow, timed } from "./report/rows.ts";

/**
 * Documents of many pages: page operations on 2,000 pages against qpdf, 100 invoices of one template
 * against a warm headless shell, and the size of a compressed scan.
 */

const run = promisify(execFile);

const pageCount = 2000;
const maxSeconds = 10;

/** One row of the service and one of the other tool, whose first runs are not counted. */
async function compare(
  row: string,
  side: string,
  service: () => Promise<unknown>,
  other: () => Promise<unknown>,
): Promise<BenchRow[]> {
  const values: Record<"service" | "other", number[]> = { service: [], other: [] };
  for (let round = 0; round < 4; round++) {
    const ours = await timed(service);
    const theirs = await timed(other);
    if (round === 0) continue;
    values.service.push(ours.value / 1000);
    values.other.push(theirs.value / 1000);
  }
  return [
    makeRow(row, "service", "s", values.service, { target: { max: maxSeconds } }),
    makeRow(row, side, "s", values.other),
  ];
}

async function comparePages(folder: string): Promise<BenchRow[]> {
  const path = join(folder, "pages.pdf");
  const pages = Array.from({ length: pageCount }, (_, index) => ({
    box: [0, 0, 595, 842] as const,
    lines: Array.from({ length: 30 }, (_, line) => ({
      text: `Page ${index + 1}, line ${line + 1}`,
      x: 60,
      y: 780 - 24 * line,
    })),
  }));
  await writeFile(path, makePages(pages));
  const [{ mergePdf }, { splitPdf }, { extractPages }, { reorderPages }, { rotatePdf }] =
    await Promise.all([
      import("#lib/operations/document/merge-pdf/index.ts"),
      import("#lib/operations/document/split-pdf/index.ts"),
      import("#lib/operations/document/extract-pages/index.ts"),
      import("#lib/operations/document/reorder-pages/index.ts"),
      import("#lib/operations/document/rotate-pdf/index.ts"),
    ]);
  const file: Input = { path, type: "pdf" };
  const output = join(folder, "out.pdf");
  const qpdf = (...args: string[]) => run("qpdf", args);
  const order = `${pageCount}-1`;
  const from = (range: string) => ["--empty", "--pages", path, range, "--", output];
  const cases: [string, Operation, Input[], Record<string, unknown>, () => Promise<unknown>][] = [
    [
      "merge two files",
      mergePdf,
      [file, file],
      {},
      () => qpdf("--empty", "--pages", path, path, "--", output),
    ],
    [
      "split every 100 pages",
      splitPdf,
      [file],
      { every: 100 },
      () => qpdf("--split-pages=100", path, join(folder, "part-%d.pdf")),
    ],
    [
      "extract every page but the first",
      extractPages,
      [file],
      { pages: "2-2000" },
      () => qpdf(...from("2-z")),
    ],
    ["reverse", reorderPages, [file], { order }, () => qpdf(...from("z-1"))],
    ["rotate", rotatePdf, [file], { angle: 90 }, () => qpdf(path, "--rotate=+90", output)],
  ];
  const rows: BenchRow[] = [];
  for (const [name, operation, inputs, params, other] of cases) {
    rows.push(
      ...(await compare(
        `${operation.id}, ${pageCount.toLocaleString("en")} pages: ${name}`,
        "qpdf",
        () => runHere(operation, inputs, params),
        other,
      )),
    );
  }
  return rows;
}

const invoiceCount = 100;

const invoice = `<!doctype html><style>td { border: 1px solid #999; padding: 4px }</style>
<h1>Invoice {{ number }}</h1><p>{{ customer }}</p><table>{% for item in items %}
<tr><td>{{ item.title }}<td>{{ item.price | currency: "EUR" }}</tr>{% endfor %}</table>`;

async function compareInvoices(folder: string): Promise<BenchRow[]> {
  const { templateToPdf } = await import("#lib/operations/document/template-to-pdf/index.ts");
  const template = join(folder, "invoice.html");
  const page = join(folder, "page.html");
  const item = { title: "Trail map, waterproof", price: 9.5 };
  const data = Array.from({ length: invoiceCount }, (_, index) => ({
    number: `2026-${index}`,
    customer: "Nordwind Outdoor GmbH",
    items: Array.from({ length: 10 }, () => item),
  }));
  await writeFile(template, invoice);
  await writeFile(page, `<h1>Invoice</h1><table>${"<tr><td>Trail map<td>9.50".repeat(10)}</table>`);
  const bare = await startBareChromium(page);
  try {
    return await compare(
      `document/template-to-pdf, ${invoiceCount} invoices`,
      "a warm headless shell in a loop",
      () => runHere(templateToPdf, [{ path: template, type: "html" }], { data }),
      () => bare.repeat(invoiceCount),
    );
  } finally {
    await bare.close();
  }
}

/** A scan of noisy pages of about 20 MB. */
async function makeScan(path: string): Promise<void> {
  const document = await PDFDocument.create();
  const text = (page: number) =>
    Array.from(
      { length: 40 },
      (_, line) =>
        `<tspan x="200" y="${250 + 70 * line}">Page ${page}, line ${line}: the order of the lake house</tspan>`,
    );
  for (let page = 1; page <= 23; page++) {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="2480" height="3508"><rect width="100%" height="100%" fill="#f4f1e8"/><text font-family="serif" font-size="44">${text(page).join("")}</text></svg>`;
    const noise = await sharp({
      create: {
        width: 2480,
        height: 3508,
        channels: 3,
        background: "#888",
        noise: { type: "gaussian", mean: 128, sigma: 12 },
      },
    })
      .png()
      .toBuffer();
    const picture = await sharp(Buffer.from(svg))
      .composite([{ input: noise, blend: "soft-light" }])
      .jpeg({ quality: 92 })
      .toBuffer();
    document
      .addPage([595, 842])
      .drawImage(await document.embedJpg(picture), { x: 0, y: 0, width: 595, height: 842 });
  }
  await writeFile(path, await document.save());
}

async function measureScan(folder: string): Promise<BenchRow[]> {
  const { compressPdf } = await import("#lib/operations/document/compress-pdf/index.ts");
  const path = join(folder, "scan.pdf");
  await makeScan(path);
  const { size } = await stat(path);
  const { bytes } = await runHere(compressPdf, [{ path, type: "pdf" }], { quality: "medium" });
  const row = `document/compress-pdf, a scan of ${(size / 1e6).toFixed(0)} MB at medium`;
  return [makeRow(row, "size of the result", "%", (100 * bytes) / size, { target: { max: 33 } })];
}

export default {
  title: "documents",
  async run(): Promise<BenchRow[]> {
    const folder = await mkdtemp(join(tmpdir(), "mediamill-documents-"));
    process.env.DATA_DIR = join(folder, "data");
    process.env.LOG_LEVEL = "warn";
    try {
      const { closeEngines, warmUpEngines } = await import("#lib/engines/index.ts");
      await warmUpEngines();
      const rows = [
        ...(await comparePages(folder)),
        ...(await compareInvoices(folder)),
        ...(await measureScan(folder)),
      ];
      await closeEngines();
      return rows;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
