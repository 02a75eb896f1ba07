import { catalogueEntries } from "#components/catalogue/entries.ts";
import { toSearchEntry } from "#components/catalogue/search-entry.ts";
import type { SearchEntry } from "#components/search/entry.ts";
import { isStopWord, splitWords, stemOf } from "#components/search/words.ts";
import { requestErrorDescriptions } from "#lib/api/definition/errors.ts";
import { jobErrorCodes, type RequestErrorCode, requestErrorStatus } from "#lib/errors.ts";
import { operations } from "#lib/operations/catalogue/index.ts";
import { operationGroups } from "#lib/operations/define.ts";
import { parameterSchemas } from "#lib/operations/parameter-schema.ts";
import { guideMarkdown } from "../as-markdown/guide-markdown.ts";
import { type Guide, guideHref, readGuides } from "../guides.ts";
import { headingId } from "../headings.ts";
import { jobErrors } from "../job-errors.ts";
import { groupSummaries, groupTitles } from "../titles.ts";
import { otherWords } from "./other-words.ts";
import { readSections } from "./plain-text.ts";

/** A result of the docs' search. */
export interface DocsEntry extends SearchEntry {
  readonly href: string;
}

const statusPage: DocsEntry = {
  kind: "page",
  title: "Status",
  section: "Site",
  text: "Whether the service works, and how it has been lately.",
  href: "/status",
};

/** The characters of a text that are shown. */
const maxExcerpt = 140;

/** Every operation with its parameters, every section of every guide, and every error code. */
export function buildSearchIndex(): DocsEntry[] {
  const guides = readGuides().flatMap(entriesOfGuide);
  const all = [...operationEntries(), ...groupEntries(), ...guides, statusPage, ...errorEntries()];
  return all.map((entry) => {
    const words = otherWords[entry.href];
    return words === undefined || entry.kind === "code" ? entry : { ...entry, words };
  });
}

function operationEntries(): DocsEntry[] {
  const entries = new Map(catalogueEntries().map((entry) => [entry.id, entry]));
  return operations.flatMap((operation) => {
    const entry = entries.get(operation.id);
    if (!entry) return [];
    const { properties } = parameterSchemas(operation.params);
    const descriptions = Object.values(properties).map(({ description = "" }) => description);
    const shown = toSearchEntry(entry);
    const href = `/docs/${operation.id}`;
    const section = groupTitles[operation.group];
    return [{ ...shown, href, section, more: restOf([shown.more ?? "", ...descriptions], shown) }];
  });
}

function groupEntries(): DocsEntry[] {
  return operationGroups.map((group) => ({
    kind: "guide",
    title: groupTitles[group],
    section: "Reference",
    text: groupSummaries[group],
    href: `/docs/${group}`,
  }));
}

function entriesOfGuide(guide: Guide): DocsEntry[] {
  const page = guideHref(guide.slug);
  const sections = readSections(guideMarkdown(guide));
  return sections.map(({ title, prose, code }, at) => {
    const shown =
      title === ""
        ? ({ kind: "guide", title: guide.title, section: "Guide", names: [guide.slug] } as const)
        : ({ kind: sectionKind(guide), title, section: guide.title } as const);
    const text = excerpt(
      title === "" ? guide.summary : prose || code || (sections[at + 1]?.prose ?? ""),
    );
    const href = title === "" ? page : `${page}#${headingId(title)}`;
    return { ...shown, text, href, more: restOf([prose, code], { ...shown, text }) };
  });
}

function sectionKind({ slug }: Guide): "section" | "operator" {
  return slug === "self-hosting" ? "operator" : "section";
}

function errorEntries(): DocsEntry[] {
  const entry = (title: string, text: string, anchor: string) =>
    ({
      kind: "code",
      title,
      section: "Errors",
      text: text.replaceAll("`", ""),
      href: `/docs/errors#${anchor}`,
    }) as const;
  const ofRequests = Object.entries(requestErrorDescriptions).map(([code, text]) =>
    // The table has exactly these keys.
    entry(code, `${requestErrorStatus[code as RequestErrorCode]}. ${text}`, "error-responses"),
  );
  const ofJobs = jobErrorCodes.map((code) =>
    entry(code, `Failed job. ${jobErrors[code].join(" ")}`, "failed-jobs"),
  );
  return [...ofRequests, ...ofJobs];
}

/** The start of a text, up to the end of a word. */
function excerpt(text: string): string {
  if (text.length <= maxExcerpt) return text;
  return `${text.slice(0, text.lastIndexOf(" ", maxExcerpt)).replace(/[,;:.]$/, "")}…`;
}

/** The words of texts that the shown part does not have, each once: what a search needs of them. */
function restOf(texts: readonly string[], shown: Pick<SearchEntry, "title" | "text">): string {
  const seen = new Set(splitWords(`${shown.title} ${shown.text}`).map(stemOf));
  const words = texts.flatMap(splitWords).filter((word) => {
    const stem = stemOf(word);
    if (isStopWord(word) || seen.has(stem) || word.length < 2 || word.length > 30) return false;
    seen.add(stem);
    return true;
  });
  return words.sort().join(" ");
}
