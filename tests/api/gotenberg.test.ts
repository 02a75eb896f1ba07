import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { makeTestImage } from "#tests/samples/images/images.ts";
import { makeDocx } from "#tests/samples/office/word.ts";
import { makeRichPdf } from "#tests/samples/pdf/rich-pdf.ts";
import { type Client, createClient } from "#tests/service/http/client.ts";
import { waitUntil } from "#tests/support/processes.ts";

/** Each route of Gotenberg's API once, on the port of the service. */

const { url } = inject("service");
const pdf = makeRichPdf({ pages: 2 });
const html = Buffer.from("<link rel=stylesheet href=style.css><h1>Größe</h1><p>Text</p>");
let client: Client & { readonly key: string };

beforeAll(async () => {
  client = await createClient();
});

type Part = readonly [field: string, content: string | Buffer, filename?: string];

function post(path: string, parts: readonly Part[], headers: Record<string, string> = {}) {
  const form = new FormData();
  for (const [field, content, filename] of parts) {
    if (filename === undefined) form.append(field, String(content));
    else form.append(field, new Blob([new Uint8Array(Buffer.from(content))]), filename);
  }
  const key = { "X-API-Key": client.key };
  return fetch(`${url}/forms/${path}`, {
    method: "POST",
    body: form,
    headers: { ...key, ...headers },
  });
}

/** The path of a PDF response. */
async function savePdf(response: Response): Promise<string> {
  expect(response.status, await response.clone().text()).toBe(200);
  const folder = await mkdtemp(join(tmpdir(), "gotenberg-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "answer.pdf");
  await writeFile(path, Buffer.from(await response.arrayBuffer()));
  return path;
}

async function countPages(response: Response): Promise<number> {
  const path = await savePdf(response);
  return Number(execFileSync("qpdf", ["--show-npages", path]).toString());
}

/** The words of each page, without spaces. */
async function readTexts(response: Response): Promise<string[]> {
  const text = execFileSync("pdftotext", [await savePdf(response), "-"]).toString();
  return text
    .replaceAll(/[^\S\f]/g, "")
    .split("\f")
    .slice(0, -1);
}

async function readRotations(response: Response): Promise<number[]> {
  const args = ["-l", "-1", await savePdf(response)];
  const info = execFileSync("pdfinfo", args).toString();
  return [...info.matchAll(/ rot: +(\d+)/g)].map(([, rotation]) => Number(rotation));
}

const page: Part[] = [
  ["files", html, "index.html"],
  ["files", "h1 { page-break-after: always }", "style.css"],
];
const one: Part[] = [["files", pdf, "a.pdf"]];
const both: Part[] = [...one, ["files", pdf, "b.pdf"]];

describe("routes that answer with a PDF", () => {
  it.each<[string, Part[], number]>([
    ["chromium/convert/html", page, 2],
    [
      "chromium/convert/markdown",
      [
        ["files", '{{ toHTML "a.md" }}', "index.html"],
        ["files", "# A", "a.md"],
      ],
      1,
    ],
    ["pdfengines/merge", [...both, ["watermarkSource", "text"], ["watermarkExpression", "A"]], 4],
    ["pdfengines/flatten", one, 2],
    ["pdfengines/rotate", [...one, ["rotateAngle", "90"]], 2],
    ["pdfengines/optimize", one, 2],
    ["pdfengines/convert", [...one, ["pdfa", "PDF/A-2b"], ["pdfua", "true"]], 2],
    ["pdfengines/encrypt", [...one, ["ownerPassword", "o"], ["allowCopying", "false"]], 2],
    ["pdfengines/metadata/write", [...one, ["metadata", '{"Author":"A"}']], 2],
    ["pdfengines/bookmarks/write", [...one, ["bookmarks", '[{"title":"A","page":1}]']], 2],
    ["pdfengines/embed", [...one, ["embeds", "<a/>", "a.xml"]], 2],
    ["pdfengines/stamp", [...one, ["stampSource", "pdf"], ["stamp", pdf, "stamp.pdf"]], 2],
    ["pdfengines/split", [...one, ["splitMode", "pages"], ["splitSpan", "1"]], 1],
    [
      "pdfengines/factur-x",
      [...one, ["facturxXml", "<a/>", "a.xml"], ["facturxConformanceLevel", "BASIC"]],
      2,
    ],
  ])("%s", async (path, parts, pages) => {
    expect(await countPages(await post(path, parts))).toBe(pages);
  });

  it("pages are selected as pdfcpu does", async () => {
    const five = makeRichPdf({ pages: 5 });
    const parts: Part[] = [["files", five, "a.pdf"]];
    const split: Part[] = [
      ["splitMode", "pages"],
      ["splitUnify", "true"],
    ];
    const span = (text: string) =>
      post("pdfengines/split", [...parts, ...split, ["splitSpan", text]]);
    const texts = async (pages: string) => (await readTexts(await span(pages))).join();
    expect(await texts("odd,!1")).toMatch(/^Page3[^P]*,Page5[^P]*$/);
    expect(await texts("-l-3,l")).toMatch(/^Page1[^P]*,Page2[^P]*,Page5[^P]*$/);
    const rotation: Part[] = [
      ["rotateAngle", "90"],
      ["rotatePages", "l-1-"],
    ];
    const rotated = await post("pdfengines/rotate", [...parts, ...rotation]);
    expect(await readRotations(rotated)).toEqual([0, 0, 0, 90, 90]);
    const stamp: Part[] = [
      ["stampSource", "text"],
      ["stampExpression", "Z"],
    ];
    const stamped = await post("pdfengines/stamp", [...parts, ...stamp, ["stampPages", "1-,n4"]]);
    const marked = (await readTexts(stamped)).map((text) => text.includes("Z"));
    expect(marked).toEqual([true, true, true, false, true]);
    const refused = await post("pdfengines/stamp", [...parts, ...stamp, ["stampPages", "x"]]);
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining("form field 'stampPages' is invalid (got 'x', resulting to"),
    ]);
  });

  it("libreoffice/convert, which merges all that has pages", async () => {
    const image = await makeTestImage({ width: 8, height: 8 }).png().toBuffer();
    const parts: Part[] = [
      ["files", makeDocx(["Hello"]), "a.docx"],
      ["files", image, "b.png"],
      ["files", "<h1>Web page</h1>", "c.html"],
      ["files", pdf, "d.pdf"],
      ["merge", "true"],
    ];
    expect(await countPages(await post("libreoffice/convert", parts))).toBe(5);
  });
});

it("a screenshot is an image of the requested format and name", async () => {
  const headers = { "Gotenberg-Output-Filename": "größe", "Gotenberg-Trace": "trace-1" };
  const parts: Part[] = [...page, ["format", "jpeg"], ["clip", "true"]];
  const response = await post("chromium/screenshot/html", parts, {
    ...headers,
    "Gotenberg-Output-Filename": Buffer.from("größe").toString("latin1"),
  });
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "image/jpeg",
    "content-disposition": expect.stringContaining("filename*=UTF-8''gr%C3%B6%C3%9Fe.jpeg"),
    "gotenberg-trace": "trace-1",
  });
});

it("takes empty files of a page, and fields of files that have none", async () => {
  const parts: Part[] = [
    ["files", html, "index.html"],
    ["files", "", "style.css"],
    ["files", "", ""],
    ["embeds", "", ""],
  ];
  expect(await countPages(await post("chromium/convert/html", parts))).toBe(1);
});

it("takes an empty download as an empty file of the form", async () => {
  const { url: host, folder } = inject("host");
  await writeFile(join(folder, "gotenberg-empty.css"), "");
  const downloadFrom = JSON.stringify([{ url: `${host}/gotenberg-empty.css` }]);
  const parts: Part[] = [
    ["files", html, "index.html"],
    ["downloadFrom", downloadFrom],
  ];
  expect(await countPages(await post("chromium/convert/html", parts))).toBe(1);
});

it("several files are a ZIP, and metadata and bookmarks are JSON", async () => {
  const split: Part[] = [...one, ["splitMode", "intervals"], ["splitSpan", "1"]];
  const zip = await post("pdfengines/split", split);
  expect(zip.headers.get("content-type")).toBe("application/zip");
  const bytes = Buffer.from(await zip.arrayBuffer()).toString("latin1");
  expect(bytes).toContain("a_0.pdf");
  expect(bytes).toContain("a_1.pdf");
  const metadata = await post("pdfengines/metadata/read", both);
  expect(await metadata.json()).toMatchObject({ "a.pdf": { Title: "Rich" }, "b.pdf": {} });
  const bookmarks = await post("pdfengines/bookmarks/read", one);
  expect(await bookmarks.json()).toMatchObject({ "a.pdf": [{ title: "Start", page: 1 }] });
});

it("a webhook gets the result, and then an event", async () => {
  const hook = (name: string) => `${inject("host").url}/hook/${name}-${process.pid}/200`;
  const response = await post("pdfengines/merge", both, {
    "Gotenberg-Webhook-Url": hook("gotenberg-result"),
    "Gotenberg-Webhook-Events-Url": hook("gotenberg-event"),
  });
  expect(response.status).toBe(204);
  const received = async (name: string) => (await fetch(hook(name))).json();
  await waitUntil(async () => (await received("gotenberg-event")).length > 0);
  const [result] = await received("gotenberg-result");
  expect(result).toMatchObject({ headers: { "content-type": "application/pdf" } });
  expect(result.body).toMatch(/^%PDF/);
  const [event] = await received("gotenberg-event");
  expect(JSON.parse(event.body)).toMatchObject({ event: "webhook.success" });
});

it("a page by URL is fetched through the guard", async () => {
  const { url: host, folder } = inject("host");
  await writeFile(join(folder, "gotenberg.html"), html);
  const allowed = await post("chromium/convert/url", [["url", `${host}/gotenberg.html`]]);
  expect(await countPages(allowed)).toBe(1);
  const refused = await post("chromium/convert/url", [["url", "http://127.0.0.1:9/"]]);
  expect([refused.status, await refused.text()]).toEqual([403, "Forbidden"]);
});

it("takes the key as header, bearer token or password, and no other", async () => {
  const parts: Part[] = [...one, ["rotateAngle", "90"]];
  const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
  const statusWith = async (headers: Record<string, string>) =>
    (await post("pdfengines/rotate", parts, { "X-API-Key": "", ...headers })).status;
  expect(await statusWith({ Authorization: `Bearer ${client.key}` })).toBe(200);
  expect(await statusWith({ Authorization: basic(`gotenberg:${client.key}`) })).toBe(200);
  expect(await statusWith({ Authorization: basic("gotenberg:wrong") })).toBe(401);
  expect(await statusWith({})).toBe(401);
});

it("errors are Gotenberg's texts", async () => {
  const answer = async (path: string, parts: Part[]) => {
    const response = await post(path, parts);
    return [response.status, await response.text()];
  };
  expect(await answer("pdfengines/merge", [["x", "y"]])).toEqual([
    400,
    "Invalid form data: no form file found for extensions: [.pdf]",
  ]);
  expect(await answer("pdfengines/rotate", [...one, ["rotateAngle", "45"]])).toEqual([
    400,
    "Invalid form data: form field 'rotateAngle' is invalid (got '45', resulting to wrong value, expected 90, 180, or 270)",
  ]);
  expect(
    await answer("libreoffice/convert", [["files", Buffer.from([0, 1, 2, 3]), "a.docx"]]),
  ).toEqual([
    400,
    "LibreOffice could not read the document 'a.docx'. Ensure the file is not corrupted and that its extension matches its actual format.",
  ]);
  expect(
    await answer("pdfengines/merge", [...one, ["files", "no PDF", "b.pdf"], ["flatten", "true"]]),
  ).toEqual([
    400,
    "Invalid form data: form file 'b.pdf' is invalid (its content is not a PDF, but plain text)",
  ]);
  expect(await answer("chromium/convert/html", [...page, ["waitForSelector", "#none"]])).toEqual([
    503,
    "The request exceeded the time limit. Increase it with --api-timeout, or reduce the workload.",
  ]);
  expect(await answer("pdfengines/merge", [...one, ["files", "", "b.pdf"]])).toEqual([
    400,
    "Invalid form data: form file 'b.pdf' is invalid (its content is not a PDF, but empty)",
  ]);
  expect(await answer("chromium/convert/html", [["files", "", "index.html"]])).toEqual([
    400,
    "Invalid form data: form file 'index.html' is invalid (it is empty)",
  ]);
  expect(await answer("pdfengines/embed", [...one, ["embeds", "", "a.xml"]])).toEqual([
    400,
    "Invalid form data: form file 'a.xml' is invalid (it is empty)",
  ]);
  expect(await answer("chromium/convert/url", [["url", "no url"]])).toEqual([
    400,
    "Invalid URL: 'no url' is not complete",
  ]);
  const bookmarks = JSON.stringify([{ title: "Start", page: 0 }]);
  expect(await answer("pdfengines/bookmarks/write", [...one, ["bookmarks", bookmarks]])).toEqual([
    400,
    "Invalid form data: form field 'bookmarks[0].page' must be an integer from 1 to 100000.",
  ]);
  const rotation: Part[] = [
    ["rotateAngle", "90"],
    ["rotatePages", "1,3-"],
  ];
  expect((await post("pdfengines/rotate", [...one, ...rotation])).status).toBe(200);
  expect(
    await answer("pdfengines/rotate", [...one, ["rotateAngle", "90"], ["rotatePages", "3-"]]),
  ).toEqual([
    400,
    "Invalid form data: form field 'rotatePages' does not match any page of the document, which has 2 pages.",
  ]);
  const noForm = await fetch(`${url}/forms/pdfengines/merge`, {
    method: "POST",
    body: "{}",
    headers: { "X-API-Key": client.key, "Content-Type": "application/json" },
  });
  expect(noForm.status).toBe(415);
});

it.each(["", "a.pdf"])(
  "a form that ends within a part with the file name %j is an error",
  async (name) => {
    const part = `Content-Disposition: form-data; name="files"; filename="${name}"`;
    const response = await fetch(`${url}/forms/pdfengines/merge`, {
      method: "POST",
      body: `--x\r\n${part}\r\nContent-Type: application/octet-stream\r\n\r\nabc`,
      headers: { "X-API-Key": client.key, "Content-Type": "multipart/form-data; boundary=x" },
    });
    expect([response.status, await response.text()]).toEqual([
      400,
      "Malformed body: it does not match the 'Content-Type' header boundaries",
    ]);
  },
);

it("each call is a job, and is in the log of requests", async () => {
  const response = await post("pdfengines/flatten", one);
  expect(response.status).toBe(200);
  const { jobs } = await (await client.request("/v1/jobs?operation=document/flatten-pdf")).json();
  expect(jobs[0]).toMatchObject({ status: "completed", operation: "document/flatten-pdf" });
});
