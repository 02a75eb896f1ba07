import { operations } from "#lib/operations/catalogue/index.ts";
import { operationGroups } from "#lib/operations/define.ts";
import { guideHref, readGuides } from "./guides.ts";
import type { DocsSection } from "./navigation.tsx";
import { groupTitles, operationTitle } from "./titles.ts";

/** The navigation of the docs: the guides, then every operation by its group. */
export function docsSections(): DocsSection[] {
  const guides = readGuides().map(({ slug, title }) => ({ href: guideHref(slug), title }));
  const reference = operationGroups.map((group) => ({
    title: groupTitles[group],
    pages: operations
      .filter((operation) => operation.group === group)
      .map(({ id }) => ({ href: `/docs/${id}`, title: operationTitle(id) })),
  }));
  return [{ title: "Guide", pages: guides }, ...reference];
}
