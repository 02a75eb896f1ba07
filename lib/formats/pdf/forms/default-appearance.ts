import type { TextBox } from "../text/text-box.ts";

/** What the default appearance string of a field says: its font, size and color. */
export type TextStyle = Pick<TextBox, "fontSize" | "family" | "isBold" | "isItalic" | "color">;

/** The largest font size in points. */
const maxFontSize = 500;

/**
 * Parses a default appearance such as `/Helv 12 Tf 0 0 1 rg` (ISO 32000-1, 12.7.3.3). `fontName` is the
 * name of the font in the resources of the form, such as `Helvetica-Bold`.
 */
export function parseDefaultAppearance(
  text: string,
  fontName: (resource: string) => string | undefined,
): TextStyle {
  const [, resource = "", size = "0"] = /\/([^\s/]+)\s+([\d.]+)\s+Tf/.exec(text) ?? [];
  const name = `${resource} ${fontName(resource) ?? ""}`;
  const isMono = /cour|mono|consol|typewriter/i.test(name);
  const isSerif =
    /times|tiro|serif|roman|georgia|garamond|minion|\bTi/i.test(name) && !/sans/i.test(name);
  return {
    fontSize: Math.min(maxFontSize, Number(size) || 0),
    family: isMono ? "mono" : isSerif ? "serif" : "sans",
    isBold: /bold|black|heavy|HeBo|TiBo|CoBo/i.test(name),
    isItalic: /italic|oblique|HeOb|TiIt|CoOb/i.test(name),
    color: parseFillColor(text),
  };
}

function parseFillColor(text: string): string {
  const number = "([\\d.]+)\\s+";
  const last = (count: number, operator: string) =>
    [...text.matchAll(new RegExp(`(?<![\\d.])${number.repeat(count)}${operator}(?=\\s|$)`, "g"))]
      .at(-1)
      ?.slice(1)
      .map((part) => Math.min(1, Number(part) || 0));
  const gray = last(1, "g");
  const rgb = last(3, "rg");
  const cmyk = last(4, "k");
  if (rgb) return toHex(rgb);
  if (cmyk) {
    const black = cmyk[3] ?? 0;
    return toHex(cmyk.slice(0, 3).map((ink) => (1 - ink) * (1 - black)));
  }
  return gray ? toHex([gray[0] ?? 0, gray[0] ?? 0, gray[0] ?? 0]) : "#000000";
}

const toHex = (channels: readonly number[]) =>
  `#${channels
    .map((value) =>
      Math.round(value * 255)
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;
