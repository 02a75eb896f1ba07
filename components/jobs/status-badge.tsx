import { BanIcon, CheckIcon, CircleAlertIcon, ClockIcon, LoaderIcon } from "lucide-react";
import { Badge } from "#components/ui/badge.tsx";

const styles = {
  pending: { icon: ClockIcon, variant: "outline", label: "Pending" },
  processing: { icon: LoaderIcon, variant: "info", label: "Processing" },
  completed: { icon: CheckIcon, variant: "success", label: "Completed" },
  failed: { icon: CircleAlertIcon, variant: "destructive", label: "Failed" },
  cancelled: { icon: BanIcon, variant: "default", label: "Cancelled" },
} as const;

interface StatusBadgeProps {
  readonly status: keyof typeof styles;
  /** The progress from 0 to 100, which is shown while the job is processing. */
  readonly progress?: number;
  /** The number of warnings of a completed job. */
  readonly warnings?: number;
}

/** A job's status as color, icon and text. */
export function StatusBadge({ status, progress, warnings = 0 }: StatusBadgeProps) {
  const { icon: Icon, variant, label } = styles[status];
  const running = status === "processing";
  return (
    <Badge variant={variant}>
      <Icon aria-hidden="true" className={running ? "animate-spin" : undefined} />
      {label}
      {running && progress !== undefined && progress > 0 && ` ${Math.round(progress)}%`}
      {status === "completed" && warnings > 0 && `, ${countWarnings(warnings)}`}
    </Badge>
  );
}

function countWarnings(count: number): string {
  return count === 1 ? "1 warning" : `${count} warnings`;
}
