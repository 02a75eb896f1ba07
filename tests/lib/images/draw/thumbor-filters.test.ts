import type { Sharp } from "sharp";
import { describe, expect, it } from "vitest";
import { JobError } from "#lib/errors.ts";
import { parseThumborPath } from "#lib/images/thumbor/parse-path.ts";
import { drawPixels, paintPlain, paintSamples } from "./draw-pixels.ts";
import expected from "./thumbor-pixels.json" with { type: "json" };

const planOf = (path: string) => parseThumborPath(`${path}/https://a.example/a.png`).plan;

const pixelsOf = (text: string) => [...Buffer.from(text, "base64")];

/** A picture in which adjacent pixels differ much. */
function paintPattern(channels: 3 | 4, [width, height]: [number, number] = [9, 7]) {
  const samples = Array.from({ length: width * height * channels }, (_, index) => {
    const pixel = Math.trunc(index / channels);
    return ((pixel % width) * 37 + Math.trunc(pixel / width) * 53 + (index % channels) * 71) % 256;
  });
  return paintSamples(width, height, channels, samples);
}

function paintSource(what: string): Sharp {
  if (what === "24x20") return paintPlain(24, 20, "#c89664");
  if (what === "33x32") return paintPattern(3, [33, 32]);
  return paintPattern(what === "RGB" ? 3 : 4);
}

// The expected pixels are those of the C code of thumbor 7.8, compiled for x86-64.
describe("a filter changes the same pixels to the same values as thumbor", () => {
  it.each(Object.entries(expected))("%s", async (name, pixels) => {
    const [what = "", filter = ""] = name.split(" ");
    const source = paintSource(what);
    const drawn = await drawPixels(planOf(`filters:${filter}`), source);
    expect(drawn.samples).toEqual(pixelsOf(pixels));
  });
});

describe("filters", () => {
  const gray = (value: number) =>
    paintPlain(4, 4, `#${Buffer.of(value, value, value).toString("hex")}`);

  it("are applied in their order", async () => {
    const first = await drawPixels(planOf("filters:brightness(50):contrast(100)"), gray(100));
    const second = await drawPixels(planOf("filters:contrast(100):brightness(50)"), gray(100));
    expect([first.at(0, 0), second.at(0, 0)]).toEqual([
      [255, 255, 255],
      [143, 143, 143],
    ]);
  });

  it("turn a picture to gray by the weights of its colors", async () => {
    const drawn = await drawPixels(planOf("filters:grayscale()"), paintPlain(2, 2, "#ff8000"));
    expect(drawn.at(0, 0).slice(0, 1)).toEqual([151]);
  });

  it("color a gray picture", async () => {
    const source = paintSamples(1, 1, 1, [100]).toColorspace("b-w");
    const drawn = await drawPixels(planOf("filters:rgb(20,0,0)"), source);
    expect(drawn.at(0, 0)).toEqual([151, 100, 100]);
  });

  it("blur within the radius only", async () => {
    const point = paintPlain(11, 1, "#000000").composite([
      {
        input: { create: { width: 1, height: 1, channels: 3, background: "#fff" } },
        left: 5,
        top: 0,
      },
    ]);
    const drawn = await drawPixels(planOf("filters:blur(2)"), point);
    // Weights of a Gaussian of deviation 2 at 0, 1 and 2 pixels.
    const weights = [2, 1, 0, 1, 2].map((x) => Math.exp(-(x * x) / 8));
    const sum = weights.reduce((total, weight) => total + weight);
    const row = Array.from({ length: 11 }, (_, x) => drawn.at(x, 0)[0] ?? 0);
    for (const [x, value] of row.entries()) {
      const weight = Math.abs(x - 5) <= 2 ? (weights[x - 3] ?? 0) / sum : 0;
      expect(Math.abs(value - 255 * weight), `column ${x}`).toBeLessThan(2);
    }
  });

  it("rotate and flip what was resized", async () => {
    const source = paintSamples(2, 1, 3, [255, 0, 0, 0, 0, 255]);
    const turned = await drawPixels(planOf("filters:rotate(90)"), source);
    expect([turned.width, turned.height, turned.at(0, 0)]).toEqual([1, 2, [0, 0, 255]]);
    const flipped = await drawPixels(planOf("-0x0"), source);
    expect(flipped.at(0, 0)).toEqual([0, 0, 255]);
  });

  it("keep the focal point of a picture that is cut", async () => {
    const stripes = Array.from({ length: 10 }, (_, x) => [x * 20, 0, 0]).flat();
    const columns = async (path: string) => {
      const drawn = await drawPixels(planOf(path), paintSamples(10, 1, 3, stripes));
      return Array.from({ length: drawn.width }, (_, x) => (drawn.at(x, 0)[0] ?? 0) / 20);
    };
    expect(await columns("2x1")).toEqual([4, 5]);
    expect(await columns("2x1/filters:focal(8x0:10x1)")).toEqual([8, 9]);
    expect(await columns("2x1/smart/filters:focal(0x0:2x1)")).toEqual([0, 1]);
    // A point counts as much as its area; those outside of the crop do not count.
    expect(await columns("2x1/filters:focal(0x0:4x1):focal(8x0:10x1)")).toEqual([3, 4]);
    expect(await columns("0x0:6x1/2x1/filters:focal(8x0:10x1):focal(0x0:2x1)")).toEqual([0, 1]);
  });

  it("fill around a picture, and go on with all of it", async () => {
    const source = paintPlain(2, 2, "#0000ff");
    const drawn = await drawPixels(planOf("fit-in/5x2/filters:rgb(100,0,0):fill(00ff00)"), source);
    const letters = drawn.letters(([red = 0, green = 0]) =>
      green > 200 ? "g" : red > 200 ? "r" : "b",
    );
    expect(letters).toEqual(["grrgg", "grrgg"]);
    const after = await drawPixels(planOf("fit-in/5x2/filters:fill(00ff00):rgb(0,-100,0)"), source);
    expect([after.at(0, 0), after.at(1, 0)]).toEqual([
      [0, 0, 0],
      [0, 0, 255],
    ]);
  });

  it("fill by the average color, or by the blurred picture", async () => {
    const source = () => paintSamples(2, 1, 3, [200, 0, 0, 0, 100, 0]);
    const average = await drawPixels(planOf("fit-in/4x1/filters:fill(auto)"), source());
    expect([0, 1, 2, 3].map((x) => average.at(x, 0).slice(0, 3))).toEqual([
      [100, 50, 0],
      [200, 0, 0],
      [0, 100, 0],
      [100, 50, 0],
    ]);
    const blurred = await drawPixels(planOf("fit-in/4x1/filters:fill(blur)"), source());
    expect([blurred.at(1, 0), blurred.at(2, 0)]).toEqual([
      [200, 0, 0],
      [0, 100, 0],
    ]);
    expect(Math.abs((blurred.at(0, 0)[0] ?? 0) - 100)).toBeLessThan(8);
  });

  it("fill under transparent pixels only if they are asked to", async () => {
    const source = () => paintPlain(2, 2, "#0000ff00");
    const cornerOf = async (filters: string) =>
      (await drawPixels(planOf(`fit-in/4x2/filters:${filters}`), source())).at(1, 0);
    expect(await cornerOf("fill(red)")).toEqual([0, 0, 255, 0]);
    expect(await cornerOf("fill(red,true)")).toEqual([255, 0, 0, 255]);
    expect(await cornerOf("background_color(lime):fill(red)")).toEqual([0, 255, 0, 255]);
  });

  it("fill the size of the URL, also after a rotation and a smaller proportion", async () => {
    const sizeOf = async (path: string) => {
      const { width, height } = await drawPixels(planOf(path), paintPlain(20, 10, "#0000ff"));
      return [width, height];
    };
    expect(await sizeOf("fit-in/16x16/filters:rotate(90):fill(red)")).toEqual([16, 16]);
    expect(await sizeOf("fit-in/16x16/filters:proportion(0.5):fill(red)")).toEqual([16, 16]);
    expect(await sizeOf("fit-in/16x16/filters:fill(red):proportion(0.5)")).toEqual([8, 8]);
    expect(await sizeOf("fit-in/50x60/filters:proportion(0.5):upscale()")).toEqual([50, 25]);
    expect(await sizeOf("fit-in/0x60/filters:upscale()")).toEqual([20, 10]);
  });

  it("cut the border of the color in a corner, and then what its own pixels name", async () => {
    const stripes = [9, 0, 0, 9, 0, 0, 80, 0, 0, 90, 0, 0, 12, 0, 0];
    const redOf = async (path: string) => {
      const drawn = await drawPixels(planOf(path), paintSamples(5, 1, 3, stripes));
      return Array.from({ length: drawn.width }, (_, x) => drawn.at(x, 0)[0]);
    };
    expect(await redOf("trim")).toEqual([80, 90, 12]);
    expect(await redOf("trim:top-left:3")).toEqual([80, 90]);
    expect(await redOf("trim:bottom-right")).toEqual([9, 9, 80, 90]);
    expect(await redOf("trim/3x0:4x1")).toEqual([90]);
    expect(await redOf("trim:200")).toEqual([9, 9, 80, 90, 12]);
  });

  it("stretch a frame over a picture with padding, with the pixels of thumbor", async () => {
    const [width, height] = [8, 9];
    const isMarker = (x: number, y: number) =>
      (y === 0 && [3, 4].includes(x)) ||
      (x === 0 && [2, 3, 6].includes(y)) ||
      (y === height - 1 && x >= 2 && x <= 5) ||
      (x === width - 1 && y >= 3 && y <= 6);
    const samples = Array.from({ length: width * height * 4 }, (_, index) => {
      const [pixel, channel] = [Math.trunc(index / 4), index % 4];
      const [x, y] = [pixel % width, Math.trunc(pixel / width)];
      const isBorder = x === 0 || y === 0 || x === width - 1 || y === height - 1;
      if (isBorder) return channel === 3 && isMarker(x, y) ? 255 : 0;
      return (x * 37 + y * 53 + channel * 71 + 90) % 256;
    });
    const frame = paintSamples(width, height, 4, samples);
    const plan = planOf("filters:frame(a.example/frame.9.png)");
    const drawn = await drawPixels({ ...plan, format: "png" }, paintPattern(4), frame);
    expect([drawn.width, drawn.height]).toEqual([11, 10]);
    const colors = drawn.samples.filter((_, index) => index % 4 !== 3);
    expect(colors).toEqual(pixelsOf(framed));
  });

  it("leave no transparency in a JPEG", async () => {
    const plan = { ...planOf("filters:round_corner(4,9,9,9,true)"), format: "jpeg" } as const;
    const drawn = await drawPixels({ ...plan, quality: 100 }, paintPlain(16, 16, "#ffffff"));
    expect([drawn.channels, (drawn.at(0, 0)[0] ?? 255) < 60]).toEqual([3, true]);
  });

  it("do not take too long", async () => {
    const kernel = Array.from({ length: 441 }, () => 1).join(";");
    const drawing = drawPixels(
      planOf(`filters:convolution(${kernel},21)`),
      paintPlain(2000, 2000, "#ff0000"),
    );
    await expect(drawing).rejects.toThrow(JobError);
  });
});

// Computed by the C code of thumbor 7.8, in which the mode of an image is read as text again.
const framed =
  "1vyZ3LmX/mWf42Whx2akqmemi2ipbGqsS2uv6vL64O367mSZk2Se+Pr99Pj88fb77fT66vL65/D65O/61eyw0+6mxGSdV1SYKnC21+b1xuD3v+OowniezXCdNHKlTZR70+SglWWhi5DAzOH1wN+zveWjw3Wb0nKcNnil0ebfwOag1NibYWinf57PvN+yveqkx3Wf2XegO4GpyOLUu93NvO1t18mY5O/6ueKUv6FmypBoZYVv0b+ayKaXxJF1xYBu5D59kmSe2evcwYd+1XJtfG51056VzpCVzoZ20n9z20F1lEyRjZLB2W+XkzJ2KGajRHuzXJCmdaihk2meumSeJ2em4Oz43Ozf2W+X2mWVJGOjQHueXJWdfGKcpmOhJmqu1OPxxt/33Ozf9GSblmWi8vb77vT66/L66PH65e/64u764O360+2r0vGi";
