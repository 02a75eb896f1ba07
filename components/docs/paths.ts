import { operations } from "#lib/operations/catalogue/index.ts";
import { operationGroups } from "#lib/operations/define.ts";
import { guideHref, guideSlugs } from "./guides.ts";

/** The paths of all pages of the docs. */
export function docsPaths(): string[] {
  return [
    ...guideSlugs.map(guideHref),
    ...operationGroups.map((group) => `/docs/${group}`),
    ...operations.map(({ id }) => `/docs/${id}`),
  ];
}
