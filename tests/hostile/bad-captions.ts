import type { Bait } from "./canary.ts";

/** Texts to draw that would be something else to a filter, a markup language or a shell. */
export interface BadCaption {
  readonly id: string;
  readonly text: (bait: Bait) => string;
  /** Refused before anything is drawn. */
  readonly isRefused?: boolean;
}

/** Ways out of a quoted text of a filter graph, each to a filter that draws a file. */
const escapes = [
  "',drawtext=textfile=SECRET",
  "':textfile='SECRET",
  "\\',drawtext=textfile=SECRET:fontcolor=white,drawtext=text='",
  "'\\\\\\'',drawtext=textfile=SECRET:x=0:y=0,null=",
  "[a];movie=SECRET[b];[a][b]overlay",
  "x:textfile=SECRET:reload=1",
  "%{expr:1}%{metadata:SECRET}",
  "@SECRET",
];

const plain = (id: string, text: string): BadCaption => ({ id, text: () => text });
const refused = (id: string, text: string): BadCaption => ({ ...plain(id, text), isRefused: true });

export const badCaptions: readonly BadCaption[] = [
  ...escapes.map((way) => ({
    id: `the way out ${way}`,
    text: ({ secret }: Bait) => way.replace("SECRET", secret),
  })),
  plain("quotes, colons, backslashes", `it's 5:30 "now" \\n [a] ; , = %`),
  plain("an expansion", "%{pts} %{localtime}"),
  plain("markup", "<span foreground='red'>&amp;&x;</span>"),
  plain("markup that is not closed", "<b><i>&"),
  plain("line breaks", "one\ntwo\r\nthree"),
  plain("Arabic", "مرحبا بالعالم"),
  plain("Hebrew", "שלום עולם"),
  plain("Chinese", "你好世界"),
  plain("Devanagari", "नमस्ते दुनिया"),
  plain("emoji", "👩‍👩‍👧‍👦🎉"),
  plain("a hundred marks on one letter", `a${"\u0301".repeat(100)}`),
  plain("marks of direction", "\u202eabc\u2066def\u2069"),
  plain("characters of no font", "\u{f0000}\u{10fffd}\ue000"),
  plain("the longest text", "wonderful ".repeat(50)),
  refused("10 KB", "x".repeat(10_000)),
  refused("nothing", ""),
  refused("a NUL", "a\0b"),
  refused("an escape sequence", "\u001b[31mred"),
  refused("half a character", "a\ud800"),
];
