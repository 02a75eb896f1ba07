import { expect, it } from "vitest";
import { webhookEventTypes } from "#lib/db/schema/event-types.ts";
import { createSampleEvent } from "#lib/jobs/view/sample-event.ts";
import { sampleJob } from "#packages/cli/src/webhooks/sample-event.ts";

it.each(webhookEventTypes)("the command's sample of %s is the one of the service", (type) => {
  const { data } = createSampleEvent(type);
  const sample = sampleJob(type, "http://localhost");
  const message = "packages/cli/src/webhooks/sample-event.ts must have the fields and values of";
  expect(comparable(sample), `${message} lib/jobs/view/sample-event.ts`).toEqual(comparable(data));
});

/** Returns the job without what differs each time: ids, times and URLs. */
function comparable(job: object): unknown {
  const text = JSON.stringify(job)
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replaceAll(/"https?:[^"]*"/g, '"URL"')
    .replaceAll(/job_\w+/g, "ID");
  return JSON.parse(text);
}
