import { expect, it } from "vitest";
import { db } from "#lib/db/client.ts";
import { renewLease } from "#lib/db/queries/jobs/leases.ts";
import { cancelJob } from "#lib/jobs/actions/cancel.ts";
import { serializeSteps } from "#lib/jobs/view/steps.ts";
import { claimJob } from "#tests/service/claim-job.ts";
import { acceptJob, makeAccount, readJob } from "#tests/service/jobs.ts";

it.each([1, 2, 3, 6, 7, 9, 10])(
  "of %d operations, those whose share of the progress is reached are completed",
  async (count) => {
    const account = await makeAccount();
    const operations = Array.from({ length: count }, () => ({
      type: "pipeline/strip-metadata",
      params: {},
    }));
    const chain = { operation: "chain", params: { operations } };
    const { id } = await acceptJob(account, undefined, chain);
    const lease = { jobId: id, token: "token" };
    await claimJob(db(), lease, 20, "run");
    const statuses = async () => serializeSteps(await readJob(id)).map(({ status }) => status);
    const expected = (reached: number, status: string) =>
      operations.map((_, index) => {
        if (index === reached) return status;
        return index < reached ? "completed" : "not_started";
      });
    for (let reached = 0; reached < count; reached++) {
      await renewLease(db(), lease, 20, (100 * reached) / count);
      expect(await statuses()).toEqual(expected(reached, "running"));
    }
    await cancelJob(account.id, id);
    expect(await statuses()).toEqual(expected(count - 1, "cancelled"));
  },
);
