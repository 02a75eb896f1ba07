import { expect, it } from "vitest";
import { AlreadyCreatedError } from "#lib/jobs/accept/already-created-error.ts";
import { createUpload } from "#lib/jobs/accept/uploads.ts";
import { plans } from "#lib/plans.ts";
import { makeAccount } from "#tests/service/jobs.ts";

it("the repeat of an upload that reached the limit is a repeat, another one exceeds the limit", async () => {
  const account = await makeAccount("free");
  const bytes = plans.free.monthlyBytes ?? 0;
  const create = (key: string) => {
    const idempotency = { key, fingerprint: "same" };
    const file = { filename: "a.txt", bytes, method: "put", token: null } as const;
    return createUpload(account, { ...file, idempotency });
  };
  await create("one");
  await expect(create("one")).rejects.toThrow(AlreadyCreatedError);
  // Also if it is tried again: no key is kept of what was rejected.
  for (const key of ["other", "other"]) {
    await expect(create(key)).rejects.toMatchObject({ code: "usage_limit_reached" });
  }
});
