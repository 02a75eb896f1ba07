import { describe, expect, test } from "vitest";
import { planRtf } from "#lib/scrub/legacy-office/rtf.ts";
import { makeCompound } from "#tests/samples/compound.ts";
import { scrubBytes } from "#tests/samples/scrub-bytes.ts";

const rtf = (content: string) => `{\\rtf1\\ansi${content}}`;

/** What becomes of `content`, with the line ends away that stand for what has gone. */
async function scrub(content: string | Buffer): Promise<string> {
  const bytes = Buffer.concat([
    Buffer.from("{\\rtf1\\ansi"),
    Buffer.isBuffer(content) ? content : Buffer.from(content, "latin1"),
    Buffer.from("}"),
  ]);
  const cleaned = await scrubBytes(bytes, planRtf);
  expect(cleaned).toHaveLength(bytes.length);
  return cleaned.toString("latin1").replaceAll("\n", "").slice("{\\rtf1\\ansi".length, -1);
}

describe("RTF loses", () => {
  test.each([
    ["its properties", "{\\info{\\title Secret}{\\author \\'53ecret}}a", "a"],
    ["its own properties", "{\\*\\userprops{\\propname Secret}{\\staticval Secret}}a", "a"],
    ["its sessions", "{\\*\\rsidtbl \\rsid123456}\\insrsid123456 a", "\\insrsid000000 a"],
    ["its program and its template", "{\\*\\generator Secret;}{\\*\\template C:\\\\Secret}a", "a"],
    ["groups with braces in their text", "{\\info{\\title a\\}Secret\\{}}b", "b"],
    ["groups with bytes that look like braces", "{\\info{\\x\\bin5 }}}}}}}b", "b"],
    ["a group right behind a word", "\\b{\\info Secret}a", "\\ba"],
    ["a group on a line of its own", "{\r\n\\info\r\nSecret}a", "a"],
    [
      "the authors of changes, who stay apart",
      "{\\*\\revtbl {Unknown;}{Secret Ann;}{\\'53ecret Bob;}{J;}}a",
      "{\\*\\revtbl {Unknown;}{Author;}{Author 2;}{3;}}a",
    ],
    [
      "the authors of comments and when they wrote",
      "{\\*\\atnid SA}{\\*\\atnauthor Secret}\\chatn{\\*\\annotation{\\*\\atndate 123}x}",
      "{\\*\\atnid A}{\\*\\atnauthor Author}\\chatn{\\*\\annotationx}",
    ],
    ["a name right behind its word", "{\\*\\atnauthor\\'53ecret}", "{\\*\\atnauthor Author}"],
    [
      "the dates of changes, whose order stays",
      "\\revdttm1736782281 a\\revdttm-2055000000 b\\revdttmdel1736782281 c",
      "\\revdttm0083953668 a\\revdttm00083953666 b\\revdttmdel0083953668 c",
    ],
    ["what follows its end", "a}Secret{", "a"],
  ])("%s", async (_, before, after) => {
    expect(await scrub(before)).toBe(after);
  });

  test("nothing else", async () => {
    const kept =
      "{\\fonttbl{\\f0 Info;}}\\info{Secret \\u26481 ?\\'e9\\~\\-}{\\*\\docvar {a}{b}}\\par";
    expect(await scrub(kept)).toBe(kept);
  });

  test("the places of its photographs, in digits or in bytes", async () => {
    const head = "ffd8ffe1001345786966000053656372657420706c6163"; // "Secret plac"
    const rest = "ffda00026162ffd9";
    const cleaned = "ffd8ffef0013".padEnd(head.length, "0") + rest;
    const digits = `${head.slice(0, 20)}\r\n${head.slice(20)}\n${rest}`;
    const picture = (content: string) => `{\\pict\\picw1{\\*\\blipuid 00ff}\\jpegblip ${content}}`;
    expect((await scrub(picture(digits))).replace("\r", "")).toBe(picture(cleaned));
    const bytes = (hex: string) => Buffer.from(hex, "hex").toString("latin1");
    const binary = (hex: string) => picture(`\\bin${hex.length / 2} ${bytes(hex)}`);
    expect(await scrub(Buffer.from(binary(head + rest), "latin1"))).toBe(binary(cleaned));
  });

  test("the properties of documents inside it", async () => {
    const inner = makeCompound({ "\x05SummaryInformation": Buffer.from("Secret") });
    const object = Buffer.concat([Buffer.from("0105000002000000", "hex"), inner]).toString("hex");
    const secret = Buffer.from("Secret").toString("hex");
    expect(object).toContain(secret);
    expect(await scrub(`{\\object{\\*\\objdata ${object}}}`)).not.toContain(secret);
  });
});

describe("hostile RTF", () => {
  test.each([
    ["none at all", "text"],
    ["a group that does not end", "{\\rtf1 {\\info a"],
    ["bytes past the end", "{\\rtf1\\bin999 a}"],
    ["a hundred thousand groups in each other", `{\\rtf1${"{".repeat(100_000)}`],
  ])("is damaged: %s", async (_, content) => {
    await expect(scrubBytes(Buffer.from(content), planRtf)).rejects.toBeInstanceOf(RangeError);
  });

  test.each([0, 1, 2, 3, 17, 40, 63, 64, 65])(
    "is read whole where windows end: %i",
    async (shift) => {
      const filler = "x".repeat(2 ** 20 - 70 + shift);
      const group = "{\\*\\userprops{\\propname Secret}}\\'53\\revdttm1736782280 a";
      const bytes = Buffer.from(rtf(`${filler}${group}`));
      const cleaned = (await scrubBytes(bytes, planRtf)).toString().replaceAll("\n", "");
      expect(cleaned.slice(-40)).toBe(rtf(`${filler}\\'53\\revdttm0083953666 a`).slice(-40));
    },
  );
});
