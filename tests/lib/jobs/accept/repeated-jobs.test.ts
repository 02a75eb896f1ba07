import { expect, it } from "vitest";
import { isRepeated } from "#lib/api/job-creation/idempotency.ts";
import { withinJobsOf } from "#lib/api/job-creation/token-rights.ts";
import { createApiKey } from "#lib/auth/api-keys.ts";
import { authenticateToken, createBrowserToken } from "#lib/auth/browser-tokens.ts";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import type { JobSource } from "#lib/db/schema/jobs.ts";
import { createId } from "#lib/ids.ts";
import { AlreadyCreatedError } from "#lib/jobs/accept/already-created-error.ts";
import { createJob } from "#lib/jobs/accept/create.ts";
import { stageUpload } from "#lib/jobs/accept/staged-uploads.ts";
import { inputKey } from "#lib/jobs/storage-keys.ts";
import { plans } from "#lib/plans.ts";
import { makeAccount } from "#tests/service/jobs.ts";

/** Creates a job of a file of `bytes` that is not read here. */
async function create(account: Account, key: string, bytes = 1) {
  const id = createId("job");
  await stageUpload(id);
  const file = { filename: "a.txt", contentType: "text/plain", bytes, sha256: "" };
  const source: JobSource = { kind: "stored", key: inputKey(id, "file"), ...file };
  const rest = { params: {}, parts: {}, webhookUrl: null, metadata: {}, requestId: "req_test" };
  const idempotency = { key, fingerprint: "same" };
  return createJob({
    id,
    account,
    operation: "pipeline/file-inspect",
    source,
    ...rest,
    idempotency,
  });
}

const reachLimit = {
  rate_limited: async (account: Account) => {
    const limit = plans.free.requestsPerMinute ?? 0;
    for (let count = 1; count < limit; count++) await create(account, `earlier ${count}`);
    return 1;
  },
  usage_limit_reached: async () => plans.free.monthlyBytes ?? 0,
};

it.each(["rate_limited", "usage_limit_reached"] as const)(
  "%s: the repeats of a request that reached the limit are repeats, another one exceeds the limit",
  async (code) => {
    const account = await makeAccount("free");
    const bytes = await reachLimit[code](account);
    const sent = [1, 2, 3].map(() => create(account, "last", bytes));
    const ended = await Promise.allSettled(sent);
    const reasons = ended.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    expect(reasons).toEqual([new AlreadyCreatedError(), new AlreadyCreatedError()]);
    await expect(create(account, "other", bytes)).rejects.toMatchObject({ code });
  },
);

it("a repeat of the last job that a browser token may create is a repeat, another request is one too many", async () => {
  const account = await makeAccount();
  const { keyId: apiKeyId } = await createApiKey(account.id, { name: "key" });
  const limits = { maxBytes: null, maxJobs: 1, origin: null, ttlSeconds: 60 };
  const rights = { operations: ["*"], ...limits };
  const created = await createBrowserToken({ account, apiKeyId }, rights);
  const { token } = (await authenticateToken(created.token)) ?? {};
  if (!token) throw new Error("the token is unknown");
  const send = (key: string) => {
    const headers = { "idempotency-key": key };
    const request = new Request("http://localhost/v1/pipeline/file-inspect", { headers });
    return withinJobsOf(
      token,
      () => isRepeated(request, account.id, token.id),
      () => create(account, `${token.id}:${key}`),
    );
  };
  await send("one");
  await expect(send("one")).rejects.toThrow(AlreadyCreatedError);
  await expect(send("other")).rejects.toMatchObject({ code: "forbidden" });
});
