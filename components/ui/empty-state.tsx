import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

interface EmptyStateProps {
  readonly icon: LucideIcon;
  readonly title: string;
  /** What the list will contain, and what to do to get there. */
  readonly children: ReactNode;
  /** The next step: a button or a link. */
  readonly action?: ReactNode;
}

/** Shown instead of an empty list. */
export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-3 px-6 py-14 text-center">
      <Icon aria-hidden="true" className="size-8 text-brand" strokeWidth={1.5} />
      <h3 className="font-semibold">{title}</h3>
      <div className="max-w-md text-sm text-muted-foreground">{children}</div>
      {action}
    </div>
  );
}
