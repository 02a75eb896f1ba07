import { describe, expect, test } from "vitest";
import { planRtf } from "#lib/formats/scrub/legacy-office/rtf.ts";
import { makeOleFile } from "#tests/samples/office/ole-file.ts";
import { scrubBytes } from "#tests/samples/scrub-bytes.ts";

const rtf = (content: string) => `{\\rtf1\\ansi${content}}`;

/** Scrubs `content`, and removes the line ends that replace removed groups. */
async function scrub(content: string | Buffer): Promise<string> {
  const bytes = Buffer.concat([
    Buffer.from("{\\rtf1\\ansi"),
    Buffer.isBuffer(content) ? content : Buffer.from(content, "latin1"),
    Buffer.from("}"),
  ]);
  const scrubbed = await scrubBytes(bytes, planRtf);
  expect(scrubbed).toHaveLength(bytes.length);
  return scrubbed.toString("latin1").replaceAll("\n", "").slice("{\\rtf1\\ansi".length, -1);
}

describe("from RTF are removed", () => {
  test.each([
    ["its properties", "{\\info{\\title Secret}{\\author \\'53ecret}}a", "a"],
    ["its custom properties", "{\\*\\userprops{\\propname Secret}{\\staticval Secret}}a", "a"],
    ["its editing sessions", "{\\*\\rsidtbl \\rsid123456}\\insrsid123456 a", "\\insrsid000000 a"],
    ["its program and its template", "{\\*\\generator Secret;}{\\*\\template C:\\\\Secret}a", "a"],
    ["groups with braces in their text", "{\\info{\\title a\\}Secret\\{}}b", "b"],
    ["groups with braces in binary data", "{\\info{\\x\\bin5 }}}}}}}b", "b"],
    ["a group directly after a word", "\\b{\\info Secret}a", "\\ba"],
    ["a group on a separate line", "{\r\n\\info\r\nSecret}a", "a"],
    [
      "the authors of changes, which get different names",
      "{\\*\\revtbl {Unknown;}{Secret Ann;}{\\'53ecret Bob;}{J;}}a",
      "{\\*\\revtbl {Unknown;}{Author;}{Author 2;}{3;}}a",
    ],
    [
      "the authors and dates of comments",
      "{\\*\\atnid SA}{\\*\\atnauthor Secret}\\chatn{\\*\\annotation{\\*\\atndate 123}x}",
      "{\\*\\atnid A}{\\*\\atnauthor Author}\\chatn{\\*\\annotationx}",
    ],
    ["a name directly after its word", "{\\*\\atnauthor\\'53ecret}", "{\\*\\atnauthor Author}"],
    [
      "the dates of changes, except their order",
      "\\revdttm1736782281 a\\revdttm-2055000000 b\\revdttmdel1736782281 c",
      "\\revdttm0083953668 a\\revdttm00083953666 b\\revdttmdel0083953668 c",
    ],
    ["data after its end", "a}Secret{", "a"],
  ])("%s", async (_, before, after) => {
    expect(await scrub(before)).toBe(after);
  });

  test("no other content", async () => {
    const kept =
      "{\\fonttbl{\\f0 Info;}}\\info{Secret \\u26481 ?\\'e9\\~\\-}{\\*\\docvar {a}{b}}\\par";
    expect(await scrub(kept)).toBe(kept);
  });

  test("the GPS positions of its images, in hexadecimal digits or binary data", async () => {
    const head = "ffd8ffe1001345786966000053656372657420706c6163"; // "Secret plac"
    const rest = "ffda00026162ffd9";
    const scrubbed = "ffd8ffef0013".padEnd(head.length, "0") + rest;
    const digits = `${head.slice(0, 20)}\r\n${head.slice(20)}\n${rest}`;
    const imageGroup = (content: string) =>
      `{\\pict\\picw1{\\*\\blipuid 00ff}\\jpegblip ${content}}`;
    expect((await scrub(imageGroup(digits))).replace("\r", "")).toBe(imageGroup(scrubbed));
    const bytes = (hex: string) => Buffer.from(hex, "hex").toString("latin1");
    const binary = (hex: string) => imageGroup(`\\bin${hex.length / 2} ${bytes(hex)}`);
    expect(await scrub(Buffer.from(binary(head + rest), "latin1"))).toBe(binary(scrubbed));
  });

  test("the properties of embedded documents", async () => {
    const inner = makeOleFile({ "\x05SummaryInformation": Buffer.from("Secret") });
    const object = Buffer.concat([Buffer.from("0105000002000000", "hex"), inner]).toString("hex");
    const secret = Buffer.from("Secret").toString("hex");
    expect(object).toContain(secret);
    expect(await scrub(`{\\object{\\*\\objdata ${object}}}`)).not.toContain(secret);
  });
});

describe("hostile RTF", () => {
  test.each([
    ["text without RTF", "text"],
    ["a group that does not end", "{\\rtf1 {\\info a"],
    ["binary data past the end", "{\\rtf1\\bin999 a}"],
    ["a hundred thousand nested groups", `{\\rtf1${"{".repeat(100_000)}`],
  ])("is rejected as damaged: %s", async (_, content) => {
    await expect(scrubBytes(Buffer.from(content), planRtf)).rejects.toBeInstanceOf(RangeError);
  });

  test.each([0, 1, 2, 3, 17, 40, 63, 64, 65])(
    "is parsed correctly at the end of a window: %i",
    async (shift) => {
      const filler = "x".repeat(2 ** 20 - 70 + shift);
      const group = "{\\*\\userprops{\\propname Secret}}\\'53\\revdttm1736782280 a";
      const bytes = Buffer.from(rtf(`${filler}${group}`));
      const scrubbed = (await scrubBytes(bytes, planRtf)).toString().replaceAll("\n", "");
      expect(scrubbed.slice(-40)).toBe(rtf(`${filler}\\'53\\revdttm0083953666 a`).slice(-40));
    },
  );
});
