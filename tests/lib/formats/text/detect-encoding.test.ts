import { describe, expect, test } from "vitest";
import { detectEncoding } from "#lib/formats/text/detect-encoding.ts";
import { encodeText } from "#tests/samples/encode-text.ts";

const subtitles = (text: string) => `1\n00:00:01,000 --> 00:00:02,000\n${text}\n`;

describe("the encoding of text without a byte order mark", () => {
  test.each([
    ["windows-1251", "Привет! Как дела?\nХорошо, спасибо."],
    ["windows-1251", "Да."],
    ["windows-1251", "ДА! НЕТ!"],
    ["windows-1251", "<i>Привет</i>, Mark"],
    ["windows-1251", "Ні, я не знаю, що це"],
    ["koi8-u", "Привет! Как дела?\nХорошо, спасибо."],
    ["ibm866", "Привет! Как дела?\nХорошо, спасибо."],
    ["windows-1253", "Καλημέρα, τι κάνεις;"],
    ["windows-1255", "שלום, מה שלומך היום?"],
    ["windows-1256", "مرحبا كيف حالك اليوم؟"],
    ["windows-874", "สวัสดีครับ คุณเป็นอย่างไรบ้าง"],
    ["windows-1250", "Cześć, jak się masz? Dziękuję, dobrze."],
    ["windows-1250", "Příliš žluťoučký kůň úpěl ďábelské ódy"],
    ["windows-1250", "Nagyon jól, köszönöm, nővérem őrült"],
    ["windows-1254", "Günaydın, nasılsın? Değil mi?"],
    ["windows-1257", "Ačiū, gerai. Šiandien yra gražu, mėgstu"],
    ["shift_jis", "こんにちは、元気ですか?"],
    ["euc-jp", "こんにちは、元気ですか?"],
    ["gb18030", "你好,今天天气怎么样?"],
    ["big5", "你好,今天天氣怎麼樣?"],
    ["euc-kr", "안녕하세요, 오늘 날씨가 어때요?"],
  ])("%s: %s", (encoding, text) => {
    expect(detectEncoding(encodeText(subtitles(text), encoding))).toBe(encoding);
    expect(detectEncoding(encodeText(`Line\n{\\an8}${text}\\N${text}`, encoding))).toBe(encoding);
  });

  test.each([
    "Äé",
    "être",
    "Müller",
    "Señor",
    "façade",
    "Möge die Macht mit dir sein – für immer",
    "¿Qué pasa? Mañana.",
    "Não, você não está lá. Coração",
    "C’est déjà l’été à Nîmes, garçon. Où ça ?",
    "ÉTÉ À LA MER",
    "Perché no? È così, però.",
    "På søndag får vi æbler",
    "Það er gott veður í dag",
    "Grüße € 5",
    "5 £ “ok” — 20°, 3 × 4 ± ½",
    "12 m³, 3 cm² and m³",
    "study¹",
    "10 µm, 5 µg/l",
    "København",
    "Sørensen, Ø 50 mm",
    "lunedì;martedì",
    "sì",
    "château, pâte",
    "plaît",
    "12 août 2024",
    "3 milhões",
    "Calle nº 5, 1ª",
    "¡Vamos!",
    "5 ‰, 5.2†",
    "¶ 12",
  ])("windows-1252: %s", (text) => {
    expect(detectEncoding(encodeText(subtitles(text), "windows-1252"))).toBe("windows-1252");
  });
});

test("valid UTF-8, byte order marks and ASCII decide", () => {
  expect(detectEncoding(Buffer.from("Привет é 你好"))).toBe("utf-8");
  expect(detectEncoding(Buffer.from("plain"))).toBe("utf-8");
  expect(detectEncoding(Buffer.from("\ufeffПривет"))).toBe("utf-8");
  expect(detectEncoding(Buffer.from("\ufeffПривет", "utf16le"))).toBe("utf-16le");
  expect(detectEncoding(Buffer.from("\ufeffПривет", "utf16le").swap16())).toBe("utf-16be");
});

test("UTF-8 with a damaged character stays UTF-8", () => {
  const text = Buffer.from("Привет! Как дела? Хорошо, спасибо.");
  expect(detectEncoding(Buffer.concat([text, Buffer.from([0xd0]), text]))).toBe("utf-8");
});
