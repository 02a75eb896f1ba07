import { operations } from "#lib/operations/catalogue/index.ts";
import { operationGroups } from "#lib/operations/define.ts";
import { guideSlugs, readGuide } from "../guides.ts";
import { groupSummaries, groupTitles } from "../titles.ts";
import { guideMarkdown } from "./guide-markdown.ts";
import { describeOperation } from "./llms-text.ts";

/**
 * A page of the docs as Markdown. `path` is what follows `/docs/`, without an extension; empty for the home page of
 * the docs. Undefined if there is no such page.
 */
export function pageMarkdown(path: string): string | undefined {
  const group = operationGroups.find((name) => name === path);
  if (group) {
    const items = operations
      .filter((operation) => operation.group === group)
      .map(({ id, title, summary }) => `- [${title}](/docs/${id}.md): ${summary}`);
    return [`# ${groupTitles[group]}`, groupSummaries[group], items.join("\n")].join("\n\n");
  }
  const operation = operations.find(({ id }) => id === path);
  if (operation) return `# ${operation.title}\n\n${describeOperation(operation)}`;
  const guide = readGuide(path === "" ? guideSlugs[0] : path);
  return guide && guideMarkdown(guide);
}
