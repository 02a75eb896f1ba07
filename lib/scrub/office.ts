import { anonymousInitials, anonymousName as author } from "./anonymous.ts";
import { LockedDocumentError } from "./document-errors.ts";
import { cleanPicture } from "./image.ts";
import { attributeOf, changeAttributes, changeText, dropElements } from "./xml.ts";
import type { ZipChanges, ZipContents } from "./zip.ts";

/**
 * What of an office file tells of people. Document properties and thumbnails go; comments and
 * tracked changes stay, their authors called "Author" and undated, as Word's own inspector does it.
 * Parts in which nothing changes keep their bytes.
 */
export async function cleanOffice(contents: ZipContents): Promise<ZipChanges> {
  const changes = new Map<string, Buffer | null>();
  const isOpenDocument = contents.names.includes("META-INF/manifest.xml");
  await (isOpenDocument ? cleanOpenDocument(contents, changes) : cleanOpenXml(contents, changes));
  for (const name of contents.names.filter((name) => /\.(jpe?g|png)$/i.test(name))) {
    if (changes.has(name)) continue;
    const cleaned = cleanPicture(await contents.read(name));
    if (cleaned) changes.set(name, cleaned);
  }
  return changes;
}

/** Where a date must stand. */
const noDate = "1970-01-01T00:00:00";

type Edit = (xml: string) => string;

async function edit(
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

/** Relationship types of a package that are not its content (ECMA-376, part 2, 10.1 and part 1, 15.2.12). */
const propertyRelationship =
  /\/(core-properties|extended-properties|custom-properties|thumbnail|docPropsVTypes)$/;

/** Attributes by their names in the parts that `part` matches: a new value, or null to drop it. */
const attributeRules: readonly {
  readonly part: RegExp;
  readonly values: Readonly<Record<string, string | null>>;
}[] = [
  {
    part: /^word\/[^/]+\.xml$/,
    values: {
      author: author,
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
  { part: /^ppt\/(commentAuthors|authors)\.xml$/, values: peopleOfSlides() },
  { part: /^ppt\/comments\/[^/]+\.xml$/, values: { dt: noDate, created: noDate } },
];

/** Parts that are read; sheets and slides may be large, and have nobody's name in them. */
const changingParts = [
  ...attributeRules.map(({ part }) => part),
  /^xl\/(comments[^/]*|workbook)\.xml$/,
];

function peopleOfSlides() {
  return { name: author, initials: anonymousInitials, userId: "", providerId: "None" };
}

async function cleanOpenXml(
  contents: ZipContents,
  changes: Map<string, Buffer | null>,
): Promise<void> {
  const dropped = new Set(contents.names.filter((name) => /^docProps\//i.test(name)));
  const isProperty = (tag: string) => {
    if (!propertyRelationship.test(attributeOf(tag, "Type") ?? "")) return false;
    dropped.add((attributeOf(tag, "Target") ?? "").replace(/^\//, ""));
    return true;
  };
  await edit(contents, changes, packageRelationships, (xml) =>
    dropElements(xml, "Relationship", isProperty),
  );
  await edit(contents, changes, contentTypes, (xml) =>
    dropElements(xml, "Override", (tag) =>
      dropped.has((attributeOf(tag, "PartName") ?? "").replace(/^\//, "")),
    ),
  );
  for (const name of contents.names) {
    if (dropped.has(name)) changes.set(name, null);
    else if (name.endsWith(".rels") && name !== packageRelationships) {
      await edit(contents, changes, name, dropTemplate);
    } else if (changingParts.some((part) => part.test(name))) {
      await edit(contents, changes, name, (xml) => anonymise(name, xml));
    }
  }
}

function anonymise(name: string, xml: string): string {
  let changed = xml;
  for (const { part, values } of attributeRules) {
    const rules = new Map(Object.entries(values));
    // A large part is not taken apart where none of the names occurs in it.
    if (!part.test(name) || ![...rules.keys()].some((key) => changed.includes(`${key}=`))) continue;
    changed = changeAttributes(changed, (attribute) => rules.get(attribute));
  }
  if (/^xl\/comments[^/]*\.xml$/.test(name)) changed = changeText(changed, "author", author);
  if (name === "word/settings.xml") changed = dropElements(changed, "attachedTemplate", () => true);
  if (name === "xl/workbook.xml") {
    // The path at which the workbook was saved, which has the user's name in it.
    changed = dropElements(changed, "absPath", () => true);
    changed = changeAttributes(changed, (key) => (key === "userName" ? author : undefined));
  }
  return changed;
}

/** A template's path has its user's name in it. */
function dropTemplate(xml: string): string {
  return dropElements(xml, "Relationship", (tag) =>
    (attributeOf(tag, "Type") ?? "").endsWith("/attachedTemplate"),
  );
}

const emptyMeta =
  '<?xml version="1.0" encoding="UTF-8"?>\n<office:document-meta' +
  ' xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" office:version="1.3">' +
  "<office:meta/></office:document-meta>";

async function cleanOpenDocument(
  contents: ZipContents,
  changes: Map<string, Buffer | null>,
): Promise<void> {
  await edit(contents, changes, "META-INF/manifest.xml", (xml) => {
    if (/<(\w+:)?encryption-data\b/.test(xml)) throw new LockedDocumentError();
    return dropElements(xml, "file-entry", (tag) =>
      (attributeOf(tag, "full-path") ?? "").startsWith("Thumbnails/"),
    );
  });
  for (const name of contents.names) {
    if (name.startsWith("Thumbnails/")) changes.set(name, null);
    // A formula or chart inside has its own meta.xml.
    else if (/(^|\/)meta\.xml$/.test(name)) changes.set(name, Buffer.from(emptyMeta));
    else if (/(^|\/)(content|styles)\.xml$/.test(name)) {
      await edit(contents, changes, name, anonymiseOpenDocument);
    } else if (/(^|\/)settings\.xml$/.test(name)) {
      await edit(contents, changes, name, forgetPrinter);
    }
  }
}

function anonymiseOpenDocument(xml: string): string {
  const names = {
    creator: author,
    "creator-initials": anonymousInitials,
    "sender-initials": anonymousInitials,
    date: noDate,
  };
  return Object.entries(names).reduce((text, [name, value]) => changeText(text, name, value), xml);
}

function forgetPrinter(xml: string): string {
  const item =
    /(<config:config-item config:name="(?:PrinterName|PrinterSetup)"[^<>]*>)[^<]*(<\/config:config-item>)/g;
  return xml.replace(item, "$1$2");
}
