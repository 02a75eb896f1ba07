import { catalogueEntries } from "#components/catalogue/entries.ts";
import { operations } from "#lib/operations/catalogue/index.ts";
import { guideHref, readGuides } from "../guides.ts";
import { headingId } from "../headings.ts";
import { groupTitles } from "../titles.ts";

/** One search result. */
export interface SearchEntry {
  readonly id: number;
  readonly title: string;
  /** The guide or group it belongs to. */
  readonly section: string;
  readonly text: string;
  readonly href: string;
  /** Further words that it is found by, which are not shown. */
  readonly words?: string;
}

/** Every section of every guide, and every operation with its parameters. */
export function buildSearchIndex(): SearchEntry[] {
  const entries: Omit<SearchEntry, "id">[] = [];
  const words = new Map(catalogueEntries().map((entry) => [entry.id, entry.words]));
  for (const operation of operations) {
    const fields = Object.entries(operation.params.shape).map(
      ([name, field]) => `${name}: ${"description" in field ? field.description : ""}`,
    );
    entries.push({
      title: operation.title,
      section: groupTitles[operation.group],
      text: `${operation.id}. ${operation.summary} ${fields.join(" ")}`,
      words: words.get(operation.id) ?? "",
      href: `/docs/${operation.id}`,
    });
  }
  for (const guide of readGuides()) {
    const [intro = "", ...sections] = guide.text.split(/^## /m);
    const page = guideHref(guide.slug);
    entries.push({
      title: guide.title,
      section: "Guide",
      text: plain(`${guide.summary} ${intro}`),
      href: page,
    });
    for (const section of sections) {
      const [title = "", ...lines] = section.split("\n");
      const href = `${page}#${headingId(title)}`;
      const labels = [...section.matchAll(/^```\w+ \| (.+)$/gm)].map(([, label]) => label);
      entries.push({
        title,
        section: guide.title,
        text: plain(lines.join(" ")),
        href,
        words: labels.join(" "),
      });
    }
  }
  return entries.map((entry, id) => ({ id, ...entry }));
}

/** Markdown without its syntax. */
function plain(text: string): string {
  return text
    .replace(/<!--.*?-->/g, "")
    .replace(/```\w*( \| \w+)?/g, "")
    .replace(/\]\([^)]*\)/g, "")
    .replace(/[*`[|]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}
