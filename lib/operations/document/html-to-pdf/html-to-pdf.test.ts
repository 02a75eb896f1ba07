import { describe, expect, it } from "vitest";
import { allowed, forbidden, printPage } from "#tests/samples/pages.ts";
import { readLinks, readPdf, readWords, renderPdf } from "#tests/samples/pdf/pdf.ts";
import { htmlToPdf } from "./index.ts";

const inch = 72;
const centimetre = inch / 2.54;
const pages = `<p>one</p><p style="break-before:page">two</p><p style="break-before:page">three</p>`;
describe("page size", () => {
  it.each([
    ["A4", false, 595, 842],
    ["a0", false, 2384, 3370],
    ["A6", false, 298, 420],
    ["letter", false, 612, 792],
    ["Legal", false, 612, 1008],
    ["TABLOID", false, 792, 1224],
    ["Ledger", false, 1224, 792],
    ["210mmx297mm", false, 595, 842],
    ["8.5in x 11in", false, 612, 792],
    ["400pxX200px", false, 300, 150],
    ["A4", true, 842, 595],
    ["Ledger", true, 1224, 792],
  ])("%s, landscape %s, is %d×%d points", async (page_size, landscape, width, height) => {
    const { path, outputs } = await printPage(pages, { page_size, landscape, margin: "0" });
    const facts = readPdf(path);
    expect(Math.abs(facts.width - width)).toBeLessThan(2);
    expect(Math.abs(facts.height - height)).toBeLessThan(2);
    expect(outputs[0]?.pages).toBe(3);
    expect(facts.pages).toBe(3);
  });

  it("ignores the @page rule of the document", async () => {
    const { path } = await printPage(
      `<style>@page { size: A3 landscape; margin: 9cm }</style><p>x</p>`,
    );
    expect(readPdf(path)).toMatchObject({ width: 595.92, height: 841.92 });
    expect(readWords(path)[0]?.top).toBeLessThan(3 * centimetre);
  });
});

describe("layout", () => {
  it("applies margins in CSS order", async () => {
    const html = `<style>body { margin: 0; font: 10px/1 monospace } div { position: absolute; right: 0 }</style><span>left</span><div>right</div>`;
    const { path } = await printPage(html, { margin: "20mm 30mm 1in 4cm" });
    const words = readWords(path);
    const left = words.find((w) => w.text === "left");
    const right = words.find((w) => w.text === "right");
    expect(left?.left).toBeCloseTo(4 * centimetre, -1);
    expect(left?.top).toBeCloseTo(2 * centimetre, -1);
    expect(595 - (right?.right ?? 0)).toBeCloseTo(3 * centimetre, -1);
  });

  it("applies the scale", async () => {
    const heights = [];
    for (const scale of [0.5, 2]) {
      const [word] = readWords((await printPage("<p>word</p>", { scale })).path);
      heights.push((word?.bottom ?? 0) - (word?.top ?? 0));
    }
    expect((heights[1] ?? 0) / (heights[0] ?? 1)).toBeCloseTo(4, 1);
  });

  it.each([
    [true, [0, 255, 0]],
    [false, [255, 255, 255]],
  ])("prints backgrounds: %s", async (print_background, color) => {
    const html = `<body style="margin:0;background:#0f0">`;
    const { pixels, width, height } = renderPdf((await printPage(html, { print_background })).path);
    const at = 3 * (width * Math.floor(height / 2) + Math.floor(width / 2));
    expect([...pixels.subarray(at, at + 3)]).toEqual(color);
  });

  it("prints header and footer with page numbers, and does not run their scripts", async () => {
    const { path } = await printPage(`<title>Title</title>${pages}`, {
      margin: "2cm",
      header_html: `<span class="title"></span><script>document.write("EVIL")</script><img src="${forbidden.url}/a" onerror="document.body.innerHTML='EVIL'">`,
      footer_html: `<span class="pageNumber"></span> of <span class="totalPages"></span>`,
    });
    expect(readPdf(path).text).toBe("Title one 1 of 3 Title two 2 of 3 Title three 3 of 3");
    const [title] = readWords(path);
    expect(title?.top).toBeLessThan(2 * centimetre);
    expect(forbidden.requests).toEqual([]);
  });
});

describe("page ranges", () => {
  it.each([
    ["2", "two"],
    ["1-2,5", "one two"],
    ["3,1", "one three"],
    ["2-9", "two three"],
    [" 1 - 1 ".replaceAll(" ", ""), "one"],
  ])("%s keeps %s", async (page_ranges, text) => {
    const { path, outputs } = await printPage(pages, { page_ranges });
    expect(readPdf(path).text).toBe(text);
    expect(outputs[0]?.pages).toBe(text.split(" ").length);
  });

  it("after the end select no page, which fails", async () => {
    await expect(printPage(pages, { page_ranges: "4-5" })).rejects.toMatchObject({ code: "empty" });
  });
});

describe("parameters out of bounds are rejected", () => {
  it.each([
    ...["0", "5-2", "a", "", "1-", "-1", "1,,2", "1.5"].map((text) => ({ page_ranges: text })),
    ...["A7", "B5", "210x297", "0mmx10mm", "6mx1m", "1e3mmx1e3mm"].map((text) => ({
      page_size: text,
    })),
    ...["1", "-1cm", "1cm 2cm 3cm 4cm 5cm", "11cm", "1em", "auto"].map((text) => ({
      margin: text,
    })),
    { scale: 0.05 },
    { scale: 2.5 },
    { preferCSSPageSize: true },
  ])("%j", async (params) => {
    await expect(printPage("", params)).rejects.toMatchObject({ name: "ZodError" });
  });
});

it("a header that is too long is rejected", () => {
  expect(htmlToPdf.params.safeParse({ header_html: "x".repeat(500_001) }).success).toBe(false);
});

describe("the content of the page", () => {
  it("is selectable text in any script, with emoji", async () => {
    const words = "Grüße 你好 日本語 한국어 हिन्दी";
    const { path } = await printPage(`<p>${words}</p><p style="font-size:200px;margin:0">😀</p>`);
    expect(readPdf(path).text).toContain("Grüße 你好 日本語");
    const { pixels } = renderPdf(path);
    const yellow = pixels.filter(
      (_, i) => i % 3 === 0 && (pixels[i] ?? 0) > 200 && (pixels[i + 2] ?? 255) < 120,
    );
    expect(yellow.length).toBeGreaterThan(500);
  });

  it("keeps its links", async () => {
    const { path } = await printPage(
      `<a href="https://example.com/a?b=c">out</a> <a href="sub">in</a>`,
      {},
      { url: `${allowed.url}/pages/` },
    );
    expect(readLinks(path)).toEqual(["https://example.com/a?b=c", `${allowed.url}/pages/sub`]);
  });

  it.each([
    ["UTF-8 without a declaration", Buffer.from("<p>Grüße 你好"), undefined, "Grüße 你好"],
    [
      "a declaration in the document",
      Buffer.from("<meta charset=iso-8859-1><p>Gr\xfc\xdfe", "latin1"),
      undefined,
      "Grüße",
    ],
    [
      "a declaration by the server",
      Buffer.from("<p>\x93\xfa\x96\x7b", "latin1"),
      "shift_jis",
      "日本",
    ],
    ["a byte order mark", Buffer.from("\ufeff<p>Grüße", "utf16le"), undefined, "Grüße"],
    [
      "bytes without a declaration",
      Buffer.from("<p>Gr\xfc\xdfe und K\xfcsse", "latin1"),
      undefined,
      "Grüße und Küsse",
    ],
    ["an encoding that does not exist", Buffer.from("<p>Hello"), "x; y\r\nz: 1", "Hello"],
  ])("is decoded by %s", async (_, html, charset, text) => {
    const { path } = await printPage(html, {}, charset ? { charset } : {});
    expect(readPdf(path).text).toBe(text);
  });
});

describe("resources", () => {
  it("of a fetched page resolve against its URL and pass the guard", async () => {
    const html = `<link rel=stylesheet href=style.css><body style="margin:0"><img src=red.png width=400 height=400><p>word`;
    const { path } = await printPage(
      html,
      { margin: "0" },
      { url: `${allowed.url}/pages/page.html?q=1` },
    );
    expect(allowed.requests.toSorted()).toEqual(["/pages/red.png", "/pages/style.css"]);
    expect(readWords(path)[0]?.left).toBeCloseTo(75, -1);
    const { pixels, width } = renderPdf(path);
    expect([...pixels.subarray(3 * (20 * width + 20), 3 * (20 * width + 20) + 3)]).toEqual([
      255, 0, 0,
    ]);
  });

  it("that a script fetches after the page has loaded are awaited", async () => {
    const html = `<p id=p>empty</p><script>onload = () => fetch("/data").then((r) => r.text()).then((t) => { p.textContent = t })</script>`;
    const { path } = await printPage(html, {}, { url: `${allowed.url}/` });
    expect(readPdf(path).text).toBe("fetched");
  });

  it("that are missing or redirect to a private address are left out", async () => {
    const html = `<p>still</p><img src=missing.png><img src=/redirect><iframe src=/redirect></iframe>`;
    const { path } = await printPage(html, {}, { url: `${allowed.url}/` });
    expect(readPdf(path).text).toBe("still");
    expect(allowed.requests).toContain("/redirect");
    expect(forbidden.requests).toEqual([]);
  });
});

it("two concurrent pages do not affect each other", async () => {
  const words = Array.from({ length: 6 }, (_, index) => `word${index}`);
  const runs = await Promise.all(words.map((word) => printPage(`<p>${word}</p>`)));
  expect(runs.map(({ path }) => readPdf(path).text)).toEqual(words);
});

it("an empty document is a blank page", async () => {
  expect((await printPage("")).outputs[0]?.pages).toBe(1);
});
