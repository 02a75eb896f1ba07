/**
 * The types of events: the only place where one is added. The column of deliveries, the checks of
 * requests, the OpenAPI document, the dashboard, the guides, and the SDK, the Python package, the
 * command and the n8n nodes are made from these lists. What a type check then asks for is its meaning
 * below and its samples.
 */

/** What is sent to `webhook_url`. */
export const webhookEventTypes = ["job.completed", "job.failed", "job.cancelled"] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

/** What `GET /v1/events` sends. */
export const eventTypes = [
  "job.created",
  "job.started",
  "job.progress",
  ...webhookEventTypes,
] as const;
export type EventType = (typeof eventTypes)[number];

/** What a delivery sends: also the test event, which has no job. */
export const deliveryTypes = [...webhookEventTypes, "test"] as const;
export type DeliveryType = (typeof deliveryTypes)[number];

/** When each event is sent, for the guides. */
export const eventMeanings: Readonly<Record<EventType, string>> = {
  "job.created": "The job is accepted.",
  "job.started": "A runner has started the job.",
  "job.progress": "The progress of the job has changed. At most every 2 seconds.",
  "job.completed": "The job is completed. `outputs` has its files, `result` its data.",
  "job.failed": "The job has failed. `error` and `error_code` say why.",
  "job.cancelled": "The job was canceled.",
};
