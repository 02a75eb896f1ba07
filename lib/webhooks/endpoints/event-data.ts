import type { EndpointRow } from "#lib/db/schema/credentials/webhook-endpoints.ts";
import type { PlanName } from "#lib/plans.ts";

/** The `data` of the events that are not about a job. */

/** Of `endpoint.disabled`. */
export function disabledEventData(
  endpoint: Pick<
    EndpointRow,
    "id" | "url" | "description" | "events" | "disabledReason" | "failingSince" | "disabledAt"
  >,
) {
  const { id, url, description, events, disabledReason, failingSince, disabledAt } = endpoint;
  return {
    id,
    url,
    description,
    events,
    reason: disabledReason,
    failing_since: failingSince?.toISOString() ?? null,
    disabled_at: disabledAt?.toISOString() ?? null,
  };
}

/** A threshold of the monthly data that an account has reached. */
export interface ReachedThreshold {
  /** The calendar month in UTC, such as `2026-11`. */
  readonly period: string;
  /** In percent. */
  readonly threshold: number;
  readonly usedBytes: number;
  /** Null is unlimited. */
  readonly includedBytes: number | null;
  readonly plan: PlanName;
}

/** Of `usage.threshold_reached`. */
export function usageEventData({
  period,
  threshold,
  usedBytes,
  includedBytes,
  plan,
}: ReachedThreshold) {
  return { period, threshold, used_bytes: usedBytes, included_bytes: includedBytes, plan };
}

/** An API key that expires soon. */
export interface ExpiringKey {
  readonly id: string;
  readonly name: string;
  /** Its first characters. */
  readonly prefix: string;
  readonly environment: string;
  readonly expiresAt: Date;
}

/** Of `key.expiring`. */
export function keyEventData({ id, name, prefix, environment, expiresAt }: ExpiringKey) {
  return { id, name, prefix, environment, expires_at: expiresAt.toISOString() };
}

/** An upload whose file was received. */
export interface CompletedUpload {
  readonly id: string;
  readonly filename: string;
  readonly bytes: number;
  readonly contentType: string;
  /** In hex; null if the file went to the object store without passing the service. */
  readonly sha256: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** Of `upload.completed`. */
export function uploadEventData({
  id,
  filename,
  bytes,
  contentType,
  sha256,
  createdAt,
  expiresAt,
}: CompletedUpload) {
  return {
    id,
    filename,
    bytes,
    content_type: contentType,
    sha256,
    created_at: createdAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  };
}
