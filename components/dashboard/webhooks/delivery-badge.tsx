import { CheckIcon, CircleAlertIcon, ClockIcon, RotateCwIcon } from "lucide-react";
import { Badge } from "#components/ui/badge.tsx";
import type { DeliveryRow } from "#lib/db/schema/webhook-deliveries.ts";

const looks = {
  delivered: { icon: CheckIcon, variant: "success", label: "Delivered" },
  failed: { icon: CircleAlertIcon, variant: "destructive", label: "Given up" },
  pending: { icon: ClockIcon, variant: "outline", label: "Pending" },
  again: { icon: RotateCwIcon, variant: "warning", label: "Trying again" },
} as const;

/** How a delivery stands, in colour, sign and word. */
export function DeliveryBadge({
  delivery: { status, attemptsInRound },
}: {
  readonly delivery: Pick<DeliveryRow, "status" | "attemptsInRound">;
}) {
  const look = status === "pending" && attemptsInRound > 0 ? "again" : status;
  const { icon: Icon, variant, label } = looks[look];
  return (
    <Badge variant={variant}>
      <Icon aria-hidden="true" />
      {label}
    </Badge>
  );
}
