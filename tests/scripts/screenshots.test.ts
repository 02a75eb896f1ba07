import { expect, it } from "vitest";
import { listPagePatterns, planVisits } from "#tests/screenshots/pages.ts";
import { createPageSamples } from "#tests/screenshots/samples.ts";

const login = { email: "a@example.com", password: "secret" };
const logins = {
  busy: { ...login, accountId: "acc_1", key: "mm_test" },
  fresh: login,
  spare: login,
  operator: login,
};
const samples = createPageSamples({
  ...logins,
  jobs: {},
  deliveries: [{ id: "whd_1" }],
  endpoint: "we_1",
  rejectedRequest: "req_1",
  share: "0",
});

it("every page of the app has a screenshot with a unique name", () => {
  const names = planVisits(listPagePatterns(), samples).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["home", "sign-in", "dashboard", "docs"]));
  expect(new Set(names).size).toBe(names.length);
});

it("every sample belongs to an existing page", () => {
  const patterns = listPagePatterns();
  expect(Object.keys(samples).filter((pattern) => !patterns.includes(pattern))).toEqual([]);
});

it("a page with a placeholder that has no sample value is an error", () => {
  expect(() => planVisits(["/dashboard/teams/[id]"], samples)).toThrow("/dashboard/teams/[id]");
});
