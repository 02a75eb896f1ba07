/** What an operation takes, by a type in the list of those that it accepts; the first that is in the list. */
const wanted: readonly (readonly [type: RegExp, kind: string])[] = [
  [/\bJPEG\b/, "an image"],
  [/\bMP4\b/, "a video"],
  [/\bMP3\b/, "an audio file"],
  [/\bWord\b|\bDOCX\b/, "a document"],
  [/^PDF$/, "a PDF"],
];

/** What a file is, by the name of its type in messages of the API. */
const found: readonly (readonly [type: RegExp, kind: string])[] = [
  [/^of an unknown type$/, "a file of an unknown type"],
  [/^plain text$/, "a text file"],
  [/^(?:HTML|SVG|MP[34]|M4A|M4V|XML)/, "an * file"],
  [/^PDF$/, "a PDF"],
  [/^ZIP/, "a ZIP archive"],
];

const wrongType = /^`\w+` must be (.+)\. The file is (.+)\.$/;

/**
 * A message of the API as people say it to each other: about the file with its name, and about a
 * parameter with its name as a word.
 */
export function plainMessage(message: string, filename?: string): string {
  const [, accepted, type] = wrongType.exec(message) ?? [];
  if (accepted !== undefined && type !== undefined) {
    const [, is = `a file of the type ${type}`] = found.find(([name]) => name.test(type)) ?? [];
    const [, kind] = wanted.find(([name]) => name.test(accepted)) ?? [];
    const name = filename ?? "The file";
    const subject = `${name} is ${is.replace("*", type)}`;
    return kind === undefined ? `${subject}. Choose ${accepted}.` : `${subject}, not ${kind}.`;
  }
  return message
    .replace(/^`(\w+)((?:\[\d+\]|\.\w+)*)`/, (_all, name: string, path: string) =>
      [fieldLabel(name), ...placesIn(path)].join(", "),
    )
    .replaceAll(/`(\w+)`/g, (_all, name: string) => name.replaceAll("_", " "));
}

/** The path `[0].font_size` in a list as words: "entry 1", "font size". */
function placesIn(path: string): string[] {
  return [...path.matchAll(/\[(\d+)\]|\.(\w+)/g)].map(([, index, name = ""]) =>
    index === undefined ? name.replaceAll("_", " ") : `entry ${Number(index) + 1}`,
  );
}

/** The name of a parameter as the label of a field: `font_size` is "Font size". */
export function fieldLabel(name: string): string {
  const words = name
    .replaceAll("_", " ")
    .replace(/\b(?:lufs|dpi|crf|fps)\b/g, (one) => one.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}
