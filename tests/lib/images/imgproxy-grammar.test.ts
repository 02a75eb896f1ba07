import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { optionNames } from "#lib/images/imgproxy/options.ts";
import { parseImgproxyPath, parsePresets } from "#lib/images/imgproxy/parse-path.ts";
import { PictureError } from "#lib/images/plan/errors.ts";
import { defaultPlan, type ImagePlan } from "#lib/images/plan/plan.ts";

const noPresets = { presets: new Map() };
const source = "https://example.com/photo.jpg";
const encoded = Buffer.from(source).toString("base64url");

const parse = (options: string) => parseImgproxyPath(`${options}/plain/${source}`, noPresets);

function statusOf(path: string): number | undefined {
  try {
    parseImgproxyPath(path, noPresets);
    return undefined;
  } catch (error) {
    if (error instanceof PictureError) return error.status;
    throw error;
  }
}

describe("options", () => {
  const rows: readonly (readonly [string, Partial<ImagePlan>])[] = [
    ["rs:fill:300:200:1", { resize: "fill", width: 300, height: 200, enlarge: true }],
    ["resize:auto:300", { resize: "auto", width: 300 }],
    ["rs::300", { width: 300 }],
    [
      "s:300:200:0:1:no",
      { width: 300, height: 200, extend: { enabled: true, gravity: { type: "no", x: 0, y: 0 } } },
    ],
    ["rt:force/w:10/h:20", { resize: "force", width: 10, height: 20 }],
    ["mw:100/mh:50", { minWidth: 100, minHeight: 50 }],
    ["min-width:100", { minWidth: 100 }],
    ["z:2", { zoomX: 2, zoomY: 2 }],
    ["zoom:2:0.5", { zoomX: 2, zoomY: 0.5 }],
    ["dpr:1.5", { dpr: 1.5 }],
    ["g:fp:0.25:0.75", { gravity: { type: "fp", x: 0.25, y: 0.75 } }],
    ["g:sm", { gravity: { type: "sm", x: 0, y: 0 } }],
    ["gravity:soea:10:-5", { gravity: { type: "soea", x: 10, y: -5 } }],
    [
      "c:0.5:100:nowe:3:4",
      { crop: { width: 0.5, height: 100, gravity: { type: "nowe", x: 3, y: 4 } } },
    ],
    ["exar:1", { extendAspectRatio: { enabled: true, gravity: { type: "ce", x: 0, y: 0 } } }],
    [
      "t:10:ff00ff:1:t",
      {
        trim: {
          threshold: 10,
          color: { r: 255, g: 0, b: 255 },
          equalHorizontal: true,
          equalVertical: true,
        },
      },
    ],
    ["pd:1", { padding: { top: 1, right: 1, bottom: 1, left: 1 } }],
    ["pd:1:2:3", { padding: { top: 1, right: 2, bottom: 3, left: 2 } }],
    ["ar:0/rot:-90/fl:1:0", { autoRotate: false, rotate: 270, flipX: true, flipY: false }],
    ["bg:1:2:3", { background: { r: 1, g: 2, b: 3 } }],
    ["bg:f0c", { background: { r: 255, g: 0, b: 204 } }],
    ["bl:1.5/sh:0.7/pix:8", { blur: 1.5, sharpen: 0.7, pixelate: 8 }],
    [
      "sm:0/kcr:f/scp:false",
      { stripMetadata: false, keepCopyright: false, stripColorProfile: false },
    ],
    [
      "q:70/fq:webp:50:avif:40/mb:20000",
      { quality: 70, formatQuality: { webp: 50, avif: 40 }, maxBytes: 20_000 },
    ],
    ["f:webp", { format: "webp" }],
    ["ext:jpg", { format: "jpeg" }],
    ["skp:png:gif", { skipProcessing: ["png", "gif"] }],
    ["cb:v2", { cacheBuster: "v2" }],
    ["w%3A300", { width: 300 }],
  ];
  it.each(rows)("%s", (options, expected) => {
    expect(parse(options).plan).toEqual({ ...defaultPlan, ...expected });
  });

  it("give watermarks a place", () => {
    expect(parse("wm:0.5:soea:10:20:0.3").plan.watermark).toEqual({
      opacity: 0.5,
      position: "soea",
      x: 10,
      y: 20,
      scale: 0.3,
      url: null,
    });
  });

  it("name files, and say how they are sent", () => {
    const name = Buffer.from("größe").toString("base64url");
    const expires = Math.floor(Date.now() / 1000) + 60;
    const { delivery } = parse(`fn:${name}:1/att:1/exp:${expires}`);
    expect(delivery).toEqual({ filename: "größe", isAttachment: true, expires });
  });
});

describe("sources", () => {
  it.each([
    [`plain/${source}`, source, null],
    [`plain/${source}@webp`, source, "webp"],
    [`plain/${encodeURIComponent(source)}@png`, source, "png"],
    [encoded, source, null],
    [`${encoded}.avif`, source, "avif"],
    [`${encoded.slice(0, 10)}/${encoded.slice(10)}.gif`, source, "gif"],
    ["plain/https:/example.com/photo.jpg", source, null],
    ["w:10/plain/https%3A//example.com/a%2Fb", "https://example.com/a/b", null],
  ])("%s", (path, expected, format) => {
    const request = parseImgproxyPath(path, noPresets);
    expect(request.source).toBe(expected);
    expect(request.plan.format).toBe(format);
  });
});

describe("wrong forms are rejected", () => {
  it.each([
    "",
    "w:10",
    "w:10/plain/",
    "plain/",
    "fit/100/100/no/0/plain/http://example.com/a",
    `w:10/plain/${source}@png@gif`,
    `w:10/${encoded}.png.gif`,
    "w:10/not*base64",
    "w:10/plain/%ff",
    `pr:unknown/plain/${source}`,
    `unknown:1/plain/${source}`,
    `exp:1/plain/${source}`,
    `f:exe/plain/${source}`,
    `g:xx/plain/${source}`,
    `g:sm:1/plain/${source}`,
    `g:fp:0.5/plain/${source}`,
    `g:fp:1.5:0/plain/${source}`,
    `rot:45/plain/${source}`,
    `bg:256:0:0/plain/${source}`,
    `bg:gggggg/plain/${source}`,
    `wm:2/plain/${source}`,
    `wm:0.5:sm/plain/${source}`,
    `fq:webp/plain/${source}`,
    `rs:fit:1:1:0:0:ce:0:0:9/plain/${source}`,
  ])("%s", (path) => {
    expect(statusOf(path)).toBe(404);
  });

  it("with 403 where options would change limits", () => {
    expect(statusOf(`msr:100/plain/${source}`)).toBe(403);
  });

  it("with an error that names the option as URLs do", () => {
    const parse = () => parseImgproxyPath(`mw:-1/plain/${source}`, { presets: new Map() });
    expect(parse).toThrow("min-width must be");
  });

  const number = fc.oneof(
    fc.constantFrom(
      "-1",
      "1e9",
      "NaN",
      "Infinity",
      "0x10",
      "1,5",
      " 1",
      "1 ",
      "",
      "-0.1",
      "9".repeat(13),
    ),
    fc
      .string({ minLength: 1, maxLength: 8 })
      .filter((text) => !/^[+-]?[\d.]+(e[+-]?\d+)?$/i.test(text)),
  );
  const sides = ["w", "h", "mw", "mh", "q", "mb", "pix", "bl", "sh", "dpr", "z", "rot", "exp"];

  it("in numbers", () => {
    fc.assert(
      fc.property(fc.constantFrom(...sides), number, (name, text) => {
        // These end the argument or the option.
        fc.pre(!/[/:%?]/.test(text));
        // A rotation and a time of expiry may be negative.
        fc.pre(!(["rot", "exp"].includes(name) && text === "-1"));
        expect(statusOf(`${name}:${text}/plain/${source}`)).toBe(404);
      }),
      { numRuns: 500 },
    );
  });

  it("and never with another error", () => {
    const name = fc.oneof(
      fc.constantFrom(...optionNames, "preset", "pr"),
      fc.string({ maxLength: 6 }),
    );
    const args = fc.array(fc.oneof(fc.string({ maxLength: 6 }), fc.integer().map(String)), {
      maxLength: 9,
    });
    const option = fc.tuple(name, args).map(([first, rest]) => [first, ...rest].join(":"));
    const rest = fc.oneof(
      fc.constant(`plain/${source}`),
      fc.string(),
      fc.webUrl().map((url) => `plain/${url}`),
    );
    fc.assert(
      fc.property(fc.array(option, { maxLength: 4 }), rest, (options, end) => {
        const status = statusOf([...options, end].join("/"));
        expect([undefined, 403, 404, 422]).toContain(status);
      }),
      { numRuns: 500 },
    );
  });
});

describe("presets", () => {
  const presets = parsePresets("default=q:60,thumb=rs:fill:100:100/pr:sharp\nsharp=sh:1/pr:thumb");
  const parseWith = (options: string) =>
    parseImgproxyPath(`${options}/plain/${source}`, { presets });

  it("apply where they are named, and the default one always", () => {
    const { plan } = parseWith("pr:thumb/w:50");
    expect(plan).toMatchObject({ quality: 60, width: 50, height: 100, sharpen: 1 });
  });

  it.each(["a", "a=", "=w:1", "a=w:1/x", "a=w:-1", "a=b=c", "a=pr:b"])("%s is not one", (text) => {
    expect(() => parsePresets(text)).toThrow(PictureError);
  });
});
