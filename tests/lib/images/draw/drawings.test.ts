import sharp from "sharp";
import { expect, it } from "vitest";
import { parseImgproxyPath } from "#lib/images/imgproxy/parse-path.ts";
import { makeResult } from "#lib/images/render/make-result.ts";
import { limitsForPlan } from "#lib/limits/limits.ts";
import { temporaryWorkFolder } from "#tests/support/operation.ts";

/** Sizes and parts of SVG sources, which imgproxy enlarges without a limit. */

const [red, blue] = ["#ff0000", "#0000ff"];
const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="12">
  <rect width="12" height="12" fill="${red}"/><rect x="12" width="12" height="12" fill="${blue}"/>
</svg>`;

/** The size of a picture, and its colors around the middle, row by row. */
async function draw(options: string) {
  const { plan } = parseImgproxyPath(`${options}/f:png/plain/https://a.example/a.svg`, {
    presets: new Map(),
  });
  const content = Buffer.from(drawing);
  const request = {
    accountId: "acc_a",
    accountPlan: "pro",
    source: { kind: "url", url: "https://a.example/a.svg" },
    sourceName: "https://a.example/a.svg",
    plan,
    preferred: [],
    info: null,
    storageKey: "a",
    createdAt: 0,
  } as const;
  const source = { kind: "memory", content, bytes: content.length, filename: "a.svg" } as const;
  const folder = temporaryWorkFolder();
  const { body } = await makeResult(request, plan, source, {
    work: () => folder,
    limits: limitsForPlan("pro"),
    signal: new AbortController().signal,
    count: async () => {},
  });
  const { data, info } = await sharp(body)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => {
    const start = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * 3;
    return `#${data.subarray(start, start + 3).toString("hex")}`;
  };
  // So near that a blurred edge would have other colors.
  const points = [
    [0.49, 0.49],
    [0.51, 0.49],
    [0.49, 0.51],
    [0.51, 0.51],
  ] as const;
  const colors = points.map(([x, y]) => at(x, y));
  return { width: info.width, height: info.height, colors };
}

const leftRed = [red, blue, red, blue];

it.each([
  ["w:600", 600, 300, leftRed],
  ["rot:90/w:600", 600, 1200, [red, red, blue, blue]],
  ["rot:180/w:600", 600, 300, [blue, red, blue, red]],
  ["fl:1/w:600", 600, 300, [blue, red, blue, red]],
  ["c:12:12/w:600", 600, 600, leftRed],
  ["c:12:12:nowe/rs:fit:600:600", 600, 600, [red, red, red, red]],
  ["c:12:12:nowe:6:0/w:600", 600, 600, leftRed],
  ["c:12:12:ea:6:0/w:600", 600, 600, leftRed],
  ["c:0.5:0.5/w:600", 600, 300, leftRed],
  ["c:12:12:nowe:0:6/rot:90/w:600", 600, 600, [red, red, blue, blue]],
  ["c:12:12/rot:90/w:600", 600, 600, [red, red, blue, blue]],
  ["rs:fill:600:600", 600, 600, leftRed],
  ["rs:fill-down:600:600", 600, 600, leftRed],
  ["rs:force:0:600", 24, 600, undefined],
  ["w:10", 10, 5, undefined],
  ["w:100/dpr:2", 200, 100, leftRed],
  ["dpr:20", 480, 240, leftRed],
  ["z:20", 480, 240, leftRed],
  ["w:24/pd:10/dpr:20", 880, 640, leftRed],
  ["t:10/w:600", 600, 600, [blue, blue, blue, blue]],
  ["t:10/rot:90/w:600", 600, 600, [blue, blue, blue, blue]],
] as const)("%s", async (options, width, height, colors) => {
  const drawn = await draw(options);
  expect(drawn).toMatchObject({ width, height, ...(colors ? { colors } : {}) });
});

it("a part of a drawing that would be too large as a whole is enlarged", async () => {
  expect(await draw("c:1:1:nowe/w:3000")).toMatchObject({ width: 3000, height: 3000 });
});
