import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import {
  Chromiumly,
  HtmlConverter,
  HtmlScreenshot,
  LibreOffice,
  MarkdownConverter,
  MarkdownScreenshot,
  PDFEngines,
  UrlConverter,
  UrlScreenshot,
} from "chromiumly";
import {
  adjust,
  convert,
  gotenberg,
  html,
  markdown,
  merge,
  office,
  pipe,
  please,
  set,
  url as urlOf,
} from "gotenberg-js-client";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { python } from "#scripts/commands/clients/python-wheel.ts";
import { pythonWithWheels } from "#tests/clients/python-wheels.ts";
import { makeDocx } from "#tests/samples/office/word.ts";
import { makeRichPdf } from "#tests/samples/pdf/rich-pdf.ts";
import { createClient } from "#tests/service/http/client.ts";

/** Clients of Gotenberg as their registries have them, with the URL of the service instead of Gotenberg's. */

const { url: service } = inject("service");
const run = promisify(execFile);
const page = "<h1>Hello</h1>";
const template = '{{ toHTML "a.md" }}';
let folder: string;
let pageUrl: string;
let key: string;
const path = (name: string) => join(folder, name);

beforeAll(async () => {
  ({ key } = await createClient());
  const host = inject("host");
  pageUrl = `${host.url}/gotenberg-client.html`;
  folder = await mkdtemp(join(tmpdir(), "gotenberg-clients-"));
  const pdf = makeRichPdf({ pages: 1 });
  await Promise.all([
    writeFile(join(host.folder, "gotenberg-client.html"), page),
    writeFile(path("page.html"), page),
    writeFile(path("template.html"), template),
    writeFile(path("a.md"), "# Hello"),
    writeFile(path("a.docx"), makeDocx(["Hello"])),
    writeFile(path("a.pdf"), pdf),
    writeFile(path("b.pdf"), pdf),
  ]);
});

afterAll(() => rm(folder, { recursive: true }));

/** The type of a file by its first bytes. */
function typeOf(bytes: Buffer): string {
  if (bytes.subarray(0, 5).toString() === "%PDF-") return "pdf";
  return bytes.subarray(1, 4).toString() === "PNG" ? "png" : "unknown";
}

it("chromiumly", async () => {
  Chromiumly.configure({ endpoint: service, username: "gotenberg", password: key });
  const pdfs = [
    await new HtmlConverter().convert({ html: path("page.html") }),
    await new UrlConverter().convert({ url: pageUrl }),
    await new MarkdownConverter().convert({
      html: path("template.html"),
      markdown: [{ file: path("a.md"), name: "a.md" }],
    }),
    await LibreOffice.convert({ files: [{ data: await readFile(path("a.docx")), ext: "docx" }] }),
    await PDFEngines.merge({ files: [path("a.pdf"), path("b.pdf")] }),
  ];
  expect(pdfs.map(typeOf)).toEqual(["pdf", "pdf", "pdf", "pdf", "pdf"]);
  const images = [
    await new HtmlScreenshot().capture({ html: path("page.html") }),
    await new UrlScreenshot().capture({ url: pageUrl }),
    await new MarkdownScreenshot().capture({
      html: path("template.html"),
      markdown: [{ file: path("a.md"), name: "a.md" }],
    }),
  ];
  expect(images.map(typeOf)).toEqual(["png", "png", "png"]);
});

it("gotenberg-js-client, with the paths of the routes as base URLs", async () => {
  const options = { headers: { Authorization: `Bearer ${key}` } };
  const to = (group: string) => gotenberg(`${service}/forms/${group}`, options);
  const chromium = to("chromium");
  const documents = { "a.docx": `file://${path("a.docx")}` };
  const screenshot = { url: `${service}/forms/chromium/screenshot/html` };
  const answers = [
    await pipe(chromium, convert, html, please)(page),
    // The field for the address of the page has another name since Gotenberg 7.
    await pipe(chromium, convert, urlOf, set({ url: pageUrl } as object), please)(pageUrl),
    await pipe(
      chromium,
      convert,
      markdown,
      please,
    )({ "index.html": template, "a.md": `file://${path("a.md")}` }),
    await pipe(
      to("libreoffice"),
      convert,
      office,
      adjust({ url: `${service}/forms/libreoffice/convert` }),
      please,
    )(documents),
    await pipe(
      to("pdfengines"),
      merge,
      please,
    )({ "a.pdf": `file://${path("a.pdf")}`, "b.pdf": `file://${path("b.pdf")}` }),
    await pipe(chromium, convert, html, adjust(screenshot), please)(page),
  ];
  const types = await Promise.all(answers.map(async (stream) => typeOf(await buffer(stream))));
  expect(types).toEqual(["pdf", "pdf", "pdf", "pdf", "pdf", "png"]);
});

const program = `
import sys
from pathlib import Path
from gotenberg_client import GotenbergClient

service, key, page_url, folder = sys.argv[1:]
files = Path(folder)
with GotenbergClient(service, auth=("gotenberg", key), http2=False) as client:
    chromium = client.chromium
    template = files / "template.html"
    routes = [
        (chromium.html_to_pdf(), lambda route: route.index(files / "page.html")),
        (chromium.url_to_pdf(), lambda route: route.url(page_url)),
        (chromium.markdown_to_pdf(), lambda route: route.index(template).markdown_file(files / "a.md")),
        (client.libre_office.to_pdf(), lambda route: route.convert(files / "a.docx")),
        (client.merge.merge(), lambda route: route.merge([files / "a.pdf", files / "b.pdf"])),
        (chromium.screenshot_html(), lambda route: route.index(files / "page.html")),
        (chromium.screenshot_url(), lambda route: route.url(page_url)),
        (chromium.screenshot_markdown(), lambda route: route.index(template).resource(files / "a.md")),
    ]
    for opened, prepare in routes:
        with opened as route:
            response = prepare(route).run()
        kind = {b"%PDF": "pdf", b"\\x89PNG": "png"}.get(response.content[:4], "unknown")
        print(kind, flush=True)
`;

it("gotenberg-client of Python", async () => {
  const args = ["-c", program, service, key, pageUrl, folder];
  const { stdout } = await run(python, args, { env: await pythonWithWheels() });
  const [pdf, png] = ["pdf", "png"];
  expect(stdout.trim().split("\n")).toEqual([pdf, pdf, pdf, pdf, pdf, png, png, png]);
});
