import { readTags, type TagValue } from "#lib/engines/exiftool/exiftool.ts";
import { isOfficeLocked } from "#lib/engines/worker/containers.ts";
import {
  attempt,
  createTagKeeper,
  type Figures,
  type Inspection,
  known,
  unreadable,
} from "./report.ts";

/** What exiftool says of the file's container rather than of the document. */
const containerGroups = /^(File|ZIP|Composite):/;

/** Figures and the tags, group left out, that carry them in one office format or another. */
const figureTags = {
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

/** What the document's own properties say, and whether it needs a password. */
export async function inspectOffice({ input, work, signal }: Inspection): Promise<Figures> {
  const lock = await attempt(isOfficeLocked(input, work, signal));
  const encrypted = lock.value ?? false;
  // What unpacks to more than an office needs is not unpacked to read its properties.
  if (lock.problem) return known({ encrypted, ...unreadable(lock.problem) });
  const { value, problem } = await attempt(readTags(input, signal));
  const tags = [...(value ?? new Map<string, TagValue>())].filter(
    ([name, content]) => !containerGroups.test(name) && content !== "",
  );
  const read = (names: readonly string[]) =>
    tags
      .filter(([name]) => names.includes(name.slice(name.indexOf(":") + 1)))
      .map(([, content]) => readFigure(content))
      .find((figure) => figure !== undefined);
  const figures = Object.entries(figureTags).map(([name, names]) => [name, read(names)]);
  return known({
    encrypted,
    ...Object.fromEntries(figures),
    ...unreadable(encrypted ? "encrypted" : problem),
    tags: createTagKeeper()(tags),
  });
}

/** Dates in ISO 8601; 0 and `0000:00:00` stand for what was never filled in. */
function readFigure(content: TagValue): TagValue | undefined {
  if (content === 0) return undefined;
  if (typeof content !== "string") return content;
  const date = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d.*)$/.exec(content);
  if (!date) return content.trim() || undefined;
  return date[1] === "0000" ? undefined : `${date.slice(1, 4).join("-")}T${date[4]}`;
}
