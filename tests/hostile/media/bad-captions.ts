import type { Canary } from "../canary.ts";

/** Bad inputs: texts to render that a filter, a markup language or a shell would interpret. */
export interface BadCaption {
  readonly id: string;
  readonly text: (canary: Canary) => string;
  /** Whether validation rejects it. */
  readonly isRejected?: boolean;
}

/** Injections that leave the quoted text of a filter graph and add a filter that draws a file. */
const injections = [
  "',drawtext=textfile=SECRET",
  "':textfile='SECRET",
  "\\',drawtext=textfile=SECRET:fontcolor=white,drawtext=text='",
  "'\\\\\\'',drawtext=textfile=SECRET:x=0:y=0,null=",
  "[a];movie=SECRET[b];[a][b]overlay",
  "x:textfile=SECRET:reload=1",
  "%{expr:1}%{metadata:SECRET}",
  "@SECRET",
];

const plainCaption = (id: string, text: string): BadCaption => ({ id, text: () => text });
const rejectedCaption = (id: string, text: string): BadCaption => ({
  ...plainCaption(id, text),
  isRejected: true,
});

export const badCaptions: readonly BadCaption[] = [
  ...injections.map((injection) => ({
    id: `the injection ${injection}`,
    text: ({ secretFile }: Canary) => injection.replace("SECRET", secretFile),
  })),
  plainCaption("quotes, colons, backslashes", `it's 5:30 "now" \\n [a] ; , = %`),
  plainCaption("an expansion", "%{pts} %{localtime}"),
  plainCaption("markup", "<span foreground='red'>&amp;&x;</span>"),
  plainCaption("unclosed markup", "<b><i>&"),
  plainCaption("line breaks", "one\ntwo\r\nthree"),
  plainCaption("Arabic", "مرحبا بالعالم"),
  plainCaption("Hebrew", "שלום עולם"),
  plainCaption("Chinese", "你好世界"),
  plainCaption("Devanagari", "नमस्ते दुनिया"),
  plainCaption("emoji", "👩‍👩‍👧‍👦🎉"),
  plainCaption("a hundred combining marks on one letter", `a${"\u0301".repeat(100)}`),
  plainCaption("direction marks", "\u202eabc\u2066def\u2069"),
  plainCaption("characters without a font", "\u{f0000}\u{10fffd}\ue000"),
  plainCaption("the longest text", "wonderful ".repeat(50)),
  rejectedCaption("10 KB", "x".repeat(10_000)),
  rejectedCaption("an empty text", ""),
  rejectedCaption("a NUL", "a\0b"),
  rejectedCaption("an escape sequence", "\u001b[31mred"),
  rejectedCaption("a lone surrogate", "a\ud800"),
];
