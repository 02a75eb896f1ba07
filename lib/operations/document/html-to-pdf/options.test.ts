import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { allowed, otherHost, printPage } from "#tests/samples/pages.ts";
import { readPdf } from "#tests/samples/pdf/pdf.ts";
import { findViolations } from "#tests/samples/pdf/pdf-a.ts";

const page = () => ({ url: `${allowed.url}/` });

describe("wait_for", () => {
  const late = `<p id=p>early</p><script>setTimeout(() => { p.innerHTML = "<b class=done>late</b>" }, 400)</script>`;

  it.each([
    [undefined, "early"],
    [".done", "late"],
    [600, "late"],
    ["600", undefined],
    ["p[", undefined],
  ])("%s", async (wait_for, text) => {
    const printed = printPage(late, wait_for === undefined ? {} : { wait_for });
    if (text) expect(readPdf((await printed).path).text).toBe(text);
    else await expect(printed).rejects.toThrow(/selector/);
  });
});

it("a page that draws in animation frames is printed as drawn", async () => {
  const draw = `<script>let frame = 0; const draw = () => { if (++frame === 3) document.body.innerHTML = "<p id=drawn>drawn</p>"; else requestAnimationFrame(draw) }; requestAnimationFrame(draw)</script>`;
  const { path } = await printPage(draw, { wait_for: "#drawn" });
  expect(readPdf(path).text).toBe("drawn");
});

describe("wait_for_expression", () => {
  const late = `<p id=p>early</p><script>window.isReady = null; setTimeout(() => { p.textContent = "late"; isReady = true }, 400)</script>`;

  it.each([
    ["window.isReady", "late"],
    ["Promise.resolve(window.isReady)", "late"],
    [`p.textContent === "late" && (0, eval)("let x = 1; x === 1")`, "late"],
    ["window.isReady.now", /failed/],
    ["window.other", /undefined/],
    ["p.childNodes.length", /neither true nor false/],
    ["p", /neither true nor false/],
    ["window", /neither true nor false/],
    ["Symbol()", /neither true nor false/],
  ])("%s", async (wait_for_expression, expected) => {
    const printed = printPage(late, { wait_for_expression });
    if (typeof expected === "string") expect(readPdf((await printed).path).text).toBe(expected);
    else await expect(printed).rejects.toThrow(expected);
  });
});

describe("credentials", () => {
  const html = () =>
    `<p>x</p><img src=/own.png><img src="${otherHost()}/other.png"><img src="/redirect-to/${encodeURIComponent(`${otherHost()}/hop.png`)}">`;
  const secrets = {
    user_agent: "Reader/1.0",
    headers: { Authorization: "Bearer abc" },
    cookies: [
      { name: "own", value: "1" },
      { name: "other", value: "2", domain: "localhost" },
      { name: "elsewhere", value: "3", path: "/elsewhere" },
    ],
  };

  it("are sent to their own host only", async () => {
    await printPage(html(), secrets, page());
    const { headers } = allowed;
    expect(headers.get("/own.png")).toMatchObject({
      authorization: "Bearer abc",
      cookie: "own=1",
      "user-agent": "Reader/1.0",
    });
    for (const path of ["/other.png", "/hop.png"]) {
      expect(headers.get(path)?.["user-agent"]).toBe("Reader/1.0");
      expect(headers.get(path)?.authorization).toBeUndefined();
      expect(headers.get(path)?.cookie ?? "other=2").toBe("other=2");
    }
  });

  it("headers with a scope are sent to every URL that it matches, and to no other", async () => {
    const scope = "^https?://([a-z0-9-]+\\.)*localhost:\\d+/other|/redirect-to/";
    const headers = { "X-Own": "1", "X-Scoped": { value: "2", scope } };
    await printPage(html(), { headers }, page());
    expect(allowed.headers.get("/other.png")).toMatchObject({ "x-scoped": "2" });
    expect(allowed.headers.get("/other.png")).not.toHaveProperty("x-own");
    expect(allowed.headers.get("/own.png")).toMatchObject({ "x-own": "1" });
    for (const path of ["/own.png", "/hop.png"]) {
      expect(allowed.headers.get(path)).not.toHaveProperty("x-scoped");
    }
    expect(allowed.headers.get("/hop.png")).not.toHaveProperty("x-own");
  });

  it("are not sent to the host that a page was redirected to", async () => {
    await printPage(html(), secrets, { ...page(), requestedUrl: `${otherHost()}/` });
    expect(allowed.headers.get("/own.png")).not.toHaveProperty("authorization");
    expect(allowed.headers.get("/own.png")?.cookie).toBeUndefined();
  });

  it("the scopes of all headers have at most 2,048 characters", async () => {
    const scopes = ["c".repeat(1024), "d".repeat(1024), "e"];
    const headers = Object.fromEntries(
      scopes.map((scope) => [`X-${scope[0]}`, { value: "a", scope }]),
    );
    const message = "must have scopes with at most 2048 characters in total";
    await expect(printPage("", { headers })).rejects.toMatchObject({ issues: [{ message }] });
  });

  it.each([
    { headers: { Host: "a" } },
    { headers: { "a b": "c" } },
    { headers: { a: "b\r\nc: d" } },
    { headers: { a: { value: "b", scope: "(?=a)" } } },
    { cookies: [{ name: "a", value: "b; c=d" }] },
    { cookies: [{ name: "a", value: "b", domain: "a/b" }] },
    { user_agent: "a\nb" },
    { fail_on_status: "200" },
    { pdf_metadata: { producer: "x" } },
    { pdf_a: "2a" },
  ])("%j is rejected", async (params) => {
    await expect(printPage("", params)).rejects.toMatchObject({ name: "ZodError" });
  });
});

describe("changes of the page", () => {
  it("css, hide and javascript apply, in this order", async () => {
    const html = `<style>p { color: red }</style><p>one</p><div class=a>two</div><div id=b>three</div>`;
    const { path, warnings } = await printPage(html, {
      css: "p::after { content: ' styled' }",
      hide: [".a", "#b, .c"],
      javascript:
        "const all = getComputedStyle(document.getElementById('b')).display; await 0; document.body.append(all)",
    });
    expect(readPdf(path).text).toBe("one styled none");
    expect(warnings).toEqual([]);
  });

  it("code that fails is a warning", async () => {
    const { path, warnings } = await printPage("<p>one</p>", { javascript: "missing()" });
    expect(warnings).toEqual(["`javascript` failed: ReferenceError: missing is not defined."]);
    expect(readPdf(path).text).toBe("one");
  });

  it("media selects the styles", async () => {
    const html = `<style>@media print { .s { display: none } } @media screen { .p { display: none } }</style><p class=s>screen</p><p class=p>print</p>`;
    expect(readPdf((await printPage(html)).path).text).toBe("print");
    expect(readPdf((await printPage(html, { media: "screen" })).path).text).toBe("screen");
  });
});

describe("block_cookie_banners", () => {
  const folder = join(import.meta.dirname, "../../../../tests/samples/banners");
  const banner = /cookies|reject|deny|allow|got it|notwendige/i;

  it.each(readdirSync(folder))("hides the banner of %s", async (name) => {
    const html = readFileSync(join(folder, name));
    const params = { media: "screen", block_cookie_banners: true };
    const text = readPdf((await printPage(html, params)).path).text.replace("Cookie-Hinweise", "");
    expect(text).toContain("sails come back one by one.");
    expect(text).not.toMatch(banner);
  });

  it("the banners are there without it", async () => {
    const { path } = await printPage(readFileSync(join(folder, "own-banner.html")));
    expect(readPdf(path).text).toMatch(banner);
  });
});

describe("resources", () => {
  const html = `<p>x</p><img src="/missing.png?key=secret"><link rel=stylesheet href=/gone.css><img src=https://cdn.doubleclick.net/a.png><ins class=adsbygoogle>ad</ins>`;

  it("that are missing are warnings, without the values of their queries", async () => {
    const { warnings = [] } = await printPage(html, { block_ads: true }, page());
    expect(warnings.toSorted()).toEqual([
      `The image ${allowed.url}/missing.png?key= could not be loaded (status 404).`,
      `The style sheet ${allowed.url}/gone.css could not be loaded (status 404).`,
    ]);
  });

  it("and the space of ads is hidden", async () => {
    const { path, warnings } = await printPage(`${html}<img src=a.png>`, { block_ads: true });
    expect(readPdf(path).text).toBe("x");
    expect(warnings).toContain("The image a.png could not be loaded.");
  });

  it("fail the job with fail_on_status", async () => {
    const failing = printPage(html, { fail_on_status: "500-599,404" }, page());
    await expect(failing).rejects.toMatchObject({
      code: "fetch_failed",
      message: expect.stringMatching(
        /^The servers of some resources responded with errors: (?=.*style sheet \S+\/gone.css \(status 404\)).*image \S+\/missing.png\?key= \(status 404\)/,
      ),
    });
    const missing = printPage("<link rel=stylesheet href=gone.css>", { fail_on_missing: true });
    await expect(missing).rejects.toThrow("Some resources got no response: style sheet gone.css.");
    await printPage(html, { fail_on_status: "5xx" }, page());
  });
});

describe("the PDF", () => {
  const html = `<title>Name</title><h1>First</h1><div style="height:3000px;width:300px;background:#00f"></div><h2>Last</h2>`;

  it("has one page as high as the content, with the margins", async () => {
    const { path } = await printPage(html, { single_page: true, margin: "10mm", scale: 0.5 });
    const { pages, height, text } = readPdf(path);
    expect({ pages, text }).toEqual({ pages: 1, text: "First Last" });
    // 3,000 pixels and both headings at half size, in points.
    expect(height).toBeGreaterThan(1125 + 56);
    expect(height).toBeLessThan(1125 + 56 + 75);
    await expect(
      printPage(`<div style="height:30000px">`, { single_page: true }),
    ).rejects.toMatchObject({ code: "too_complex" });
  });

  it("has an outline, tags and properties", async () => {
    const pdf_metadata = { title: "Tïtle 😀", author: "A (b)", keywords: "x, y" };
    const { path } = await printPage(html, { pdf_metadata });
    const facts = execFileSync("pdfinfo", ["-enc", "UTF-8", path]).toString();
    expect(facts).toMatch(/Title: +Tïtle 😀\n/);
    expect(facts).toMatch(/Keywords: +x, y\nAuthor: +A \(b\)\n/);
    expect(facts).toMatch(/CreationDate: +\w{3}/);
    expect(facts).toMatch(/Tagged: +yes/);
    execFileSync("qpdf", ["--check", path]);
    const plain = (await printPage(html, { outline: false, tagged: false })).path;
    expect(execFileSync("pdfinfo", [plain]).toString()).toMatch(/Tagged: +no/);
    const outline = (file: string) =>
      execFileSync("qpdf", ["--json", "--json-key=outlines", file]).toString();
    expect(outline(path)).toContain("Last");
    expect(outline(plain)).not.toContain("Last");
  });

  it.each(["1b", "2b", "3b"])("PDF/A-%s, with its properties and bookmarks", async (pdf_a) => {
    const html = "<title>Title</title><h1>First</h1><p>Grüße 你好</p>";
    const { path, outputs, warnings } = await printPage(html, {
      pdf_a,
      pdf_metadata: { author: "Anna" },
    });
    expect(findViolations(path, pdf_a)).toEqual([]);
    expect(outputs[0]?.pages).toBe(1);
    expect(readPdf(path).text).toBe("First Grüße 你好");
    const facts = execFileSync("pdfinfo", ["-enc", "UTF-8", path]).toString();
    expect(facts).toMatch(/Title: +Title\n(.*\n)*Author: +Anna\n/);
    expect(facts).toMatch(pdf_a === "1b" ? /Tagged: +no/ : /Tagged: +yes/);
    expect(`${warnings}`).not.toContain("transparency");
  });

  it("PDF/A-1b of a page with transparency is a picture, and a warning says so", async () => {
    const html = `<p style="opacity:.5;color:#c00">Grüße`;
    const pictures = (path: string) =>
      execFileSync("pdfimages", ["-list", path], { encoding: "utf8" }).split("\n").length - 3;
    const first = await printPage(html, { pdf_a: "1b" });
    expect(`${first.warnings}`).toContain("Pages with transparency became pictures");
    expect(pictures(first.path)).toBe(1);
    const second = await printPage(html, { pdf_a: "2b" });
    expect(`${second.warnings}`).not.toContain("transparency");
    expect(readPdf(second.path).text).toBe("Grüße");
  });
});
