import type { ReactNode } from "react";
import { PrefetchLink } from "#components/ui/prefetch-link.tsx";

interface PageHeaderProps {
  /** The list page that this page belongs to. */
  readonly parent?: { readonly href: string; readonly label: string };
  readonly title: ReactNode;
  readonly description?: ReactNode;
  /** Buttons at the right edge. */
  readonly actions?: ReactNode;
}

/** The header of a dashboard page with its only `h1`. */
export function PageHeader({ parent, title, description, actions }: PageHeaderProps) {
  return (
    <header className="mb-6">
      <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-3">
        <div className="min-w-0">
          {parent && (
            <p className="mb-1 text-sm text-muted-foreground">
              <PrefetchLink
                href={parent.href}
                className="underline-offset-4 hover:text-foreground hover:underline"
              >
                {parent.label}
              </PrefetchLink>
            </p>
          )}
          <h1 className="truncate text-2xl font-semibold tracking-tight">{title}</h1>
          {description && <p className="mt-1 text-sm text-muted-foreground">{description}</p>}
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
      <div aria-hidden="true" className="ruler mt-4 h-2 border-b text-input" />
    </header>
  );
}
