import { randomBytes } from "node:crypto";
import { expect, inject, it } from "vitest";
import type { Job } from "#lib/jobs/view/job.ts";
import { networkPage } from "#tests/hostile/network-page.ts";
import { makeOpenXml, wordBody } from "#tests/samples/office/office-packages.ts";
import { countRequests } from "#tests/servers/request-counter.ts";
import { createClient } from "#tests/service/http/client.ts";
import { Visitor } from "#tests/service/http/visitor.ts";

const errorOf = async (response: Response) => [
  response.status,
  response.headers.get("x-error-code"),
];

it("a visitor runs an operation on a file and downloads the result, which no one else can see", async () => {
  const visitor = new Visitor();
  const response = await visitor.run("image/qr-code", { text: "https://example.com" });
  expect(response.status).toBe(202);
  const { id } = (await response.json()) as Job; // the service's response
  expect(visitor.setCookies.join()).toMatch(/visitor=[^;]+;.*HttpOnly/i);
  const { job } = await visitor.follow(id);
  expect(job).toMatchObject({ status: "completed", operation: "image/qr-code" });
  const output = await visitor.send(job.outputs[0]?.url ?? "");
  expect(output.headers.get("content-type")).toBe("image/png");
  const archive = await visitor.send(`/try/jobs/${id}/archive`);
  expect(archive.headers.get("content-type")).toBe("application/zip");
  await archive.body?.cancel();
  const hours = (Date.parse(job.outputs[0]?.expires_at ?? "") - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(0.9);
  expect(hours).toBeLessThanOrEqual(1);

  const other = new Visitor();
  expect((await other.send(`/try/jobs/${id}/events`)).status).toBe(404);
  expect((await other.inspect()).status).toBe(202);
  expect((await other.send(`/try/jobs/${id}/events`)).status).toBe(404);
  expect((await (await createClient("free")).request(`/v1/jobs/${id}`)).status).toBe(404);
  // The cookie opens nothing else, and a changed one opens nothing.
  expect((await visitor.send(`/dashboard/api/jobs/${id}/events`)).status).toBe(401);
  expect((await visitor.open("/dashboard")).path).toMatch(/^\/sign-in/);
  const [[name, value] = ["", ""]] = visitor.cookies;
  const forged = new Visitor();
  forged.cookies.set(
    name,
    value.replace(/.$/, (last) => (last === "0" ? "1" : "0")),
  );
  expect((await forged.send(`/try/jobs/${id}/events`)).status).toBe(404);
});

it("visitors send files only, of at most 10 MB, from the home page only", async () => {
  const visitor = new Visitor();
  const file = new File(["some text"], "a.txt");
  const url = inject("host").url;
  expect(
    await errorOf(await visitor.run("pipeline/file-inspect", { input: `${url}/a.txt` })),
  ).toEqual([403, "forbidden"]);
  const webhook_url = "https://example.com/hook";
  expect(await errorOf(await visitor.run("pipeline/file-inspect", { file, webhook_url }))).toEqual([
    403,
    "forbidden",
  ]);
  expect(await errorOf(await visitor.run("audio/transcribe", { file }))).toEqual([
    403,
    "forbidden",
  ]);
  const large = new File([randomBytes(10_000_001)], "large.bin");
  expect(await errorOf(await visitor.inspect(large))).toEqual([413, "too_large"]);
  const init = { headers: { origin: "https://evil.example", "sec-fetch-site": "cross-site" } };
  expect((await visitor.run("pipeline/file-inspect", { file }, init)).status).toBe(403);
  const bare = { headers: { origin: "none at all", "sec-fetch-site": "none at all" } };
  expect((await visitor.run("pipeline/file-inspect", { file }, bare)).status).toBe(403);
});

const template = makeOpenXml("docx", [
  {
    name: "word/document.xml",
    content: wordBody('<w:p><w:r><w:t xml:space="preserve">{%logo}</w:t></w:r></w:p>'),
  },
]);

const textFile = (name: string, text: string) => new File([text], name);

it("the files of a visitor reach no server, in any operation", async () => {
  const host = inject("host").url;
  const base = `${host}/count/visitor`;
  const visitor = new Visitor();
  const html = textFile("a.html", networkPage(base));
  const page = await visitor.finish("document/html-to-pdf", { file: html });
  expect(page).toMatchObject({ status: "completed" });
  expect(page.warnings[0]).toMatch(
    /^Pages have no network access without an account: \d+ resources were not loaded\.$/,
  );
  expect(page.warnings).toContain(
    `The image ${base}/d.png could not be loaded (there is no network access).`,
  );
  const thumbnail = await visitor.finish("pipeline/thumbnail", { file: html });
  expect(thumbnail.warnings[0]).toBe(page.warnings[0]);
  const markdown = textFile("a.md", `![a](${base}/a.png)\n\n<img src="${base}/b.png">`);
  const printed = await visitor.finish("document/markdown-to-pdf", { file: markdown });
  expect(printed.warnings[0]).toMatch(/no network access without an account: 2 resources/);
  const mail = textFile(
    "a.eml",
    `From: a@a.example\r\nTo: b@b.example\r\nSubject: a\r\nContent-Type: text/html\r\n\r\n<img src="${base}/m.png">`,
  );
  const opened = await visitor.finish("document/email-to-pdf", {
    file: mail,
    remote_images: "true",
  });
  expect(opened.warnings[0]).toMatch(/no network access without an account: 1 resource was/);
  const filled = await visitor.finish("document/fill-template", {
    file: new File([new Uint8Array(template)], "a.docx"),
    data: JSON.stringify({ logo: `${base}/logo.png` }),
  });
  expect(filled).toMatchObject({
    status: "failed",
    error_code: "address_refused",
    error: expect.stringContaining("have no network access"),
  });
  expect(await countRequests(host, "visitor")).toBe(0);
});

it("five runs a visitor, and no more of a network address for those who drop their cookie", async () => {
  const visitor = new Visitor();
  const statuses: number[] = [];
  for (let count = 0; count < 6; count++) statuses.push((await visitor.inspect()).status);
  expect(statuses).toEqual([202, 202, 202, 202, 202, 429]);
  let last = await new Visitor().inspect();
  for (let count = 0; count < 20 && last.status !== 429; count++)
    last = await new Visitor().inspect();
  expect(await errorOf(last)).toEqual([429, "rate_limited"]);
  expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(60);
  expect((await last.json()) as object).toMatchObject({
    error: expect.stringContaining("Create a free account"),
  });
});
