import { describe, expect, it } from "vitest";
import { JobError } from "#lib/errors.ts";
import { parseThumborPath } from "#lib/images/thumbor/parse-path.ts";
import { drawPixels, paintPlain, paintSamples } from "./draw-pixels.ts";
import expected from "./thumbor-pixels.json" with { type: "json" };

const planOf = (path: string) => parseThumborPath(`${path}/https://a.example/a.png`).plan;

const pixelsOf = (text: string) => [...Buffer.from(text, "base64")];

/** A picture in which adjacent pixels differ much. */
function paintPattern(channels: 3 | 4) {
  const [width, height] = [9, 7];
  const samples = Array.from({ length: width * height * channels }, (_, index) => {
    const pixel = Math.trunc(index / channels);
    return ((pixel % width) * 37 + Math.trunc(pixel / width) * 53 + (index % channels) * 71) % 256;
  });
  return paintSamples(width, height, channels, samples);
}

// The expected pixels are those of the C code of thumbor 7.8, compiled for x86-64.
describe("a filter changes the same pixels to the same values as thumbor", () => {
  it.each(Object.entries(expected))("%s", async (name, pixels) => {
    const [what = "", filter = ""] = name.split(" ");
    const source =
      what === "24x20" ? paintPlain(24, 20, "#c89664") : paintPattern(what === "RGB" ? 3 : 4);
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
