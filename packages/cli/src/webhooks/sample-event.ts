import { randomBytes } from "node:crypto";
import { webhookEventTypes } from "../../../sdk/src/generated.ts";
import type { JobData, WebhookEventType } from "../../../sdk/src/index.ts";
import { UsageError } from "../errors.ts";

/** A job as the service sends it with an event of this type. */
export function sampleJob(given: string, baseUrl: string): JobData {
  const type = parseType(given);
  const now = Date.now();
  const time = (secondsAgo: number) => new Date(now - secondsAgo * 1000).toISOString();
  const job: JobData = {
    id: `job_${randomBytes(12).toString("hex")}`,
    status: "completed",
    operation: "image/resize",
    params: { width: 800, fit: "inside", position: "center", enlarge: false },
    progress: 100,
    input: { filename: "photo.jpg", content_type: "image/jpeg", bytes: 482_113, url: null },
    outputs: [],
    result: null,
    warnings: [],
    error: null,
    error_code: null,
    metadata: { sample: "true", order: "1042" },
    created_at: time(3),
    started_at: time(2),
    completed_at: time(1),
  };
  switch (type) {
    case "job.completed":
      return { ...job, outputs: [sampleOutput(job.id, baseUrl, now)] };
    case "job.failed": {
      const error = "The image is damaged or incomplete.";
      return { ...job, status: "failed", progress: 10, error, error_code: "corrupt" };
    }
    case "job.cancelled":
      return { ...job, status: "cancelled", progress: 40 };
  }
}

function parseType(given: string): WebhookEventType {
  const type = webhookEventTypes.find((known) => known === given);
  if (type) return type;
  throw new UsageError(`There is no event ${given}. Events: ${webhookEventTypes.join(", ")}.`);
}

function sampleOutput(job: string, baseUrl: string, now: number): JobData["outputs"][number] {
  const expires = new Date(now + 3_600_000);
  const query = `expires=${Math.floor(expires.getTime() / 1000)}&signature=${"0".repeat(64)}`;
  return {
    filename: "photo-resize.jpg",
    content_type: "image/jpeg",
    bytes: 61_204,
    url: `${baseUrl}/files/${job}/0/photo-resize.jpg?${query}`,
    expires_at: expires.toISOString(),
    width: 800,
    height: 533,
  };
}
