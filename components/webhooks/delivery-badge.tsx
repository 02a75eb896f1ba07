import { CheckIcon, CircleAlertIcon, ClockIcon, RotateCwIcon } from "lucide-react";
import { Badge } from "#components/ui/badge.tsx";
import type { DeliveryRow } from "#lib/db/schema/webhook-deliveries.ts";

const styles = {
  delivered: { icon: CheckIcon, variant: "success", label: "Delivered" },
  failed: { icon: CircleAlertIcon, variant: "destructive", label: "Failed" },
  pending: { icon: ClockIcon, variant: "outline", label: "Pending" },
  retrying: { icon: RotateCwIcon, variant: "warning", label: "Retrying" },
} as const;

/** A delivery's status as color, icon and text. */
export function DeliveryBadge({
  delivery: { status, attemptsSinceSend },
}: {
  readonly delivery: Pick<DeliveryRow, "status" | "attemptsSinceSend">;
}) {
  const style = status === "pending" && attemptsSinceSend > 0 ? "retrying" : status;
  const { icon: Icon, variant, label } = styles[style];
  return (
    <Badge variant={variant}>
      <Icon aria-hidden="true" />
      {label}
    </Badge>
  );
}
