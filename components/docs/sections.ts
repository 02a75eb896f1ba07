import { operations } from "#lib/operations/catalogue/index.ts";
import { operationGroups } from "#lib/operations/define.ts";
import { guideHref, readGuides } from "./guides.ts";
import type { DocsSection } from "./navigation.tsx";
import { groupTitles } from "./titles.ts";

/** The sections of the docs navigation: the guides, then the operations by group. */
export function docsSections(): DocsSection[] {
  const guides = readGuides().map(({ slug, title }) => ({ href: guideHref(slug), title }));
  const reference = operationGroups.map((group) => ({
    title: groupTitles[group],
    overview: { href: `/docs/${group}`, title: "Overview" },
    pages: operations
      .filter((operation) => operation.group === group)
      .map(({ id, title }) => ({ href: `/docs/${id}`, title })),
  }));
  return [{ title: "Guide", pages: guides }, ...reference];
}
