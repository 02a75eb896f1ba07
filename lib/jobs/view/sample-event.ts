import type { DeliveryType, WebhookEventType } from "#lib/db/schema/event-types.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { createId } from "#lib/ids.ts";
import { serializeJob } from "./job.ts";

/** An example of an event, as a webhook has it. Its job does not exist, and its URLs lead to no file. */
export function createSampleEvent(type: DeliveryType, at = new Date()) {
  const data = type === "test" ? {} : serializeJob(createSampleJob(type, at));
  return { type, timestamp: at.toISOString(), data };
}

function createSampleJob(type: WebhookEventType, at: Date): JobRow {
  const before = (ms: number) => new Date(at.getTime() - ms);
  const id = createId("job");
  const job = {
    id,
    accountId: "",
    operation: "image/resize",
    params: { width: 800, fit: "inside", position: "center", enlarge: false },
    secrets: null,
    target: null,
    unexported: null,
    status: "completed",
    progress: 100,
    source: { kind: "none" },
    parts: {},
    input: { filename: "photo.jpg", contentType: "image/jpeg", bytes: 482_113, url: null },
    outputs: [],
    result: null,
    warnings: [],
    steps: null,
    error: null,
    errorCode: null,
    stage: "run",
    metadata: { sample: "true", order: "1042" },
    webhookUrl: null,
    requestId: "",
    traceContext: null,
    apiKeyId: null,
    plan: "free",
    attempts: 1,
    runnerDeaths: 0,
    runnerDrainsUntil: null,
    runAfter: before(2400),
    leaseToken: null,
    leaseExpiresAt: null,
    enqueuedAt: before(2400),
    reservedBytes: 0,
    period: at.toISOString().slice(0, 7),
    createdAt: before(2400),
    startedAt: before(2300),
    fetchedAt: null,
    engineStartedAt: before(2200),
    engineEndedAt: before(200),
    completedAt: before(100),
    expiresAt: new Date(at.getTime() + 3_600_000),
    networkBytes: 0,
    filesDeletedAt: null,
  } satisfies JobRow;
  switch (type) {
    case "job.completed":
      return { ...job, outputs: [sampleOutput] };
    case "job.failed": {
      const error = "The image is damaged or incomplete.";
      return { ...job, status: "failed", progress: 10, error, errorCode: "corrupt" };
    }
    case "job.cancelled":
      return { ...job, status: "cancelled", progress: 40 };
  }
}

const sampleOutput = {
  key: "",
  filename: "photo-resize.jpg",
  contentType: "image/jpeg",
  bytes: 61_204,
  width: 800,
  height: 533,
};
