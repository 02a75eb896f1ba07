import { expect, it } from "vitest";
import { channels } from "#lib/db/channels.ts";
import { db, notify } from "#lib/db/client.ts";
import { cancellations } from "#lib/jobs/run/lease.ts";
import { waitUntil } from "#tests/support/processes.ts";

it("a cancellation that arrives before its job is registered is not lost, and is reported once", async () => {
  const stopListening = await cancellations.listen();
  let isLaterCancelled = false;
  const unregister = cancellations.register("job_later", () => {
    isLaterCancelled = true;
  });
  await notify(db(), channels.jobCancelled, "job_early");
  await notify(db(), channels.jobCancelled, "job_later");
  await waitUntil(() => isLaterCancelled);
  let calls = 0;
  for (let count = 0; count < 2; count++) cancellations.register("job_early", () => calls++)();
  expect(calls).toBe(1);
  unregister();
  await stopListening();
});
