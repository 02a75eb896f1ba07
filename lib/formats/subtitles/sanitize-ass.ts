/** What `sanitizeAss` changes in the styles of a file. */
export interface StyleChanges {
  /** The `Fontsize`, in the units of the file. */
  readonly fontSize?: number | undefined;
  /** The color of the text as `#rrggbb`. */
  readonly color?: string | undefined;
  /** Where the text is, as on a numeric keypad. */
  readonly alignment?: number | undefined;
}

const keptSections = /^(script info|v4\+? styles|events)$/i;
const keptLines = /^\s{0,20}(format|style|dialogue|[\w ]{1,40}:)/i;
const droppedLines = /^\s{0,20}(comment|command|movie|sound|picture)\s{0,9}:/i;

/**
 * An ASS file with only its header, styles and dialogue: without embedded fonts and images, comments,
 * and events that name other files.
 */
export function sanitizeAss(text: string, changes: StyleChanges = {}): string {
  const kept: string[] = [];
  let section = "";
  let isKept = false;
  let fields: string[] = [];
  for (const line of text.split(/\r\n|\n|\r/)) {
    const heading = /^\s{0,20}\[([^\]]{1,60})\]/.exec(line)?.[1];
    if (heading !== undefined) {
      section = heading.toLowerCase();
      isKept = keptSections.test(heading);
      if (isKept) kept.push(...(kept.length > 0 ? [""] : []), `[${heading}]`);
      continue;
    }
    if (!isKept || !keptLines.test(line) || droppedLines.test(line)) continue;
    const [, key = "", rest = ""] = /^\s{0,20}(\w+)\s{0,9}:(.*)$/.exec(line) ?? [];
    if (section.includes("styles") && key.toLowerCase() === "format") {
      fields = rest.split(",").map((field) => field.trim().toLowerCase());
    }
    const isStyle = section.includes("styles") && key.toLowerCase() === "style";
    kept.push(isStyle ? `Style:${changeStyle(rest, fields, changes)}` : line);
  }
  return `${kept.join("\n")}\n`;
}

function changeStyle(
  values: string,
  fields: readonly string[],
  { fontSize, color, alignment }: StyleChanges,
): string {
  const bgr = color && `&H00${color.slice(5, 7)}${color.slice(3, 5)}${color.slice(1, 3)}`;
  const changed = new Map(
    Object.entries({
      fontsize: fontSize,
      primarycolour: bgr,
      alignment,
    }),
  );
  return values
    .split(",")
    .map((value, index) => changed.get(fields[index] ?? "") ?? value)
    .join(",");
}
