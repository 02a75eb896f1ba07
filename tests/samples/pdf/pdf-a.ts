import { readFileSync } from "node:fs";
import { inflateSync } from "node:zlib";
import { z } from "zod";
import { execProgram } from "../zygote/exec-program.ts";

/** A checker of PDF/A that shares no code with the conversion: qpdf, poppler and exiftool read the file. */

const call = (command: string, ...args: string[]) =>
  execProgram(command, args, { encoding: "utf8" });

const dictSchema = z.record(z.string(), z.unknown());

const objectSchema = z.object({
  value: z.unknown().optional(),
  stream: z.object({ dict: dictSchema, data: z.string().optional() }).optional(),
});

const jsonSchema = z.object({ qpdf: z.tuple([z.unknown(), z.record(z.string(), objectSchema)]) });

type Dict = z.infer<typeof dictSchema>;

const isDict = (value: unknown): value is Dict =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const forbiddenActions =
  /^\/(Launch|Sound|Movie|ResetForm|ImportData|JavaScript|Hide|SetOCGState|Rendition|Trans|GoTo3DView)$/;

/** The violations of the clauses that the check knows; none if the file may be PDF/A. */
export function findViolations(path: string, level: string): string[] {
  const found: string[] = [];
  const require = (holds: boolean, clause: string) => {
    if (!holds) found.push(clause);
  };
  call("qpdf", "--check", path);
  const args = ["--json=2", "--json-key=qpdf", "--json-stream-data=inline", "--decode-level=none"];
  const objects = jsonSchema.parse(JSON.parse(call("qpdf", ...args, path))).qpdf[1];
  const resolve = (value: unknown): unknown => {
    const object = typeof value === "string" ? objects[`obj:${value}`] : undefined;
    return object ? (object.stream?.dict ?? object.value) : value;
  };
  const dict = (value: unknown): Dict => {
    const resolved = resolve(value);
    return isDict(resolved) ? resolved : {};
  };
  const list = (value: unknown): unknown[] => {
    const resolved = resolve(value);
    return Array.isArray(resolved) ? resolved : [];
  };

  const bytes = readFileSync(path);
  const head = bytes.toString("latin1", 0, 16);
  require(/^%PDF-1\.[1-7]\n%[\x80-\xff]{4}/.test(head), "header");
  require(level !== "1b" || head.startsWith("%PDF-1.4"), "version 1.4");
  const trailer = dict(objects.trailer?.value);
  require(list(trailer["/ID"]).length === 2, "identifier");
  require(!("/Encrypt" in trailer), "encryption");
  if (level === "1b") require(/\nxref\n/.test(bytes.toString("latin1")), "no object streams");
  require(!/[^\r\n]endstream/.test(bytes.toString("latin1")), "line break before endstream");

  const catalog = dict(trailer["/Root"]);
  const tags = z
    .array(z.record(z.string(), z.unknown()))
    .parse(JSON.parse(call("exiftool", "-j", "-G1", "-PDF:all", "-XMP:all", path)))[0];
  require(`${tags?.["XMP-pdfaid:Part"]}` === level.slice(0, 1), "part");
  require(tags?.["XMP-pdfaid:Conformance"] === "B", "conformance");
  for (const [info, xmp] of [
    ["Title", "dc:Title"],
    ["Author", "dc:Creator"],
    ["Subject", "dc:Description"],
    ["Keywords", "pdf:Keywords"],
    ["Creator", "xmp:CreatorTool"],
    ["Producer", "pdf:Producer"],
    ["CreateDate", "xmp:CreateDate"],
    ["ModifyDate", "xmp:ModifyDate"],
  ]) {
    require(`${tags?.[`PDF:${info}`]}` === `${tags?.[`XMP-${xmp}`]}`, `agreement of ${info}`);
  }
  require(!("/Filter" in dict(catalog["/Metadata"])), "metadata without a filter");

  const intents = list(catalog["/OutputIntents"]).map(dict);
  const profileRef = `obj:${intents[0]?.["/DestOutputProfile"]}`;
  const data = objects[profileRef]?.stream?.data;
  const profile = data ? inflateSync(Buffer.from(data, "base64")) : Buffer.alloc(128);
  require(intents[0]?.["/S"] === "/GTS_PDFA1", "output intent");
  require(profile.toString("latin1", 36, 40) === "acsp", "profile");
  require(profile.toString("latin1", 16, 20) === "RGB ", "profile of RGB");
  require((profile[8] ?? 9) <= (level === "1b" ? 2 : 4), "version of the profile");

  const fonts = call("pdffonts", path).split("\n").slice(2);
  require(!fonts.some((row) => / no +(yes|no) +(yes|no) +\d+ +\d+ *$/.test(row)), "fonts");

  for (const { value, stream } of Object.values(objects)) visit(stream?.dict ?? value);
  if (level === "3b") {
    const files = Object.values(objects).filter(({ value }) => isDict(value) && "/EF" in value);
    require(list(catalog["/AF"]).length === files.length, "associated files");
  }
  return [...new Set(found)];

  function visit(value: unknown): void {
    if (Array.isArray(value)) for (const item of value) visit(item);
    if (!isDict(value)) return;
    require(!forbiddenActions.test(`${value["/S"]}`), `action ${value["/S"]}`);
    require(!isDict(resolve(value["/AA"])), "additional actions");
    const filters = [value["/Filter"]].flat().map(String);
    require(!filters.includes("/LZWDecode"), "LZW");
    for (const name of ["/TR", "/HTP", "/XFA", "/OPI", "/Alternates"]) {
      require(!(name in value), name);
    }
    require(value["/Interpolate"] !== true, "interpolation");
    require(value["/NeedAppearances"] !== true, "appearances");
    require(![value["/ColorSpace"]].flat().includes("/DeviceCMYK"), "CMYK");
    if (level !== "3b") require(!("/EF" in value) && !("/EmbeddedFiles" in value), "files");
    else if ("/EF" in value) require("/AFRelationship" in value, "relationship");
    if (level === "1b") {
      const descriptor = dict(value["/FontDescriptor"]);
      const isCidFont = `${value["/Subtype"]}`.startsWith("/CIDFontType");
      const isSubset = isCidFont && /^\/[A-Z]{6}\+/.test(`${value["/BaseFont"]}`);
      require(!isSubset || "/CIDSet" in descriptor, "list of glyphs");
      require([undefined, "/None"].includes(value["/SMask"] as string), "soft mask");
      require([undefined, "/Normal"].includes(value["/BM"] as string), "blend mode");
      for (const name of ["/CA", "/ca"])
        require([undefined, 1].includes(value[name] as number), name);
      require(dict(value["/Group"])["/S"] !== "/Transparency", "transparency group");
    }
    if ("/Rect" in value && value["/Subtype"] !== "/Popup") {
      require((Number(value["/F"] ?? 0) & (1 | 2 | 4 | 32)) === 4, "annotation flags");
      const isDrawn = value["/Subtype"] === "/Link" || "/AP" in value;
      require(isDrawn, "appearance of an annotation");
    }
    for (const item of Object.values(value)) visit(item);
  }
}
