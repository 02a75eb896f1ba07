import { CircleAlertIcon, CircleCheckIcon, CircleHelpIcon, ClockAlertIcon } from "lucide-react";
import { Badge } from "#components/ui/badge.tsx";
import type { EngineState } from "#lib/jobs/status/report.ts";
import { stateLabels } from "./names.ts";

const looks = {
  operational: { variant: "success", icon: CircleCheckIcon },
  slow: { variant: "warning", icon: ClockAlertIcon },
  failing: { variant: "destructive", icon: CircleAlertIcon },
  no_recent_check: { variant: "default", icon: CircleHelpIcon },
} as const;

/** The state of an engine as text and icon, not only as a color. */
export function StateBadge({ state }: { state: EngineState }) {
  const { variant, icon: Icon } = looks[state];
  return (
    <Badge variant={variant}>
      <Icon aria-hidden="true" />
      {stateLabels[state]}
    </Badge>
  );
}
