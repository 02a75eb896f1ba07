import { describe, expect, it } from "vitest";
import { JobError } from "#lib/errors.ts";
import { parseThumborPath } from "#lib/images/thumbor/parse-path.ts";
import { drawPixels, paintPlain, paintSamples } from "./draw-pixels.ts";

const planOf = (filters: string) =>
  parseThumborPath(`filters:${filters}/https://a.example/a.png`).plan;

const letterOf = ([red = 0, green = 0]: readonly number[]) =>
  red > 200 && green < 50 ? "w" : green > 200 ? "." : "?";

/** A white picture of this size with a red watermark, as letters. */
async function draw(args: string, picture: [number, number], mark: [number, number]) {
  const drawn = await drawPixels(
    planOf(`watermark(a.example/w.png,${args})`),
    paintPlain(...picture, "#ffffff"),
    paintPlain(...mark, "#ff0000"),
  );
  return drawn.letters(letterOf);
}

describe("a watermark of thumbor is placed", () => {
  it.each([
    ["0,0,0", ["www.......", "www.......", "..........", ".........."]],
    ["2,1,0", ["..........", "..www.....", "..www.....", ".........."]],
    ["-2,-1,0", ["..........", ".....www..", ".....www..", ".........."]],
    ["-0,0,0", [".......www", ".......www", "..........", ".........."]],
    ["center,center,0", ["..........", "...www....", "...www....", ".........."]],
    ["10p,-25p,0", ["..........", ".www......", ".www......", ".........."]],
    ["8,3,0", ["..........", "..........", "..........", "........ww"]],
    ["-8,-3,0", ["ww........", "..........", "..........", ".........."]],
    ["20,0,0", ["..........", "..........", "..........", ".........."]],
  ])("at %s", async (args, rows) => {
    expect(await draw(args, [10, 4], [3, 2])).toEqual(rows);
  });
});

describe("a watermark of thumbor is repeated", () => {
  it.each([
    // Whole ones, with what is left as gaps.
    [11, 3, "www.www.www"],
    [10, 3, "wwwwwwwww."],
    // Where two are too long, the second one is 10 pixels away.
    [5, 3, "www.."],
    [15, 8, "wwwwwwww......."],
    [3, 5, "www"],
  ])("in a row of %i pixels, with %i", async (picture, mark, row) => {
    expect(await draw("repeat,0,0", [picture, 1], [mark, 1])).toEqual([row]);
    const column = await draw("0,repeat,0", [1, picture], [1, mark]);
    expect(column.join("")).toBe(row);
  });

  it("in both directions, but not more than 6 times if there were more than 100", async () => {
    const rows = await draw("repeat,repeat,0", [40, 40], [2, 2]);
    const row = "ww.....ww.....ww.....ww.....ww.....ww...";
    expect(rows[0]).toBe(row);
    expect(rows.filter((one) => one === row)).toHaveLength(12);
    const few = await draw("repeat,repeat,0", [20, 20], [2, 2]);
    expect(new Set(few)).toEqual(new Set(["w".repeat(20)]));
  });
});

describe("a watermark of thumbor has a size", () => {
  it.each([
    ["50,none", 5, 5],
    ["none,50", 4, 4],
    ["50,50", 4, 4],
    ["100,10", 1, 1],
    ["0,0", 6, 6],
  ])("by shares of the picture: %s", async (sizes, width, height) => {
    const rows = await draw(`0,0,0,${sizes}`, [10, 8], [6, 6]);
    const marked = rows.filter((row) => row.startsWith("w"));
    expect([marked[0]?.lastIndexOf("w"), marked.length]).toEqual([width - 1, height]);
  });

  it("that is not larger than a picture may be", async () => {
    const plan = planOf("watermark(a.example/w.png,0,0,0,100000,100000)");
    const drawing = drawPixels(plan, paintPlain(100, 100, "#ffffff"), paintPlain(4, 4, "#ff0000"));
    await expect(drawing).rejects.toThrow(JobError);
  });
});

it("several watermarks are drawn in the order of the URL, between other filters", async () => {
  const mark = (url: string, x: number) => `watermark(a.example/${url}.png,${x},0,0)`;
  const drawn = await drawPixels(
    planOf(`${mark("red", 0)}:${mark("blue", 1)}:rgb(0,100,0):${mark("red", 3)}`),
    paintPlain(5, 1, "#000000"),
    paintPlain(2, 1, "#ff0000"),
    paintPlain(2, 1, "#0000ff"),
  );
  expect([0, 1, 2, 3, 4].map((x) => drawn.at(x, 0))).toEqual([
    [255, 255, 0],
    [0, 255, 255],
    [0, 255, 255],
    [255, 0, 0],
    [255, 0, 0],
  ]);
});

it("pixels are mixed as thumbor mixes them", async () => {
  const paint = (width: number, height: number, first: number) =>
    paintSamples(
      width,
      height,
      4,
      Array.from({ length: width * height * 4 }, (_, index) => {
        const pixel = Math.trunc(index / 4);
        const [x, y] = [pixel % width, Math.trunc(pixel / width)];
        return (x * 37 + y * 53 + (index % 4) * 71 + first) % 256;
      }),
    );
  const plan = planOf("watermark(a.example/w.png,2,-5,30)");
  const drawn = await drawPixels(plan, paint(9, 7, 0), paint(4, 3, 90));
  expect(drawn.samples).toEqual([...Buffer.from(expected, "base64")]);
});

// Computed by the C code of thumbor 7.8: at row -1, which is 5 above the bottom.
const expected =
  "AEeO1SVss/ppsIE0lNuXcL1qS6LnLnXJ3iVsswNKkdgob7b9NXzDClqh6C+mWzSHz3VdtEVAh9fuNHvDE1qh6Dh/xg1dpOsyarH4P4/WHWS0+0KJ2SBnrv5FjNMjarH4SI/WHW20+0KS2SBnn+YtdMQLUpnpMHe+DlWc4zN6wQhYn+YtfcQLUqLpMHfHDlWc1BtiqflAh84eZazzQ4rRGGiv9j2N1BtisvlAh9ceZaz8Q4rRCVCX3i51vANTmuEoeL8GTZ3kK3LCCVCX5y51vAxTmuExeL8GPoXME2Oq8TiIzxZdrfQ7gtIZYKf3PoXMHGOq8UGIzxZmrfQ7";
