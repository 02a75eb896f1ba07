import type { CueSpan } from "./cues.ts";

/** Scripts that are written without spaces: libass breaks lines only at spaces. */
const wide =
  /[\u1100-\u115f\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]/;

/** Closing punctuation, which must not begin a line. */
const closing = /[、。，．：；？！）」』】〉》ー々・…]/;

/** Breaks lines of wide characters that are longer than `width` em. Other text stays as it is. */
export function wrapWideText(spans: readonly CueSpan[], width: number): CueSpan[] {
  if (!spans.some(({ text }) => wide.test(text))) return [...spans];
  let used = 0;
  return spans.map((span) => {
    let text = "";
    for (const character of span.text) {
      const size = wide.test(character) ? 1 : 0.55;
      if (character === "\n" || character === " ") used = character === "\n" ? 0 : used + 0.3;
      else if (used + size > width && wide.test(character) && !closing.test(character)) {
        text += "\n";
        used = size;
      } else {
        used += size;
      }
      text += character;
    }
    return { ...span, text };
  });
}
