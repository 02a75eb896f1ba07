import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { closeChromium } from "#lib/engines/chromium/chromium.ts";
import { closeLibreOffice } from "#lib/engines/libreoffice/libreoffice.ts";
import { processPath } from "#lib/engines/sandbox/folder/process-folder.ts";
import { closeWorkerPool } from "#lib/engines/worker/pool.ts";
import { emailToPdf } from "#lib/operations/document/email-to-pdf/index.ts";
import { makeMsg } from "#tests/samples/office/msg.ts";
import { allowed } from "#tests/samples/pages.ts";
import { readLinks, readPdf, renderPdf } from "#tests/samples/pdf/pdf.ts";
import { runOperation } from "#tests/support/operation.ts";

afterAll(() => Promise.all([closeWorkerPool(), closeChromium(), closeLibreOffice()]));

const project = join(import.meta.dirname, "../../../..");
const offer = readFileSync(join(project, "public/samples/inputs/offer.eml"));
const invoice = readFileSync(join(project, "tests/corpus/markdown/invoice.pdf"));
let samples = 0;

async function print(
  content: Buffer | string,
  params: Record<string, unknown> = {},
  type: "eml" | "msg" = "eml",
) {
  const path = join(processPath("mails"), `${++samples}.${type}`);
  mkdirSync(processPath("mails"), { recursive: true });
  writeFileSync(path, content);
  const run = await runOperation(emailToPdf, { path, type }, params);
  return { ...run, path: run.outputs[0]?.path ?? "" };
}

const head = "From: a@example.com\nTo: b@example.com\nSubject: Test\nMIME-Version: 1.0\n";
const html = (body: string) => `${head}Content-Type: text/html; charset=utf-8\n\n${body}`;

interface Part {
  readonly type: string;
  readonly name?: string;
  readonly content: Buffer | string;
}

/** An e-mail with a text and attachments in base64. */
function withParts(...parts: readonly Part[]): string {
  const encoded = parts.map(({ type, name, content }) => {
    const disposition = name ? `Content-Disposition: attachment; filename="${name}"\n` : "";
    const isMail = type === "message/rfc822";
    const encoding = isMail ? "" : "Content-Transfer-Encoding: base64\n";
    const body = isMail ? `${content}` : Buffer.from(content).toString("base64");
    return `--cut\nContent-Type: ${type}\n${disposition}${encoding}\n${body}\n`;
  });
  const text = "--cut\nContent-Type: text/plain\n\nThe text.\n";
  return `${head}Content-Type: multipart/mixed; boundary=cut\n\n${text}${encoded.join("")}--cut--\n`;
}

it("the sample has its header, body, inline picture, links and the pages of its attachments", async () => {
  const { path, outputs, result, warnings } = await print(offer);
  const { text } = readPdf(path);
  expect(text).toMatch(/^Offer: opening clip for the harbour festival From Nora Lindqvist <nora@/);
  for (const shown of [
    "山田花子 <hanako@",
    "16 Sep 2026 10:42:00 +0200",
    "Season report.docx (",
    "Filming 3 9 October",
  ]) {
    expect(text).toContain(shown);
  }
  // The pages of the report and of the table follow.
  expect(text).toMatch(/Kind regards.*Season report.*What was shot.*Scouting/);
  expect(outputs[0]?.pages).toBe(4);
  expect(readLinks(path)).toContain("https://lakeside-pictures.example/reel");
  expect(execFileSync("pdfimages", ["-list", "-l", "1", path], { encoding: "utf8" })).toContain(
    "image",
  );
  execFileSync("qpdf", ["--check", path]);
  expect(warnings).toEqual([]);
  expect(result).toMatchObject({
    subject: "Offer: opening clip for the harbour festival",
    attachments: [
      { name: "Season report.docx", type: "docx", action: "appended" },
      { name: "days.csv", type: "csv", action: "appended" },
    ],
  });
});

describe("attachments", () => {
  const mail = withParts(
    { type: "application/pdf", name: "invoice.pdf", content: invoice },
    { type: "application/octet-stream", name: "data.xyz", content: Buffer.from([0, 1, 2, 255]) },
    { type: "application/pdf", name: "broken.pdf", content: "%PDF-1.7 nothing" },
    {
      type: "message/rfc822",
      content: `From: c@example.com\nSubject: Forwarded\nContent-Type: text/plain; charset=koi8-r\nContent-Transfer-Encoding: quoted-printable\n\n=F0=D2=C9=D7=C5=D4`,
    },
  );

  it("are appended; what has no pages or is damaged is embedded, with a warning", async () => {
    const { path, warnings, outputs } = await print(mail);
    const { text, pages } = readPdf(path);
    expect([pages, outputs[0]?.pages]).toEqual([3, 3]);
    expect(text).toMatch(/The text\. Invoice 2026-031.*Forwarded From c@example\.com Привет$/);
    expect(warnings).toEqual([
      "The attachment “data.xyz” has no pages, so it is embedded as a file.",
      "The attachment “broken.pdf” cannot be converted, so it is embedded as a file.",
    ]);
    const embedded = execFileSync("pdfdetach", ["-list", path], { encoding: "utf8" });
    expect(embedded).toMatch(
      /2 embedded files[\s\S]*data\.xyz[\s\S]*broken\.pdf|2 embedded files[\s\S]*broken\.pdf[\s\S]*data\.xyz/,
    );
  });

  it("are embedded by any name", async () => {
    const content = Buffer.from([0, 1, 2, 255]);
    const type = "application/octet-stream";
    const { path } = await print(
      withParts({ type, name: "木 (1.xyz", content }, { type, name: "b).xyz", content }),
    );
    expect(execFileSync("qpdf", ["--check", path], { encoding: "utf8" })).toContain("No syntax");
    const embedded = execFileSync("pdfdetach", ["-list", path], { encoding: "utf8" });
    expect(embedded).toMatch(/1: b\)\.xyz\n2: 木 \(1\.xyz/);
  });

  it("are extracted as outputs", async () => {
    const { path, outputs } = await print(mail, { attachments: "extract" });
    expect(readPdf(path).pages).toBe(1);
    const rest = outputs.slice(1);
    expect(rest.map(({ suffix, extension }) => `${suffix}.${extension}`)).toEqual([
      "-attachment-1.pdf",
      "-attachment-2.xyz",
      "-attachment-3.pdf",
      "-attachment-4.eml",
    ]);
    expect(readFileSync(rest[0]?.path ?? "").equals(invoice)).toBe(true);
  });

  it("are only listed", async () => {
    const { path, outputs } = await print(mail, { attachments: "ignore" });
    expect(outputs).toHaveLength(1);
    expect(readPdf(path).text).toContain("Attachments invoice.pdf (");
  });
});

describe("remote pictures", () => {
  const picture = () =>
    html(`<p>still</p><img width=600 height=800 src="${allowed.url}/pages/red.png">`);
  const isRed = (path: string) => {
    const { pixels } = renderPdf(path);
    return pixels.some((value, at) => at % 3 === 0 && value > 240 && (pixels[at + 1] ?? 255) < 20);
  };

  it("are left out, with a warning", async () => {
    const before = allowed.requests.length;
    const { path, warnings } = await print(picture());
    expect([isRed(path), readPdf(path).text]).toEqual([false, expect.stringContaining("still")]);
    expect(allowed.requests).toHaveLength(before);
    expect(warnings).toEqual(["Pictures at URLs were left out. Set `remote_images` to load them."]);
  });

  it("are loaded if they are asked for", async () => {
    const { path, warnings } = await print(picture(), { remote_images: true });
    expect([isRed(path), warnings]).toEqual([true, []]);
  });
});

it("scripts, styles from elsewhere and redirects of an e-mail do nothing", async () => {
  const before = allowed.requests.length;
  const { url } = allowed;
  const { path } = await print(
    html(
      `<meta http-equiv=refresh content="0;url=${url}/r"><style>@import "${url}/a.css"; h1 { display: none } p { background: url(${url}/b.png) }</style><p>still</p><script>document.body.textContent = "EVIL"</script><svg onload="document.body.textContent='EVIL'"><image href="${url}/c.png"/></svg><iframe srcdoc="EVIL"></iframe>`,
    ),
  );
  expect(readPdf(path).text).toBe("Test From a@example.com To b@example.com still");
  expect(allowed.requests).toHaveLength(before);
});

it.each([
  ["Hebrew", "text/plain; charset=windows-1255", Buffer.from("f9ece5ed", "hex"), /שלום|םולש/],
  [
    "Japanese",
    "text/plain; charset=iso-2022-jp",
    Buffer.from("1b2442467c4b5c1b2842", "hex"),
    /日本/,
  ],
  ["flowed text", "text/plain; charset=utf-8; format=flowed", Buffer.from("one \ntwo"), /one two/],
])("%s", async (_, type, body, text) => {
  const mail = Buffer.concat([Buffer.from(`${head}Content-Type: ${type}\n\n`), body]);
  expect(readPdf((await print(mail)).path).text).toMatch(text);
});

it("an MSG file has header, HTML with an inline picture, and attachments", async () => {
  const logo = readFileSync(join(project, "public/samples/inputs/logo.png"));
  const msg = makeMsg({
    subject: "Größe 港",
    from: ["Zoë", "zoe@example.com"],
    to: [["Office", "office@example.org"]],
    cc: [["Ann", "ann@example.org"]],
    html: `<p>Hello <b>there</b></p><img src="cid:logo1" width=200>`,
    attachments: [
      { name: "logo.png", content: logo, mime: "image/png", contentId: "logo1" },
      { name: "invoice.pdf", content: invoice },
    ],
  });
  const { path, result } = await print(msg, {}, "msg");
  const { text, pages } = readPdf(path);
  expect(text).toMatch(
    /^Größe 港 From Zoë <zoe@example\.com> To Office <office@.*Cc Ann <ann@.*Date .*14 Sep 2026/,
  );
  expect(text).toMatch(/Attachments invoice\.pdf \(26 kB\) Hello there.*Invoice 2026-031/);
  expect(pages).toBe(2);
  expect(execFileSync("pdfimages", ["-list", "-l", "1", path], { encoding: "utf8" })).toContain(
    "image",
  );
  expect(result?.attachments).toMatchObject([{ name: "invoice.pdf", action: "appended" }]);
});

it.each(["eml", "msg"] as const)("a damaged %s file is corrupt", async (type) => {
  const content = type === "eml" ? "" : Buffer.from("d0cf11e0a1b11ae1", "hex");
  await expect(print(content, {}, type)).rejects.toMatchObject({ code: "corrupt" });
});
