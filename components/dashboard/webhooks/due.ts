import type { DeliveryRow } from "#lib/db/schema/webhook-deliveries.ts";

const soonMs = 30_000;

/** Whether an attempt is made now or in the next half minute: then it is worth looking again. */
export function isDueSoon(
  { status, nextAttemptAt }: Pick<DeliveryRow, "status" | "nextAttemptAt">,
  now: Date,
): boolean {
  if (status !== "pending") return false;
  return nextAttemptAt === null || nextAttemptAt.getTime() - now.getTime() < soonMs;
}
