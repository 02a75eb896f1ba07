import { CheckIcon, CircleAlertIcon, OctagonXIcon } from "lucide-react";
import { Badge } from "#components/ui/badge.tsx";

interface RequestBadgeProps {
  readonly status: number;
  readonly errorCode?: string | null;
}

/** The status of a response and its error code: rejected requests differ from those that the service failed. */
export function RequestBadge({ status, errorCode = null }: RequestBadgeProps) {
  const [variant, Icon] =
    status >= 500
      ? (["destructive", OctagonXIcon] as const)
      : status >= 400
        ? (["warning", CircleAlertIcon] as const)
        : (["success", CheckIcon] as const);
  return (
    <Badge variant={variant}>
      <Icon aria-hidden="true" />
      {status} {errorCode !== null && <span className="font-mono font-normal">{errorCode}</span>}
    </Badge>
  );
}
