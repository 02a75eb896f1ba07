import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { KnownDevices } from "puppeteer";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { mayDependOnScrolling } from "#lib/engines/chromium/page/scrolling.ts";
import { allowed } from "#tests/samples/pages.ts";
import { temporaryFolder } from "#tests/servers/net.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";
import { deviceNames } from "./device-names.ts";
import { htmlToImage } from "./index.ts";

/** Captures `html` and decodes the image. */
async function capture(
  html: string,
  params: Record<string, unknown> = {},
  origin: Pick<Sample, "url"> = {},
  limits = {},
) {
  const path = join(temporaryFolder(), "page.html");
  await writeFile(path, html);
  const { signal } = new AbortController();
  const sample: Sample = { path, type: "html", ...origin };
  const run = await runOperation(htmlToImage, sample, params, {}, signal, limits);
  const [output] = run.outputs;
  const image = sharp(output?.path);
  const { data, info } = await image
    .clone()
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect(output).toMatchObject({ width: info.width, height: info.height });
  const pixel = (x: number, y: number) => {
    const at = 3 * (y * info.width + x);
    return [...data.subarray(at, at + 3)];
  };
  const { format } = await image.metadata();
  return { ...info, format, pixel, warnings: run.warnings };
}

const blue = [0, 0, 255];
const white = [255, 255, 255];
const red = [255, 0, 0];
const black = [0, 0, 0];

describe("an element", () => {
  // The corners of the box differ in color, and the page around it is white.
  const html = `<body style="margin:0"><div style="height:1500px"></div><div id=box style="margin-left:36px;width:60px;height:40px;background:#00f;border-left:10px solid red;border-bottom:10px solid black"></div>`;

  it.each([1, 2, 1.5])("is captured exactly, at scale %d", async (scale) => {
    const { width, height, pixel } = await capture(html, { selector: "#box", scale });
    expect([width, height]).toEqual([70 * scale, 50 * scale]);
    const right = width - 1;
    const bottom = height - 1;
    expect([pixel(0, 0), pixel(right, 0), pixel(right, bottom)]).toEqual([red, blue, black]);
    expect(pixel(10 * scale, 0)).toEqual(blue);
    expect(pixel(10 * scale - 1, 0)).toEqual(red);
    expect(pixel(right, 40 * scale - 1)).toEqual(blue);
    expect(pixel(right, 40 * scale)).toEqual(black);
  });

  it.each(["#none", "#box > a", "["])("that is not there fails: %s", async (selector) => {
    const failing = capture(html, { selector });
    await expect(failing).rejects.toMatchObject({ code: "empty" });
  });
});

describe("the page", () => {
  const html = `<style>body { margin: 0; background: #fff } @media (prefers-color-scheme: dark) { body { background: #000 } } @media print { div { display: none } }</style><div style="width:10px;height:2000px;background:#00f"></div><script>document.write(innerWidth + " " + navigator.userAgent)</script>`;

  it("is captured as a whole, or as much as the window shows", async () => {
    const whole = await capture(html, { width: 300, height: 200 });
    expect([whole.width, whole.format]).toEqual([300, "png"]);
    expect(whole.height).toBeGreaterThan(2000);
    expect([whole.pixel(9, 1999), whole.pixel(10, 1999), whole.pixel(299, 0)]).toEqual([
      blue,
      white,
      white,
    ]);
    const window = await capture(html, { width: 300, height: 200, full_page: false });
    expect([window.width, window.height]).toEqual([300, 200]);
  });

  it("has the format, the color scheme and the media type that are set", async () => {
    const params = { width: 100, full_page: false, dark: true };
    const jpeg = await capture(html, { ...params, format: "jpeg" });
    expect([jpeg.format, jpeg.pixel(99, 0)]).toEqual(["jpeg", black]);
    const webp = await capture(html, { ...params, format: "webp", media: "print" });
    expect([webp.format, webp.pixel(0, 0)]).toEqual(["webp", black]);
  });

  it("has the screen of the device", async () => {
    const viewport = `<meta name=viewport content="width=device-width"><body style="margin:0">`;
    const script = `<script>document.body.style.background = innerWidth === 393 && /iPhone/.test(navigator.userAgent) && "ontouchstart" in window ? "#00f" : "#f00"</script>`;
    const phone = { device: "iPhone 15 Pro", full_page: false };
    const { width, height, pixel } = await capture(viewport + script, phone);
    expect([width, height, pixel(5, 5)]).toEqual([1179, 1977, blue]);
    // Without a viewport, a phone shows 980 CSS pixels.
    expect((await capture(script, phone)).width).toBe(1179);
  });

  it("loads images that wait for scrolling, and reports those that are missing", async () => {
    const lazy = `<body style="margin:0"><div style="height:9000px"></div><img loading=lazy src=/pages/red.png width=100 height=100 style="display:block"><img src=/missing.png>`;
    const { pixel, warnings } = await capture(lazy, { width: 200 }, { url: `${allowed.url}/` });
    expect(pixel(50, 9050)).toEqual(red);
    expect(warnings).toEqual([
      `The image ${allowed.url}/missing.png could not be loaded (status 404).`,
    ]);
  });

  const observer = `new IntersectionObserver(([entry]) => { if (entry.isIntersecting) entry.target.style.background = "#f00" }).observe(document.getElementById("box"));`;
  const tall = `<body style="margin:0"><div style="height:3000px"></div><div id=box style="width:100px;height:100px"></div>`;

  it.each([
    ["a script", `${tall}<script>${observer}</script>`, {}],
    ["code of the caller", tall, { javascript: observer }],
    ["a handler", tall.replace("<body", `<body ONSCROLL="box.style.background = '#f00'"`), {}],
    [
      "a frame",
      `${tall}<iframe hidden srcdoc='<script>parent.eval(${JSON.stringify(observer)})</script>'></iframe>`,
      {},
    ],
  ])("shows what %s does when it is scrolled", async (_, page, params) => {
    const { pixel } = await capture(page, { width: 200, ...params });
    expect(pixel(50, 3050)).toEqual(red);
  });

  it("is not scrolled if nothing in it can wait for that", () => {
    const depends = (body: string | Buffer, settings = {}) =>
      mayDependOnScrolling({ body: Buffer.from(body) }, settings);
    const still = `<!doctype html><style>p { color: red }</style><p>Loading on page one<img src=a.png>`;
    expect(depends(still)).toBe(false);
    expect(depends(still.padEnd(3e6))).toBe(true);
    expect(depends(still, { css: "p { content-visibility: auto }" })).toBe(true);
    expect(depends(still, { waitForExpression: "observe()" })).toBe(true);
    for (const sign of [
      "<ScRiPt>",
      "<script\n>",
      "<link rel=stylesheet href=a.css>",
      "<style>@import 'a.css'",
      "<p style='content-visibility: auto'>",
      "<p style='animation-trigger: --t play-forwards'>",
      "<img/onload='x'>",
      "<img loading = lazy>",
      "<template shadowrootmode=closed>",
      "<frame src=x>",
      "<iframe src=x>",
      "<object data=x>",
      "<embed src=x>",
    ]) {
      expect([sign, depends(still + sign)]).toEqual([sign, true]);
      expect(depends(Buffer.from(`\ufeff${sign}`, "utf16le"))).toBe(true);
    }
  });

  it("that is too large fails", async () => {
    const tall = `<div style="height:20000px">`;
    await expect(capture(tall)).rejects.toMatchObject({ code: "too_complex" });
    const limited = capture("<p>x", {}, {}, { imagePixels: 1e6 });
    await expect(limited).rejects.toMatchObject({ code: "too_complex" });
  });
});

it("every device of Puppeteer can be chosen", () => {
  expect(deviceNames.toSorted()).toEqual(Object.keys(KnownDevices).toSorted());
});

it.each([{ device: "iPhone 99" }, { width: 0 }, { height: 1.5 }, { scale: 5 }, { format: "gif" }])(
  "%j is rejected",
  async (params) => {
    await expect(capture("", params)).rejects.toMatchObject({ name: "ZodError" });
  },
);
