/** Tags as exiftool writes them. */

export type Tag = readonly [name: string, value: string | number | boolean | readonly string[]];

type TagArgument = readonly [name: string, value: string];

/** What exiftool takes for a change of the file itself. */
const fileTags: ReadonlySet<string> = new Set([
  "filename",
  "directory",
  "symlink",
  "hardlink",
  "testname",
  "filemodifydate",
  "filecreatedate",
  "fileaccessdate",
  "filepermissions",
  "fileuserid",
  "filegroupid",
]);

/** Whether a tag is about the file itself, and not what is in it. */
export function isFileTag(name: string): boolean {
  return fileTags.has(name.replace(/^.*:/, "").toLowerCase());
}

/** A tag as arguments of exiftool: one for each value. */
export function toArguments([name, value]: Tag): TagArgument[] {
  // exiftool writes this one in a form that other readers reject.
  const tag = name === "Trapped" ? "XMP-pdf:Trapped" : name;
  return [value].flat().map((one) => [tag, String(one)] as const);
}

type Pair = readonly [info: string, xmp: string];

/** Properties of the information dictionary, and those of XMP that PDF/A wants to be equal (ISO 19005-1, table 1). */
const infoPairs = {
  title: ["Title", "dc:Title"],
  author: ["Author", "dc:Creator"],
  subject: ["Subject", "dc:Description"],
  keywords: ["Keywords", "pdf:Keywords"],
  creator: ["Creator", "xmp:CreatorTool"],
  producer: ["Producer", "pdf:Producer"],
  createdate: ["CreateDate", "xmp:CreateDate"],
  creationdate: ["CreateDate", "xmp:CreateDate"],
  modifydate: ["ModifyDate", "xmp:ModifyDate"],
  moddate: ["ModifyDate", "xmp:ModifyDate"],
} as const satisfies Readonly<Record<string, Pair>>;

/** By all names: that in XMP is `XMP-dc:Title` or `XMP:Title`. */
const pairs: Readonly<Record<string, Pair>> = {
  description: infoPairs.subject,
  creatortool: infoPairs.creator,
  ...infoPairs,
  ...Object.fromEntries(Object.values(infoPairs).flatMap(nameInXmp)),
};

function nameInXmp(pair: Pair): [name: string, pair: Pair][] {
  const [group = "", name = ""] = pair[1].toLowerCase().split(":");
  return [
    [`xmp:${name}`, pair],
    [`xmp-${group}:${name}`, pair],
  ];
}

/** As `toArguments`, for a PDF/A file: properties that it has in two places get one text in both. */
export function toArchivalArguments([name, value]: Tag): TagArgument[] {
  const property = name.replace(/^PDF:/i, "").toLowerCase();
  const pair = Object.hasOwn(pairs, property) ? pairs[property] : undefined;
  if (!pair) return toArguments([name, value]);
  const [info, xmp] = pair;
  const text = [value].flat().join(", ");
  return [
    [`PDF:${info}`, text],
    [`XMP-${xmp}`, text],
  ];
}
