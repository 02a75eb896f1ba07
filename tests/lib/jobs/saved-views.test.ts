import { expect, it } from "vitest";
import { db } from "#lib/db/client.ts";
import {
  deleteSavedView,
  listSavedViews,
  maxSavedViews,
  saveView,
} from "#lib/db/queries/accounts/saved-views.ts";
import { readAllJobs } from "#lib/db/queries/jobs/lists.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { insertManyJobs } from "#tests/service/database/many-jobs.ts";
import { makeAccount } from "#tests/service/jobs.ts";

it("a view is replaced by one with its name, and an account has a limited number", async () => {
  const { id } = await makeAccount();
  const other = await makeAccount();
  const save = (name: string, query = "status=failed") => saveView(db(), id, { name, query });
  expect(await save("failed")).toBe(true);
  expect(await save("failed", "status=cancelled")).toBe(true);
  expect(await listSavedViews(db(), id)).toEqual([{ name: "failed", query: "status=cancelled" }]);
  for (let count = 1; count < maxSavedViews; count++) expect(await save(`v${count}`)).toBe(true);
  expect(await save("one more")).toBe(false);
  expect(await save("failed")).toBe(true);
  await deleteSavedView(db(), other.id, "failed");
  expect(await listSavedViews(db(), id)).toHaveLength(maxSavedViews);
  await deleteSavedView(db(), id, "failed");
  expect(await save("one more")).toBe(true);
  expect(await listSavedViews(db(), other.id)).toEqual([]);
});

it("all jobs of a list are read page by page, each once, newest first", async () => {
  const { id } = await makeAccount();
  await insertManyJobs(id, 25);
  const pages: JobRow[][] = [];
  for await (const page of readAllJobs(db(), id, {}, 10)) pages.push(page);
  expect(pages.map((page) => page.length)).toEqual([10, 10, 5]);
  const times = pages.flat().map(({ createdAt }) => createdAt.getTime());
  expect(times).toEqual(times.toSorted((one, other) => other - one));
  expect(new Set(pages.flat().map((row) => row.id)).size).toBe(25);
});
