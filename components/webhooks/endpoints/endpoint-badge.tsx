import { CheckIcon, CircleAlertIcon, PauseIcon, RotateCwIcon } from "lucide-react";
import { Badge } from "#components/ui/badge.tsx";
import type { EndpointRow } from "#lib/db/schema/credentials/webhook-endpoints.ts";

const styles = {
  enabled: { icon: CheckIcon, variant: "success", label: "Enabled" },
  failing: { icon: RotateCwIcon, variant: "warning", label: "Failing" },
  owner: { icon: PauseIcon, variant: "outline", label: "Disabled" },
  disabled: { icon: CircleAlertIcon, variant: "destructive", label: "Disabled: failed" },
} as const;

/** Whether an endpoint gets events, as color, icon and text. */
export function EndpointBadge({
  endpoint: { enabled, failingSince, disabledReason },
}: {
  readonly endpoint: Pick<EndpointRow, "enabled" | "failingSince" | "disabledReason">;
}) {
  const active = failingSince ? "failing" : "enabled";
  const inactive = disabledReason === "owner" ? "owner" : "disabled";
  const { icon: Icon, variant, label } = styles[enabled ? active : inactive];
  return (
    <Badge variant={variant}>
      <Icon aria-hidden="true" />
      {label}
    </Badge>
  );
}
