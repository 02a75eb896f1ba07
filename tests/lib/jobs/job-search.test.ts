import { beforeAll, expect, it } from "vitest";
import { db } from "#lib/db/client.ts";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import { maxSearchedJobs, searchNewestJobs } from "#lib/db/queries/jobs/summaries.ts";
import { insertManyJobs, jobAt } from "#tests/service/database/many-jobs.ts";
import { makeAccount } from "#tests/service/jobs.ts";

const many = maxSearchedJobs + 100;
let account: Account;
let other: Account;

beforeAll(async () => {
  [account, other] = [await makeAccount(), await makeAccount()];
  await insertManyJobs(account.id, many);
  await insertManyJobs(other.id, 10);
});

const search = async (query: Parameters<typeof searchNewestJobs>[2], owner = account) => {
  const rows = await searchNewestJobs(db(), owner.id, query, 5);
  return rows.map(({ input }) => input.filename);
};

it("finds jobs by a part of the file name, the newest first", async () => {
  expect(await search({ text: "PHOTO-149" })).toEqual([
    "photo-149.jpg",
    "photo-1490.jpg",
    "photo-1491.jpg",
    "photo-1492.jpg",
    "photo-1493.jpg",
  ]);
  expect(await search({ text: "photo_149" })).toEqual([]);
  expect(await search({ text: "photo-149%" })).toEqual([]);
});

it("finds jobs by their id and by the start of it", async () => {
  const { id } = await jobAt(account.id, 20);
  expect(await search({ text: id })).toEqual(["photo-21.jpg"]);
  expect(await search({ text: id.slice(0, 14) })).toEqual(["photo-21.jpg"]);
});

it("finds the newest jobs with a status", async () => {
  expect((await search({ status: "failed" }))[0]).toBe("photo-20.jpg");
  expect(await search({ status: "failed", text: "photo-10" })).not.toContain("photo-10.jpg");
});

it("finds only jobs of the account", async () => {
  const { id } = await jobAt(account.id, 20);
  expect(await search({ text: id }, other)).toEqual([]);
  expect(await search({ text: id.slice(0, 14) }, other)).toEqual([]);
  expect(await search({ text: "photo-11.jpg" }, other)).toEqual([]);
  expect(await search({ text: "photo" }, other)).toHaveLength(5);
});

it("searches the newest jobs only, and a complete id at any age", async () => {
  expect(await search({ text: `photo-${maxSearchedJobs}.jpg` })).toHaveLength(1);
  expect(await search({ text: `photo-${many}.jpg` })).toEqual([]);
  const { id } = await jobAt(account.id, many - 1);
  expect(await search({ text: id })).toEqual([`photo-${many}.jpg`]);
});
