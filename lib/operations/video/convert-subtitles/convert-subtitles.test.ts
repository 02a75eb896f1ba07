import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sniffFile } from "#lib/formats/sniff/sniff.ts";
import { convertSubtitlesOperation } from "#lib/operations/video/convert-subtitles/index.ts";
import { encodeText } from "#tests/samples/encode-text.ts";
import { ffmpeg, videoFolder } from "#tests/samples/videos.ts";
import { runOperation } from "#tests/support/operation.ts";

type Format = "srt" | "vtt" | "ass";

let files = 0;

function write(content: string | Buffer, extension: string): string {
  const path = join(videoFolder(), `subtitles-${files++}.${extension}`);
  writeFileSync(path, content);
  return path;
}

/** Converts a text whose type is detected, and returns the output. */
async function convert(content: string | Buffer, format: Format, from?: Format): Promise<string> {
  const path = write(content, from ?? "bin");
  const { id } = await sniffFile(path);
  if (from) expect(id).toBe(from);
  const { outputs } = await runOperation(convertSubtitlesOperation, { path, type: id }, { format });
  const output = outputs[0];
  if (!output) throw new Error("no output");
  expect(output.extension).toBe(format);
  expect((await sniffFile(output.path)).id).toBe(format);
  return readFileSync(output.path, "utf8");
}

/** The times and texts that ffmpeg reads, without tags. */
function readByFfmpeg(text: string, extension: Format): [string, string][] {
  const srt = ffmpeg("-i", write(text, extension), "-f", "srt", "-")
    .toString()
    .replaceAll("\r", "");
  const cues = srt.matchAll(/\d+\n([\d:,]+ --> [\d:,]+)\n([\s\S]*?)\n\n/g);
  return [...cues].map(([, time = "", body = ""]) => [
    time,
    body.replaceAll(/<[^>]+>|\{[^}]+\}/g, "").trim(),
  ]);
}

const srt = `1
00:00:01,230 --> 00:00:02,500
Hello <b>bold</b> and <i>italic</i>

2
00:00:03,000 --> 00:00:04,010
{\\an8}At the top
in two lines & more

3
01:02:03,040 --> 01:02:05,060
<font color="#ff0000">red</font> مرحبا 你好 🎉
`;

const formats: readonly Format[] = ["srt", "vtt", "ass"];

describe("each format converts into each", () => {
  const pairs = formats.flatMap((from) => formats.map((to) => [from, to] as const));

  it.each(pairs)("%s → %s, with the same times and texts", async (from, to) => {
    const source = from === "srt" ? srt : await convert(srt, from);
    const converted = await convert(source, to, from);
    const expected: [string, string][] = [
      ["00:00:01,230 --> 00:00:02,500", "Hello bold and italic"],
      ["00:00:03,000 --> 00:00:04,010", "At the top\nin two lines & more"],
      ["01:02:03,040 --> 01:02:05,060", "red مرحبا 你好 🎉"],
    ];
    // ffmpeg does not decode the entities of WebVTT other than these.
    expect(readByFfmpeg(converted, to)).toEqual(expected);
    // Back in SRT, styles are the same, too.
    expect(await convert(converted, "srt")).toBe(srt);
  });
});

describe("SRT", () => {
  it.each<[string, string | Buffer, string]>([
    ["with CRLF", "1\r\n00:00:01,000 --> 00:00:02,000\r\nA\r\nB\r\n", "A\nB"],
    ["with a byte order mark", "\ufeff1\n00:00:01,000 --> 00:00:02,000\nA\n", "A"],
    ["in UTF-16", Buffer.from("\ufeff1\n00:00:01,000 --> 00:00:02,000\nÄ\n", "utf16le"), "Ä"],
    ["in Windows-1252", Buffer.from("1\n00:00:01,000 --> 00:00:02,000\nÄé\n", "latin1"), "Äé"],
    ["with points and without numbers", "00:00:01.000 --> 00:00:02.000\nA\n", "A"],
    ["with short fractions", "1\n0:0:01,0 --> 0:0:02,0\nA\n", "A"],
    ["with an empty line in a text", "1\n00:00:01,000 --> 00:00:02,000\nA\n\nB\n", "A\n\u00a0\nB"],
    ["with unknown tags", "1\n00:00:01,000 --> 00:00:02,000\n1 < 2 <x> > 3\n", "1 < 2 <x> > 3"],
    [
      "with a backslash and braces",
      "1\n00:00:01,000 --> 00:00:02,000\nC:\\new {x}\n",
      "C:\\new {x}",
    ],
  ])("is read %s", async (_, content, expected) => {
    for (const to of formats) {
      const back = await convert(await convert(content, to, "srt"), "srt");
      expect(back).toBe(`1\n00:00:01,000 --> 00:00:02,000\n${expected}\n`);
    }
  });

  it.each([
    ["windows-1251", "Привет! Как дела?"],
    ["gb18030", "你好,今天天气怎么样?"],
    ["shift_jis", "こんにちは、元気ですか?"],
  ])("in %s is read as it is, with a warning", async (encoding, expected) => {
    const cue = `1\n00:00:01,000 --> 00:00:02,000\n${expected}\n`;
    const path = write(encodeText(cue, encoding), "srt");
    const sample = { path, type: "srt" } as const;
    const { outputs, warnings } = await runOperation(convertSubtitlesOperation, sample);
    expect(readFileSync(outputs[0]?.path ?? "", "utf8")).toBe(cue);
    expect(warnings).toEqual([expect.stringContaining(`read as ${encoding}`)]);
  });

  it("has its cues in order", async () => {
    const two = "1\n00:00:05,000 --> 00:00:06,000\nB\n\n2\n00:00:01,000 --> 00:00:02,000\nA\n";
    const [first] = readByFfmpeg(await convert(two, "vtt"), "vtt");
    expect(first?.[1]).toBe("A");
  });
});

describe("WebVTT", () => {
  const vtt = `WEBVTT - title

STYLE
::cue(.loud) { color: #00ff80 }

NOTE
a comment --> is no cue

intro
00:01.500 --> 00:02.750 line:0 align:start
<v Fred>Hi &amp; <c.loud>bye</c> &lt;3

00:03.000 --> 00:04.000
<00:03.500>karaoke <lang en>text</lang>
`;

  it("is read with settings, voices, classes, entities and times in the text", async () => {
    const text = await convert(vtt, "srt", "vtt");
    expect(text).toBe(
      "1\n00:00:01,500 --> 00:00:02,750\n" +
        '{\\an7}Hi & <font color="#00ff80">bye</font> <3\n\n' +
        "2\n00:00:03,000 --> 00:00:04,000\nkaraoke text\n",
    );
  });

  it("is read without spaces around the arrow", async () => {
    const text = await convert("WEBVTT\n\n00:01.000-->00:02.000 line:0\nA\n", "srt", "vtt");
    expect(text).toBe("1\n00:00:01,000 --> 00:00:02,000\n{\\an8}A\n");
  });

  it("keeps voices", async () => {
    expect(await convert(await convert(vtt, "ass"), "vtt")).toContain("<v Fred>Hi &amp;");
  });
});

describe("ASS", () => {
  const ass = `[Script Info]
ScriptType: v4.00+
PlayResX: 640

[V4+ Styles]
Format: Name, Fontname, Fontsize, Alignment
Style: Top,Arial,20,8

[Fonts]
fontname: evil.ttf
AAAA

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Comment: 0,0:00:00.00,0:00:01.00,Top,,0,0,0,,hidden
Dialogue: 0,0:00:01.50,0:00:02.25,Top,Ann,0,0,0,,Wait, {\\i1\\fs40}what{\\i0}\\Nis this?
Dialogue: 0,0:00:03.00,0:00:04.00,Top,,0,0,0,,{\\p1}m 0 0 l 10 10{\\p0}
Dialogue: 0,0:00:05.00,0:00:06.00,Default,,0,0,0,,{\\c&H0000FF&}red{\\r} plain{\\an5}
`;

  it("is read with overrides and the alignment of styles, without drawings and comments", async () => {
    expect(await convert(ass, "srt", "ass")).toBe(
      "1\n00:00:01,500 --> 00:00:02,250\n{\\an8}Wait, <i>what</i>\nis this?\n\n" +
        '2\n00:00:05,000 --> 00:00:06,000\n{\\an5}<font color="#ff0000">red</font> plain\n',
    );
  });

  it("stays with its styles, without embedded files", async () => {
    const kept = await convert(ass, "ass");
    expect(kept).toContain("Style: Top,Arial,20,8");
    expect(kept).toContain("{\\i1\\fs40}what");
    expect(kept).not.toMatch(/evil|AAAA|hidden/);
  });
});

it.each<[string, string, Format]>([
  ["no cue", "WEBVTT\n\nNOTE nothing\n", "vtt"],
  ["only empty cues", "1\n00:00:01,000 --> 00:00:02,000\n\n", "srt"],
  ["no dialogue", "[Script Info]\nTitle: x\n", "ass"],
])("a file with %s is an error", async (_, content, type) => {
  await expect(convert(content, "srt", type)).rejects.toMatchObject({ code: "corrupt" });
});

it("reads a large file with hostile text in linear time", async () => {
  const lines = `${"<".repeat(5000)}${"{\\".repeat(5000)}${"&#".repeat(5000)}\n`.repeat(20);
  const cue = (index: number) => `${index}\n00:00:01,000 --> 00:00:02,000\n${lines}\n`;
  const text = await convert([1, 2, 3].map(cue).join("\n"), "ass", "srt");
  expect(text.match(/^Dialogue:/gm)).toHaveLength(3);
});
