/** What the API sends. Fields that a newer service adds are there, without a type. */

import type {
  AccountEventType,
  EndpointEventType,
  JobData,
  JobEventType,
  JobStatus,
  WebhookEventType,
} from "./generated.ts";

export type {
  AccountEventType,
  EndpointEventType,
  JobData,
  JobEventType,
  JobStatus,
  JobStepData,
  OutputData,
  WebhookEventType,
} from "./generated.ts";

export interface Usage {
  plan: string;
  gb_used: number;
  gb_included: number | null;
  gb_remaining: number | null;
  total_jobs: number;
}

/** What the groups of a report are, and its days. */
export interface UsageReportQuery {
  group_by: "operation" | "key" | "day" | "error_code";
  /** The start of a day in UTC, RFC 3339. Default: the first day of this month. */
  created_after?: string;
  /** The start of a day in UTC, RFC 3339: the first one that does not count. Default: tomorrow. */
  created_before?: string;
}

export interface UsageCounts {
  jobs: number;
  completed: number;
  failed: number;
  cancelled: number;
  /** The bytes of input of the completed jobs. */
  bytes: number;
  /** How long completed jobs took, by error code failed ones. Absent if there are none. */
  duration_p50_ms?: number;
  duration_p95_ms?: number;
  errors: { error_code: string; jobs: number }[];
}

export interface UsageReport {
  group_by: UsageReportQuery["group_by"];
  created_after: string;
  created_before: string;
  total: UsageCounts;
  /** The groups of the report; `name` is that of an API key. */
  groups: (UsageCounts & { group: string; name?: string })[];
}

/** How far a call is. */
export interface Progress {
  readonly phase: "upload" | "processing";
  /** The progress of this phase in percent. */
  readonly percent: number;
}

/** The account of an API key. */
export interface Account {
  email: string;
  plan: string;
  api_key: { id: string; name: string; created_at: string; expires_at: string | null };
  /** How to send files to the host. Older services do not say it. */
  uploads?: {
    /** Whether uploads go to the storage itself, not through the host. */
    direct: boolean;
    /** The most bytes of a request with files. Null: only the limits of the plan apply. */
    form_bytes: number | null;
  };
}

export interface Upload {
  id: string;
  expires_at: string;
}

/** Where to send a file by one request. */
export interface PutUpload extends Upload {
  url: string;
  method: "PUT";
  headers: Record<string, string>;
}

/** An operation of the service's catalogue. */
export interface OperationData {
  id: string;
  summary: string;
  [field: string]: unknown;
}

/** An event of `GET /v1/events`. */
export interface JobEvent {
  /** The id, with which you can resume after the event. */
  id: string;
  type: JobEventType;
  job: JobData;
}

/** What a webhook carries: to the `webhook_url` of a job, an event with which it has ended. */
export interface WebhookEvent {
  type: WebhookEventType;
  timestamp: string;
  data: JobData;
}

/** What an endpoint gets: an event of a job, or one of the account. */
export type EndpointEvent =
  | { type: JobEventType; timestamp: string; data: JobData }
  | { type: AccountEventType; timestamp: string; data: Record<string, unknown> };

/** What a browser token may do. */
export interface BrowserTokenFields {
  /** Ids of operations, and patterns of them, such as `image/*`. */
  operations: string[];
  /** The most bytes of one file. */
  max_bytes?: number;
  /** How many jobs it may create. Default: 10. */
  max_jobs?: number;
  /** For how many seconds it is valid, at most 3600. Default: 600. */
  ttl?: number;
  /** The origin of the pages that use it, such as `https://example.com`. */
  origin?: string;
}

/** A short-lived key for a page or an app. */
export interface BrowserToken {
  token: string;
  expires_at: string;
}

/** What a webhook endpoint is created from. */
export interface WebhookEndpointFields {
  url: string;
  /** The types of events that are sent, `job.*` for all of jobs, or `*` for all. */
  events: (EndpointEventType | `${string}.*` | "*")[];
  description?: string;
}

/** A URL that gets events of the account. */
export interface WebhookEndpoint {
  id: string;
  url: string;
  description: string;
  events: string[];
  enabled: boolean;
  created_at: string;
  /** The first failed attempt since the last one that succeeded. */
  failing_since: string | null;
  disabled_at: string | null;
  /** `owner`: by a request. `failing`: it failed for five days. `gone`: it answered 410. */
  disabled_reason: "owner" | "failing" | "gone" | null;
}

/** A webhook with its attempts. */
export interface WebhookDelivery {
  id: string;
  job: string | null;
  endpoint: string | null;
  type: string;
  url: string;
  status: "pending" | "delivered" | "failed";
  attempts: { at: string; status: number | null; duration_ms: number; response: string }[];
  next_attempt_at: string | null;
  created_at: string;
}

/** Filters and position of a list of jobs. */
export interface JobListQuery {
  limit?: number;
  starting_after?: string;
  ending_before?: string;
  status?: JobStatus;
  operation?: string;
  filename?: string;
  error_code?: string;
  key?: string;
  created_after?: string;
  created_before?: string;
  metadata?: Record<string, string>;
}

/**
 * A file: a URL, a path (in Node, Bun and Deno), the id of an upload, or its content. A stream is read
 * into memory first.
 */
export type FileInput =
  | string
  | URL
  | Blob
  | Uint8Array
  | ArrayBuffer
  | ReadableStream<Uint8Array>
  | Response
  | { readonly file: Blob | Uint8Array | ArrayBuffer; readonly filename: string };

/** What a connection is created from. The fields depend on the type. */
export interface ConnectionFields {
  type: "s3" | "s3_role" | "gcs" | "azure" | "sftp" | "webdav";
  name: string;
  /** The folder that the connection cannot leave. */
  prefix?: string;
  access?: "read" | "write" | "both";
  /** The only operations whose jobs may use it. */
  operations?: string[] | null;
  [field: string]: unknown;
}

/** A store of the account, without its secrets. */
export interface Connection {
  id: string;
  type: ConnectionFields["type"];
  name: string;
  prefix: string;
  access: "read" | "write" | "both";
  operations: string[] | null;
  created_at: string;
  tested_at: string | null;
  test_error: string | null;
  used_at: string | null;
  [field: string]: unknown;
}

export interface ConnectionFiles {
  files: { path: string; bytes: number; modified_at: string | null; etag: string | null }[];
  next_cursor: string | null;
}
