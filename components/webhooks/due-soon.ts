import type { DeliveryRow } from "#lib/db/schema/webhook-deliveries.ts";

const soonMs = 30_000;

/** Whether an attempt is due within 30 seconds, so that the page should refresh. */
export function isDueSoon(
  { status, nextAttemptAt }: Pick<DeliveryRow, "status" | "nextAttemptAt">,
  now: Date,
): boolean {
  if (status !== "pending") return false;
  return nextAttemptAt === null || nextAttemptAt.getTime() - now.getTime() < soonMs;
}
