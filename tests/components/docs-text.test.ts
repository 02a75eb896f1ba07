import { expect, it } from "vitest";
import { guideMarkdown } from "#components/docs/as-markdown/guide-markdown.ts";
import { guideHref, readGuides } from "#components/docs/guides.ts";
import { headingId } from "#components/docs/headings.ts";
import { docsPaths } from "#components/docs/paths.ts";
import { errorStatuses } from "#lib/api/definition/errors.ts";
import { endpoints } from "#lib/api/endpoints/index.ts";

it("guides as one text have the tables of their pages", () => {
  const text = readGuides().map(guideMarkdown).join("\n");
  expect(text).not.toContain("<!--");
  expect(text).not.toMatch(/^\{\{/m);
  expect(text).toMatch(/^\| `outputs` \| a list \| Empty until the job is completed/m);
  expect(text).toMatch(/^\| `job\.failed` \| The job has failed\. /m);
  expect(text).toMatch(/^\| Limit \| free \| pro \| business \| enterprise \|$/m);
  expect(text).toMatch(/^\| Data per month \| 1 GB \| /m);
  expect(text).toMatch(/^\| `rate_limited` \| 429 \| /m);
  expect(text).toMatch(/^\| `corrupt` \| The file is damaged\. \| /m);
});

it("the guide to errors names every status of an error response", () => {
  const guide = readGuides().find(({ slug }) => slug === "errors");
  const text = guide ? guideMarkdown(guide) : "";
  const own = endpoints.flatMap(({ responses }) =>
    Object.entries(responses).flatMap(([status, { isError }]) => (isError ? Number(status) : [])),
  );
  const statuses = [...errorStatuses.map(({ status }) => status), ...own];
  expect(statuses).toContain(416);
  expect(statuses.filter((status) => !new RegExp(`\\b${status}\\b`).test(text))).toEqual([]);
});

it("no command of a guide contains the ID of an example job", () => {
  const commands = readGuides().flatMap(({ slug, text }) =>
    [...text.matchAll(/^```bash.*\n([\s\S]*?)^```/gm)].map(([, code]) => `${slug}: ${code}`),
  );
  expect(commands.length).toBeGreaterThan(10);
  expect(commands.filter((code) => /job_[0-9A-Za-z]{24}/.test(code))).toEqual([]);
});

it("each link of a guide leads to a page and a heading that exist", () => {
  const guides = readGuides();
  const targets = new Set([
    ...docsPaths(),
    ...guides.flatMap(({ slug, text }) =>
      [...text.matchAll(/^#{2,4} (.+)$/gm)].map(
        ([, heading = ""]) => `${guideHref(slug)}#${headingId(heading)}`,
      ),
    ),
  ]);
  const links = guides.flatMap(({ slug, text }) =>
    [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) =>
      link.startsWith("#") ? `${guideHref(slug)}${link}` : link,
    ),
  );
  expect(links.length).toBeGreaterThan(100);
  const isElsewhere = (link: string) => /^(https?:\/\/|\/(dashboard|packages)\b)/.test(link);
  expect(links.filter((link) => !isElsewhere(link) && !targets.has(link))).toEqual([]);
});
