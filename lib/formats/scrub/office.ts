import { anonymousInitials, anonymousName as author } from "./anonymous.ts";
import { EncryptedDocumentError } from "./document-errors.ts";
import { scrubImage } from "./image.ts";
import { changeAttributes, changeText, readAttribute, removeElements } from "./xml.ts";
import type { ZipChanges, ZipContents } from "./zip.ts";

/**
 * The changes that remove personal metadata from an office file. Document properties and thumbnails
 * are removed. Comments and tracked changes stay, with "Author" as their author and without dates,
 * as in Word's Document Inspector. All other parts keep their bytes.
 */
export async function scrubOffice(contents: ZipContents): Promise<ZipChanges> {
  const changes = new Map<string, Buffer | null>();
  const isOpenDocument = contents.names.includes("META-INF/manifest.xml");
  await (isOpenDocument ? scrubOpenDocument(contents, changes) : scrubOpenXml(contents, changes));
  for (const name of contents.names.filter((name) => /\.(jpe?g|png)$/i.test(name))) {
    if (changes.has(name)) continue;
    const scrubbed = scrubImage(await contents.read(name));
    if (scrubbed) changes.set(name, scrubbed);
  }
  return changes;
}

/** Replaces a date that is required. */
const noDate = "1970-01-01T00:00:00";

type Edit = (xml: string) => string;

async function editPart(
  contents: ZipContents,
  changes: Map<string, Buffer | null>,
  name: string,
  change: Edit,
): Promise<void> {
  const bytes = await contents.read(name);
  const xml = bytes.toString("utf8");
  const changed = change(xml);
  if (changed !== xml) changes.set(name, Buffer.from(changed, "utf8"));
}

const packageRelationships = "_rels/.rels";
const contentTypes = "[Content_Types].xml";

/** Relationships from a package to its metadata (ECMA-376, part 2, 10.1 and part 1, 15.2.12). */
const propertyRelationship =
  /\/(core-properties|extended-properties|custom-properties|thumbnail|docPropsVTypes)$/;

/** New values of attributes in the parts that `part` matches, by name; null removes the attribute. */
const attributeRules: readonly {
  readonly part: RegExp;
  readonly values: Readonly<Record<string, string | null>>;
}[] = [
  {
    part: /^word\/[^/]+\.xml$/,
    values: {
      author,
      initials: anonymousInitials,
      date: null,
      dateUtc: null,
      userId: "",
      providerId: "",
    },
  },
  {
    part: /^xl\/(persons|threadedComments|revisions)\/[^/]+\.xml$/,
    values: { displayName: author, userId: "", providerId: "None", dT: noDate, userName: author },
  },
  { part: /^xl\/revisions\/[^/]+\.xml$/, values: { dateTime: noDate, name: author } },
  { part: /^ppt\/(commentAuthors|authors)\.xml$/, values: presentationAuthorRules() },
  { part: /^ppt\/comments\/[^/]+\.xml$/, values: { dt: noDate, created: noDate } },
];

/** Parts that are read. Sheets and slides are not: they may be large and contain no names. */
const changingParts = [
  ...attributeRules.map(({ part }) => part),
  /^xl\/(comments[^/]*|workbook)\.xml$/,
];

function presentationAuthorRules() {
  return { name: author, initials: anonymousInitials, userId: "", providerId: "None" };
}

async function scrubOpenXml(
  contents: ZipContents,
  changes: Map<string, Buffer | null>,
): Promise<void> {
  const removed = new Set(contents.names.filter((name) => /^docProps\//i.test(name)));
  const isProperty = (tag: string) => {
    if (!propertyRelationship.test(readAttribute(tag, "Type") ?? "")) return false;
    removed.add((readAttribute(tag, "Target") ?? "").replace(/^\//, ""));
    return true;
  };
  await editPart(contents, changes, packageRelationships, (xml) =>
    removeElements(xml, "Relationship", isProperty),
  );
  await editPart(contents, changes, contentTypes, (xml) =>
    removeElements(xml, "Override", (tag) =>
      removed.has((readAttribute(tag, "PartName") ?? "").replace(/^\//, "")),
    ),
  );
  for (const name of contents.names) {
    if (removed.has(name)) changes.set(name, null);
    else if (name.endsWith(".rels") && name !== packageRelationships) {
      await editPart(contents, changes, name, removeTemplate);
    } else if (changingParts.some((part) => part.test(name))) {
      await editPart(contents, changes, name, (xml) => anonymizeOpenXml(name, xml));
    }
  }
}

function anonymizeOpenXml(name: string, xml: string): string {
  let changed = xml;
  for (const { part, values } of attributeRules) {
    const rules = new Map(Object.entries(values));
    // Parsing a large part is slow, so a part without any of the names is skipped.
    if (!part.test(name) || ![...rules.keys()].some((key) => changed.includes(`${key}=`))) continue;
    changed = changeAttributes(changed, (attribute) => rules.get(attribute));
  }
  if (/^xl\/comments[^/]*\.xml$/.test(name)) changed = changeText(changed, "author", author);
  if (name === "word/settings.xml")
    changed = removeElements(changed, "attachedTemplate", () => true);
  if (name === "xl/workbook.xml") {
    // The path at which the workbook was saved may contain a user name.
    changed = removeElements(changed, "absPath", () => true);
    changed = changeAttributes(changed, (key) => (key === "userName" ? author : undefined));
  }
  return changed;
}

/** The path of a template may contain a user name. */
function removeTemplate(xml: string): string {
  return removeElements(xml, "Relationship", (tag) =>
    (readAttribute(tag, "Type") ?? "").endsWith("/attachedTemplate"),
  );
}

const emptyMeta =
  '<?xml version="1.0" encoding="UTF-8"?>\n<office:document-meta' +
  ' xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" office:version="1.3">' +
  "<office:meta/></office:document-meta>";

async function scrubOpenDocument(
  contents: ZipContents,
  changes: Map<string, Buffer | null>,
): Promise<void> {
  await editPart(contents, changes, "META-INF/manifest.xml", (xml) => {
    if (/<(\w+:)?encryption-data\b/.test(xml)) throw new EncryptedDocumentError();
    return removeElements(xml, "file-entry", (tag) =>
      (readAttribute(tag, "full-path") ?? "").startsWith("Thumbnails/"),
    );
  });
  for (const name of contents.names) {
    if (name.startsWith("Thumbnails/")) changes.set(name, null);
    // An embedded formula or chart has a separate meta.xml.
    else if (/(^|\/)meta\.xml$/.test(name)) changes.set(name, Buffer.from(emptyMeta));
    else if (/(^|\/)(content|styles)\.xml$/.test(name)) {
      await editPart(contents, changes, name, anonymizeOpenDocument);
    } else if (/(^|\/)settings\.xml$/.test(name)) {
      await editPart(contents, changes, name, clearPrinter);
    }
  }
}

function anonymizeOpenDocument(xml: string): string {
  const names = {
    creator: author,
    "creator-initials": anonymousInitials,
    "sender-initials": anonymousInitials,
    date: noDate,
  };
  return Object.entries(names).reduce((text, [name, value]) => changeText(text, name, value), xml);
}

function clearPrinter(xml: string): string {
  const item =
    /(<config:config-item config:name="(?:PrinterName|PrinterSetup)"[^<>]*>)[^<]*(<\/config:config-item>)/g;
  return xml.replace(item, "$1$2");
}
