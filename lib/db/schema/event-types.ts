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

/** What an endpoint can subscribe to. */
export const endpointEventTypes = [
  ...eventTypes,
  "batch.completed",
  "usage.threshold_reached",
  "key.expiring",
  "endpoint.disabled",
  "upload.completed",
  "member.added",
  "member.removed",
] as const;
export type EndpointEventType = (typeof endpointEventTypes)[number];

/** What endpoints can subscribe to, and nothing sends yet. */
export const reservedEventTypes = ["batch.completed", "member.added", "member.removed"] as const;
type ReservedEventType = (typeof reservedEventTypes)[number];

/** What endpoints can get. */
export const sentEventTypes = endpointEventTypes.filter((type) =>
  reservedEventTypes.every((reserved) => reserved !== type),
);

/** What an endpoint's `events` may have besides the types: all of a kind, and all. */
export const eventPatterns = [
  "*",
  ...new Set(endpointEventTypes.map((type) => `${kindOf(type)}.*` as const)),
] as const;

/** The kind of an event: `job` of `job.completed`. */
export function kindOf(type: EndpointEventType) {
  // The text before the period of one of the types.
  return type.slice(0, type.indexOf(".")) as EventKind;
}
type EventKind = EndpointEventType extends infer Type
  ? Type extends `${infer Kind}.${string}`
    ? Kind
    : never
  : never;

/** What a delivery sends: also the test event, which has no job. */
export const deliveryTypes = [...endpointEventTypes, "test"] as const;
export type DeliveryType = (typeof deliveryTypes)[number];

/** What an endpoint gets that is no event of a job. */
export const accountEventTypes = deliveryTypes.filter((type) =>
  eventTypes.every((ofJobs) => ofJobs !== type),
);

/** What there are samples of. */
export type SampleType = Exclude<DeliveryType, ReservedEventType>;
const isSample = (type: DeliveryType): type is SampleType =>
  reservedEventTypes.every((reserved) => reserved !== type);
/** First those of `webhook_url`. */
export const sampleTypes: readonly SampleType[] = [
  ...new Set([...webhookEventTypes, ...deliveryTypes.filter(isSample)]),
];

/** When each event is sent, for the guides. */
export const eventMeanings: Readonly<Record<EndpointEventType, string>> = {
  "job.created": "The job is accepted.",
  "job.started": "A runner has started the job.",
  "job.progress": "The progress of the job has changed. At most every 2 seconds.",
  "job.completed": "The job is completed. `outputs` has its files, `result` its data.",
  "job.failed": "The job has failed. `error` and `error_code` say why.",
  "job.cancelled": "The job was canceled.",
  "batch.completed": "Reserved: nothing sends it yet.",
  "usage.threshold_reached":
    "The account has used 50, 75, 90 or 100 % of its month's data, as its alerts are set.",
  "key.expiring": "An API key expires within 7 days.",
  "endpoint.disabled": "Another endpoint of the account was disabled, because it failed.",
  "upload.completed": "The file of an upload is received.",
  "member.added": "Reserved: nothing sends it yet.",
  "member.removed": "Reserved: nothing sends it yet.",
};
