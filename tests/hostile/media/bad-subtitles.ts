import type { MediaTypeId } from "#lib/media/types.ts";
import type { BadInput } from "../bad-input.ts";
import type { Canary } from "../canary.ts";

/** Bad inputs: subtitles that refer to files, hold commands, or are larger than any real ones. */

const cue = (number: number, text: string) => {
  const clock = (seconds: number) => new Date(seconds * 1000).toISOString().slice(11, 23);
  const time = (seconds: number) => clock(seconds).replace(".", ",");
  return `${number}\n${time(number % 80_000)} --> ${time((number % 80_000) + 1)}\n${text}\n\n`;
};

const srt = (text: string) => cue(1, text);

const assHead = `[Script Info]
ScriptType: v4.00+
PlayResX: 320
PlayResY: 180

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, Alignment
Style: Default,Arial,20,&H00FFFFFF,2

[Events]
Format: Layer, Start, End, Style, Text
`;
const ass = (text: string, before = "") =>
  `${before}${assHead}Dialogue: 0,0:00:00.00,0:00:01.00,Default,${text}\n`;

const row = (
  id: string,
  type: MediaTypeId,
  build: (canary: Canary) => string,
  expected: BadInput["expected"] = ["completes", "corrupt", "too_complex"],
): BadInput => ({
  id,
  type,
  expected,
  maxEngineBytes: 3 * 2 ** 30,
  build: (canary) => Buffer.from(build(canary)),
});

export const badSubtitles: readonly BadInput[] = [
  row("srt with 100,000 cues", "srt", () =>
    Array.from({ length: 100_000 }, (_, index) => cue(index + 1, `Line ${index}`)).join(""),
  ),
  row("srt with a line of 2 MB", "srt", () => srt("x".repeat(2_000_000))),
  row(
    "srt with times that end before they start",
    "srt",
    () =>
      "1\n00:00:09,000 --> 00:00:01,000\nbackwards\n\n2\n99:59:59,999 --> 00:00:00,000\nagain\n",
  ),
  row("srt with commands of ASS", "srt", ({ secretFile }) =>
    srt(`{\\p1}m 0 0 l 9999999 9999999{\\p0}{\\fn/${secretFile}}{\\clip(1,m 0 0)}text`),
  ),
  row("srt with unclosed markup, 10,000 deep", "srt", () => srt(`${"<b><i>".repeat(10_000)}deep`)),
  row(
    "vtt with a stylesheet from a URL",
    "vtt",
    ({ url, secretFile }) =>
      `WEBVTT\n\nSTYLE\n@import url(${url}/a.css);\n::cue { background: url(file://${secretFile}) }\n\n00:00.000 --> 00:01.000\n<c.a><v Ann>Hello\n`,
  ),
  row("ass with a font of 1,000,000 points and moves", "ass", () =>
    ass(`{\\fs1000000\\blur1000000\\bord1000000\\move(0,0,1e9,1e9)\\t(0,1e9,\\frz1e9)}x`),
  ),
  row("ass with a drawing of 100,000 points", "ass", () =>
    ass(`{\\p1}m 0 0 ${"l 300 100 0 0 ".repeat(50_000)}{\\p0}`),
  ),
  row("ass of 60,000 × 60,000 pixels with an embedded font", "ass", () =>
    ass("x", "[Fonts]\nfontname: a_0.ttf\n!!!!AAAA\n\n").replace(
      "PlayResX: 320",
      "PlayResX: 60000",
    ),
  ),
  row("ass without events", "ass", () => assHead),
];
