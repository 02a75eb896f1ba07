import { expect, it } from "vitest";
import { pagePatterns, planVisits } from "#tests/screenshots/pages.ts";
import { samplesOf } from "#tests/screenshots/samples.ts";

const login = { email: "a@example.com", password: "secret" };
const logins = { busy: login, fresh: login, spare: login };
const samples = samplesOf({ ...logins, jobs: {}, deliveries: [{ id: "whd_1" }] });

it("every page of the app has its picture, and no two the same name", () => {
  const names = planVisits(pagePatterns(), samples).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["home", "sign-in", "dashboard", "docs"]));
  expect(new Set(names).size).toBe(names.length);
});

it("samples are of pages that there are", () => {
  const patterns = pagePatterns();
  expect(Object.keys(samples).filter((pattern) => !patterns.includes(pattern))).toEqual([]);
});

it("a page with a placeholder of which nothing is known is an error", () => {
  expect(() => planVisits(["/dashboard/teams/[id]"], samples)).toThrow("/dashboard/teams/[id]");
});
