import type { EventType, SampleType } from "#lib/db/schema/event-types.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { createId } from "#lib/ids.ts";
import {
  disabledEventData,
  keyEventData,
  uploadEventData,
  usageEventData,
} from "#lib/webhooks/endpoints/event-data.ts";
import { serializeJob } from "./job.ts";

/** An example of an event, as a webhook has it. Its job does not exist, and its URLs lead to no file. */
export function createSampleEvent(type: SampleType, at = new Date()) {
  return { type, timestamp: at.toISOString(), data: createSampleData(type, at) };
}

function createSampleData(type: SampleType, at: Date) {
  const period = at.toISOString().slice(0, 7);
  const inDays = (days: number) => new Date(at.getTime() + days * 86_400_000);
  switch (type) {
    case "test":
      return {};
    case "usage.threshold_reached":
      return usageEventData({
        period,
        threshold: 75,
        usedBytes: 762_000_000,
        includedBytes: 1_000_000_000,
        plan: "free",
      });
    case "key.expiring":
      return keyEventData({
        id: createId("key"),
        name: "Production",
        prefix: "mm_live_0aB1",
        environment: "production",
        expiresAt: inDays(7),
      });
    case "endpoint.disabled":
      return disabledEventData({
        id: createId("we"),
        url: "https://example.com/hooks/mediamill",
        description: "Orders",
        events: ["job.completed"],
        disabledReason: "failing",
        failingSince: inDays(-5),
        disabledAt: at,
      });
    case "upload.completed":
      return uploadEventData({
        id: createId("upload"),
        filename: "photo.jpg",
        bytes: 482_113,
        contentType: "image/jpeg",
        sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        createdAt: at,
        expiresAt: inDays(1),
      });
    default:
      return serializeJob(createSampleJob(type, at));
  }
}

function createSampleJob(type: EventType, at: Date): JobRow {
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
    tokenId: null,
    maxFileBytes: null,
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
    case "job.created":
      return { ...job, ...unfinished, status: "pending", progress: 0, startedAt: null };
    case "job.started":
      return { ...job, ...unfinished, status: "processing", progress: 0 };
    case "job.progress":
      return { ...job, ...unfinished, status: "processing", progress: 40 };
  }
}

const unfinished = { engineEndedAt: null, completedAt: null, expiresAt: null };

const sampleOutput = {
  key: "",
  filename: "photo-resize.jpg",
  contentType: "image/jpeg",
  bytes: 61_204,
  width: 800,
  height: 533,
};
