import { describe, expect, it } from "vitest";
import { dashboardTargets } from "#components/dashboard/search-targets.ts";
import { toVerb } from "#components/dashboard/shortcuts/verbs.ts";
import { otherWords } from "#components/docs/search/other-words.ts";
import { readSections } from "#components/docs/search/plain-text.ts";
import { buildSearchIndex } from "#components/docs/search/search-index.ts";
import { createRows, hrefOf, type SearchRow } from "#components/docs/search/search-target.ts";
import { dashboardQueries, docsQueries } from "./queries.ts";

const index = buildSearchIndex();
const findInDocs = createRows([], index);
const actions = { setTheme() {}, async openLastFailed() {} };
const verbs = ["Retry this job", "Sign out", "Show keyboard shortcuts"].map((title) =>
  toVerb(title, () => {}),
);
const findInDashboard = createRows([...verbs, ...dashboardTargets(true, actions)], index);

/** The URL of a result, or the title of an action that has none. */
function targetOf(row: SearchRow | undefined): string | undefined {
  if (!row) return undefined;
  return "href" in row.entry ? hrefOf(row.entry.href, row.conversion) : row.entry.title;
}

describe("the first answer in the docs", () => {
  it.each(docsQueries)("to %j is %s", (query, href) => {
    const first = targetOf(findInDocs(query)[0]);
    expect(first).toBe(href.startsWith("/") ? href : `/docs/${href}`);
  });
});

describe("the first answer in the dashboard", () => {
  it.each(dashboardQueries)("to %j is %s", (query, target) => {
    const first = targetOf(findInDashboard(query)[0]);
    expect(first?.replace("/dashboard/", "")).toBe(target);
  });
});

it("an operation's name is found first, by id and by title", () => {
  for (const { kind, title, href } of index) {
    if (kind !== "operation") continue;
    expect(targetOf(findInDocs(href.replace("/docs/", ""))[0])).toBe(href);
    const sameTitle = index.filter((other) => other.title === title).map((other) => other.href);
    expect(sameTitle, title).toContain(targetOf(findInDocs(title)[0])?.replace(/\?.*/, ""));
  }
});

it("no result is only similar in letters to a word that exists", () => {
  const titles = findInDocs("exif").map(({ entry }) => entry.title);
  expect(titles).not.toContain("Backup and restore");
});

it("a query about other things asks for no conversion", () => {
  for (const query of [
    "compress png",
    "crop mp4",
    "merge pdf",
    "image",
    "key",
    "pages",
    "to pdf/a",
  ]) {
    expect(findInDocs(query)[0]?.conversion, query).toBeUndefined();
  }
});

it("a query without any known word has no answer", () => {
  expect(findInDocs("qzxvqj")).toEqual([]);
});

it("before a query, the docs offer guides, and the dashboard what can be done on the page", () => {
  expect(findInDocs(" ").map(({ entry }) => entry.kind)).not.toContain("operation");
  expect(findInDashboard("")[0]?.entry.title).toBe("Retry this job");
});

describe("the index", () => {
  it("shows the text as readers see it, on one line", () => {
    for (const { text, href } of index) {
      expect(text, href).not.toMatch(/undefined|<!--|```|\]\(|\*\*|\n|&(?:amp|lt|gt|quot|#39);/);
      expect(text.length, href).toBeGreaterThan(0);
    }
  });

  it("keeps the brackets and stars of code", () => {
    const texts = new Map(index.map(({ href, text }) => [href, text]));
    expect(texts.get("/docs/outputs#download-a-file")).toContain("outputs[].url");
    const text =
      "A\n\n## B\n\n**Bold** `a[0] * b` & [link](/x)<!-- no -->\n\n```bash | CLI\nls *.jpg\n```";
    expect(readSections(text)).toEqual([
      { title: "", prose: "A", code: "" },
      { title: "B", prose: "Bold a[0] * b & link", code: "CLI ls *.jpg" },
    ]);
  });

  it("has other words for pages and sections that exist", () => {
    const hrefs = new Set(index.map(({ href }) => href));
    expect(Object.keys(otherWords).filter((href) => !hrefs.has(href))).toEqual([]);
  });

  it("is small", () => {
    expect(JSON.stringify(index).length).toBeLessThan(192_000);
  });
});
