import { readFile } from "node:fs/promises";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { describe, expect, test } from "vitest";
import { ocrLanguages } from "#lib/engines/tesseract/languages.ts";
import type { OcrWord } from "#lib/engines/tesseract/parse-words.ts";
import { ocr } from "#lib/operations/image/ocr/index.ts";
import { makeTestImage, toSample } from "#tests/samples/images/images.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { exiftool } from "#tests/support/exiftool.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

async function run(sample: Sample, params: Record<string, unknown> = {}) {
  const { outputs, result } = await runOperation(ocr, sample, params);
  const text = await readFile(outputs[0]?.path ?? "", "utf8");
  expect([outputs.length, outputs[0]?.extension]).toEqual([1, "txt"]);
  expect(text).toBe(result?.text || "\n");
  return { text: `${result?.text}`, words: result?.words as OcrWord[] };
}

/** A clean scan of `text`: black on white, with margins. */
async function drawPage(text: string, { size = 32 } = {}) {
  const font = `Noto Sans ${size}`;
  const layout = { width: 1000, dpi: 72, spacing: Math.round(size / 3) } as const;
  const drawn = await sharp({ text: { text, font, rgba: true, wrap: "word-char", ...layout } })
    .png()
    .toBuffer();
  const white = { background: "#ffffff" };
  const flat = await sharp(drawn).flatten(white).png().toBuffer();
  return sharp(flat).extend({ top: 60, bottom: 60, left: 60, right: 60, ...white });
}

const toPng = async (image: Sharp) => toSample("png", await image.png().toBuffer());

/** The share of `wanted` that is in `found`, each as often as it is wanted. */
function shareFound(wanted: readonly string[], found: readonly string[]): number {
  const left = [...found];
  const hits = wanted.filter((word) => {
    const index = left.indexOf(word);
    if (index >= 0) left.splice(index, 1);
    return index >= 0;
  });
  return hits.length / wanted.length;
}

/** The data of this language load five times faster than those of English. */
const quick = { languages: "rus" };

const splitWords = (text: string) => text.split(/\s+/).filter(Boolean);
/** Chinese and Japanese have no spaces. */
const splitCharacters = (text: string) => [...text.replace(/\s/g, "")];

const texts = {
  eng: "The harbor mill was built in 1874 by two brothers who had come from the north. Today the old building is a library with more than 40,000 books, a small café and a garden.",
  deu: "Die alte Mühle am Hafen wurde im Jahre 1874 von zwei Brüdern erbaut, die aus dem Norden gekommen waren. Heute ist das große Gebäude eine Bücherei mit einem schönen Garten.",
  rus: "Старая мельница у гавани была построена двумя братьями, которые приехали с севера. Сегодня в большом здании находится библиотека с красивым садом.",
  ara: "بنيت الطاحونة القديمة عند الميناء على يد أخوين جاءا من الشمال. دارت عجلاتها ليلا ونهارا مدة تسعين سنة تقريبا. واليوم أصبح المبنى الكبير مكتبة فيها كتب كثيرة وحديقة جميلة.",
  "chi-sim":
    "港口的老磨坊是由两个来自北方的兄弟建造的。今天，这座大楼是一座图书馆，有四万多本书和一个美丽的花园。",
  jpn: "港の古い水車小屋は、北から来た二人の兄弟によって建てられました。今日、この大きな建物は美しい庭のある図書館になっています。",
  // Broken at spaces: at the end of a line, a scan does not say whether a Korean word ends there.
  kor: [
    "항구의 오래된 방앗간은 북쪽에서 온 두 형제가 지었습니다.",
    "오늘날 이 큰 건물은 아름다운 정원이 있는 도서관입니다.",
    "서울은 대한민국의 수도이며 가장 큰 도시이다. 한강이 도시의",
    "가운데를 흐르고, 주변에는 높은 산이 많이 있다. 해마다 많은",
    "사람들이 이곳을 찾아온다. 회의는 오전 열 시에 시작하여",
    "오후 두 시에 끝났다. 참석자들은 예산과 일정에 대해",
    "오랫동안 이야기를 나누었고, 다음 달에 다시 만나기로 했다.",
  ].join("\n"),
  hin: "बंदरगाह की पुरानी चक्की उत्तर से आए दो भाइयों ने बनाई थी। आज यह बड़ी इमारत एक सुंदर बगीचे वाला पुस्तकालय है।",
} as const;

describe("a clean scan: at least 98 % of the words, in the text and with boxes", () => {
  test.each(Object.entries(texts))("%s", async (languages, wanted) => {
    const { text, words } = await run(await toPng(await drawPage(wanted)), {
      languages,
    });
    const split = /chi|jpn/.test(languages) ? splitCharacters : splitWords;
    expect(shareFound(split(wanted), split(text))).toBeGreaterThanOrEqual(0.98);
    const joined = words.map((word) => word.text).join(" ");
    expect(shareFound(split(wanted), split(joined))).toBeGreaterThanOrEqual(0.98);
    const sure = words.filter(({ confidence }) => confidence > 0.6 && confidence <= 1);
    expect(sure.length).toBeGreaterThan(words.length * 0.9);
  });
});

test.each([13, 64])("letters of %d pixels are scaled to what is recognized best", async (size) => {
  const wanted = texts.eng.slice(0, 90);
  const { words } = await run(await toPng(await drawPage(wanted, { size })));
  const found = words.map(({ text }) => text);
  expect(shareFound(splitWords(wanted).slice(0, -1), found)).toBeGreaterThanOrEqual(0.98);
  // Boxes are in pixels of the image, not of its scaled copy.
  const heights = words.map(({ box }) => box.height).sort((left, right) => left - right);
  const median = heights[Math.floor(heights.length / 2)] ?? 0;
  expect(median).toBeGreaterThan(size * 0.5);
  expect(median).toBeLessThan(size * 1.2);
});

test("a box surrounds its word", async () => {
  const word = await sharp({ text: { text: "Гавань", font: "Noto Sans 40", rgba: true, dpi: 72 } })
    .png()
    .toBuffer({ resolveWithObject: true });
  const page = sharp({ create: { width: 700, height: 400, channels: 3, background: "#ffffff" } });
  const { words } = await run(
    await toPng(
      sharp(
        await page
          .composite([{ input: word.data, left: 300, top: 220 }])
          .png()
          .toBuffer(),
      ),
    ),
    quick,
  );
  expect(words.map(({ text }) => text)).toEqual(["Гавань"]);
  const { left = 0, top = 0, width = 0, height = 0 } = words[0]?.box ?? {};
  for (const [actual, expected] of [
    [left, 300],
    [top, 220],
    [width, word.info.width],
    [height, word.info.height],
  ] as const) {
    expect(Math.abs(actual - expected)).toBeLessThan(8);
  }
});

test("two languages on one page", async () => {
  const wanted = "Grüße aus der großen Mühle am Hafen. Привет из старой мельницы у моря.";
  const { text } = await run(await toPng(await drawPage(wanted)), { languages: "deu+rus" });
  expect(shareFound(splitWords(wanted), splitWords(text))).toBe(1);
});

describe("other images", () => {
  const wanted = "Сегодня в большом здании находится библиотека с красивым садом.";
  const expectFound = async (sample: Sample) => {
    const { text } = await run(sample, quick);
    expect(shareFound(splitWords(wanted), splitWords(text))).toBeGreaterThanOrEqual(0.98);
  };

  test("EXIF orientation, transparency, white on black", async () => {
    const page = await (await drawPage(wanted)).png().toBuffer();
    const dark = sharp(page).negate({ alpha: false }).rotate(270);
    const turned = await toSample("jpeg", await dark.jpeg().toBuffer());
    await exiftool("-q", "-overwrite_original", "-Orientation#=6", turned.path);
    await expectFound(turned);
    const clear = sharp(page).negate().toColourspace("b-w");
    const ink = { create: { width: 1, height: 1, channels: 3, background: "#000" } } as const;
    const { width = 0, height = 0 } = await sharp(page).metadata();
    const letters = sharp({ create: { ...ink.create, width, height } }).joinChannel(
      await clear.raw().toBuffer(),
      { raw: { width, height, channels: 1 } },
    );
    await expectFound(await toPng(letters));
  });

  test("a page upside down", async () => {
    const text = texts.rus;
    const page = await (await drawPage(text)).png().toBuffer();
    const found = await run(await toPng(sharp(page).rotate(180)), quick);
    expect(shareFound(splitWords(text), splitWords(found.text))).toBeGreaterThanOrEqual(0.98);
  });

  test("the letter of the site's sample, scanned and a little crooked", async () => {
    const path = join(import.meta.dirname, "../../../../public/samples/inputs/scan.jpg");
    const { text } = await run({ path, type: "jpeg" });
    expect(text).toContain("Harbor Mill & Co.");
    expect(text).toContain("The total amount of 1,248.50 is due within");
  });

  test("an image without text has none", async () => {
    const blank = sharp({ create: { width: 200, height: 100, channels: 3, background: "#fff" } });
    expect(await run(await toPng(blank), quick)).toEqual({ text: "", words: [] });
    await run(await toPng(makeTestImage({ width: 1, height: 1 })), quick);
  });
});

describe("bad requests", () => {
  test("a damaged file", async () => {
    const bytes = await makeTestImage().jpeg().toBuffer();
    const sample = await toSample("jpeg", bytes.subarray(0, bytes.length / 2));
    await expect(runOperation(ocr, sample)).rejects.toMatchObject({ code: "corrupt" });
  });

  test.each(["", "xyz", "eng+", "eng+eng", "eng deu", "../eng", "eng+deu+fra+spa+ita+por", "-l"])(
    "the languages %j are rejected",
    (languages) => {
      const { error } = ocr.params.safeParse({ languages });
      expect(error?.issues[0]?.message).toContain("such as eng+deu");
    },
  );

  test("every language is installed and accepted, with a hyphen or an underscore", () => {
    const list = execProgram("tesseract", ["--list-langs"], { encoding: "utf8" }).split("\n");
    for (const language of ocrLanguages()) {
      expect(ocr.params.safeParse({ languages: language }).success).toBe(true);
      expect(list).toContain(language.replace("-", "_"));
    }
    expect(ocr.params.safeParse({ languages: "chi_sim+eng" }).success).toBe(true);
  });
});
