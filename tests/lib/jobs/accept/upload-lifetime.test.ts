import { afterEach, expect, it } from "vitest";
import { env } from "#lib/env.ts";
import { createUpload } from "#lib/jobs/accept/uploads.ts";
import type { PlanName } from "#lib/plans.ts";
import { makeAccount } from "#tests/service/jobs.ts";

const { RETENTION_HOURS } = env;

afterEach(() => {
  Object.assign(env, { RETENTION_HOURS });
});

it.each<[PlanName, number | undefined, number]>([
  ["free", undefined, 24],
  ["enterprise", undefined, 24],
  ["enterprise", 48, 24],
  ["free", 2, 2],
  ["enterprise", 0.5, 0.5],
  ["visitor", undefined, 1],
  ["visitor", 2, 1],
])(
  "an upload of the plan %s with `RETENTION_HOURS` %s expires after %s hours",
  async (plan, retention, hours) => {
    Object.assign(env, { RETENTION_HOURS: retention });
    const account = await makeAccount(plan);
    const file = { filename: "a.txt", bytes: 1, method: "put", token: null } as const;
    const before = Date.now();
    const { expiresAt } = await createUpload(account, file);
    const after = Date.now();
    expect(expiresAt.getTime()).toBeGreaterThanOrEqual(before + hours * 3_600_000);
    expect(expiresAt.getTime()).toBeLessThanOrEqual(after + hours * 3_600_000);
  },
);
