import { readTags, type TagValue } from "#lib/engines/exiftool/exiftool.ts";
import { createTagLimiter } from "#lib/engines/exiftool/limit-tags.ts";
import { callInWorker } from "#lib/engines/worker/call.ts";
import {
  attempt,
  type Inspection,
  type Properties,
  unreadableProperties,
  withoutUndefined,
} from "./report.ts";
import { findEncryption } from "./worker-functions.ts";

/** exiftool's groups of tags about the container, not the document. */
const containerGroups = /^(File|ZIP|Composite):/;

/** The names of the tags of each property in the office formats. */
const propertyTags = {
  title: ["Title"],
  author: ["Creator", "Author", "Initial-creator"],
  subject: ["Subject"],
  keywords: ["Keywords", "Keyword"],
  language: ["Language"],
  application: ["Application", "Software", "Generator"],
  created_at: ["CreateDate", "Creation-date"],
  modified_at: ["ModifyDate", "Date"],
  pages: ["Pages", "Document-statisticPage-count"],
  slides: ["Slides"],
  words: ["Words", "Document-statisticWord-count"],
  characters: ["Characters", "Document-statisticCharacter-count"],
} as const;

/** The document's properties, and whether it needs a password. */
export async function inspectOffice({ input, work, signal }: Inspection): Promise<Properties> {
  const encryption = await attempt(callInWorker(findEncryption, { files: [input], work, signal }));
  const encrypted = encryption.value?.result.encrypted ?? false;
  // An archive that unpacks to more than the limit is not unpacked to read its properties.
  if (encryption.problem)
    return withoutUndefined({ encrypted, ...unreadableProperties(encryption.problem) });
  const { value, problem } = await attempt(readTags(input, signal));
  const tags = [...(value ?? new Map<string, TagValue>())].filter(
    ([name, content]) => !containerGroups.test(name) && content !== "",
  );
  const read = (names: readonly string[]) =>
    tags
      .filter(([name]) => names.includes(name.slice(name.indexOf(":") + 1)))
      .map(([, content]) => readProperty(content))
      .find((property) => property !== undefined);
  const properties = Object.entries(propertyTags).map(([name, names]) => [name, read(names)]);
  return withoutUndefined({
    encrypted,
    ...Object.fromEntries(properties),
    ...unreadableProperties(encrypted ? "encrypted" : problem),
    tags: createTagLimiter()(tags),
  });
}

/** A tag's value; dates in ISO 8601. Undefined for 0 and `0000:00:00`, which mean that it is not set. */
function readProperty(content: TagValue): TagValue | undefined {
  if (content === 0) return undefined;
  if (typeof content !== "string") return content;
  const date = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d.*)$/.exec(content);
  if (!date) return content.trim() || undefined;
  return date[1] === "0000" ? undefined : `${date.slice(1, 4).join("-")}T${date[4]}`;
}
