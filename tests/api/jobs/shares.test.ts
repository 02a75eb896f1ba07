import { expect, inject, it } from "vitest";
import type { ShareEntry } from "#lib/api/endpoints/shares/share-entry.ts";
import type { Job } from "#lib/jobs/view/job.ts";
import { type InsertedAccount, insertAccount } from "#tests/service/accounts.ts";
import { Client } from "#tests/service/http/client.ts";
import { FormBrowser } from "#tests/service/http/form-browser.ts";

const password = "purple lighthouse 9";

async function signIn(): Promise<{ account: InsertedAccount; browser: FormBrowser }> {
  const account = await insertAccount({ password });
  const browser = new FormBrowser(inject("service").url);
  await browser.signIn(account.email, password);
  return { account, browser };
}

const json = (body: unknown): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

/** A completed job whose request has things that a share must not show. */
async function runSecretJob({ key }: InsertedAccount): Promise<Job> {
  const file = { bytes: "<h1>Report of Ada</h1>", filename: "ada-salary.html" };
  const metadata = JSON.stringify({ customer: "cus_81723" });
  return new Client(key).run("document/html-to-pdf", file, { metadata, page_size: "A5" });
}

/** The paths of the files on a page. */
function filesOf(html: string): string[] {
  return [...new Set(html.match(/\/files\/r\/[0-9A-Za-z]{32}\/(?:input|output)\/0\/[\w.-]+/g))];
}

it("a shared result is public, says nothing of the account, and ends when it is revoked", async () => {
  const { account, browser } = await signIn();
  const job = await runSecretJob(account);
  const path = `/dashboard/api/jobs/${job.id}/shares`;
  const created = await browser.send(path, json({ days: 7, title: "Our <b>report</b>" }));
  expect(created.status).toBe(201);
  const share = (await created.json()) as ShareEntry; // the service's response
  expect(share.url).toMatch(/\/r\/[0-9A-Za-z]{32}$/);
  const { pathname } = new URL(share.url);

  const visitor = new FormBrowser(inject("service").url);
  const page = await visitor.open(pathname);
  expect(page.status).toBe(200);
  expect(page.headers.get("x-robots-tag")).toBe("noindex, nofollow");
  expect(page.html).toMatch(/<meta name="robots" content="noindex, nofollow"/);
  expect(page.html).toContain('<meta property="og:title" content="Our &lt;b&gt;report&lt;/b&gt;"');
  expect(page.html).toContain("og:image");
  expect(page.html).toContain("page_size");
  for (const secret of [account.email, account.key, job.id, "acc_", "ada-salary", "cus_81723"]) {
    expect(page.html).not.toContain(secret);
  }
  const files = filesOf(page.html);
  expect(files.map((file) => file.replace(/.*\//, "")).sort()).toEqual([
    "original.html",
    "result.pdf",
  ]);
  // The first page of the PDF as a JPEG.
  const card = pathname.replace("/r/", "/files/r/").concat("/card.jpg");
  expect(page.html).toContain(`${card}"`);
  const drawn = await visitor.send(card);
  expect([drawn.status, drawn.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
  expect(Buffer.from(await drawn.arrayBuffer()).subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
  const statuses = () =>
    Promise.all(
      [pathname, card, ...files].map(async (one) => {
        const response = await visitor.send(one);
        await response.body?.cancel();
        return response.status;
      }),
    );
  expect(await statuses()).toEqual([200, 200, 200, 200]);
  const output = await visitor.send(files.find((file) => file.endsWith(".pdf")) ?? "");
  expect(output.headers.get("content-disposition")).toContain('filename="result.pdf"');
  expect(output.headers.get("x-robots-tag")).toBe("noindex");
  expect((await output.text()).slice(0, 5)).toBe("%PDF-");

  const other = await signIn();
  const revoke = (by: FormBrowser) =>
    by.send(`/dashboard/api/shares/${share.id}`, {
      method: "DELETE",
      headers: { origin: inject("service").url, "sec-fetch-site": "same-origin" },
    });
  expect((await revoke(other.browser)).status).toBe(404);
  expect((await other.browser.send(path)).status).toBe(404);
  expect(await statuses()).toEqual([200, 200, 200, 200]);
  expect(await (await browser.send(path)).json()).toEqual({ shares: [share] });
  expect((await revoke(browser)).status).toBe(204);
  expect(await statuses()).toEqual([404, 404, 404, 404]);
  expect(await (await browser.send(path)).json()).toEqual({ shares: [] });
});

it("a share has the chosen name, can leave out the input, and ends with the files of its job", async () => {
  const { account, browser } = await signIn();
  const job = await runSecretJob(account);
  const path = `/dashboard/api/jobs/${job.id}/shares`;
  const options = { days: 30, filename: "Q3 report", with_input: false };
  const share = (await (await browser.send(path, json(options))).json()) as ShareEntry; // the service's response
  const filesUntil = Date.parse(job.outputs[0]?.expires_at ?? "");
  expect(Date.parse(share.expires_at)).toBeGreaterThan(filesUntil);
  const { pathname } = new URL(share.url);
  const files = pathname.replace("/r/", "/files/r/");
  expect((await browser.send(`${files}/output/0/Q3%20report.pdf`)).status).toBe(200);
  expect((await browser.send(`${files}/input/0/original.html`)).status).toBe(404);
  expect((await browser.open(pathname)).html).not.toContain("/input/0/");

  await new Client(account.key).request(`/v1/jobs/${job.id}`, { method: "DELETE" });
  expect((await browser.send(`${files}/output/0/Q3%20report.pdf`)).status).toBe(404);
  expect((await browser.open(pathname)).status).toBe(404);
});

it.each([
  [{ days: 8 }, "days"],
  [{ days: 7, filename: "a/b" }, "filename"],
  [{ days: 7, title: "x".repeat(101) }, "title"],
  [{ days: 7, token: "x" }, "token"],
])("rejects a share with %j", async (body, field) => {
  const { account, browser } = await signIn();
  const path = `/dashboard/api/jobs/job_${"0".repeat(24)}/shares`;
  const response = await browser.send(path, json(body));
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(field)]);
  expect((await new Client(account.key).request(path)).status).toBe(401);
});
