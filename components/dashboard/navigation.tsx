"use client";

import { usePathname } from "next/navigation";
import { cn } from "#components/class-names.ts";
import { PrefetchLink } from "#components/ui/prefetch-link.tsx";
import { dashboardPages, operatorPage } from "./pages.ts";

interface NavigationProps {
  /** Whether to show the operator's pages. They check this again. */
  readonly isOperator: boolean;
  readonly onNavigate?: () => void;
}

/** Links to the dashboard's pages; the current page is highlighted. */
export function Navigation({ isOperator, onNavigate }: NavigationProps) {
  const path = usePathname();
  const pages = isOperator ? [...dashboardPages, operatorPage] : dashboardPages;
  return (
    <nav aria-label="Dashboard">
      <ul className="grid gap-0.5">
        {pages.map(({ href, label, icon: Icon }) => {
          const current = href === "/dashboard" ? path === href : path.startsWith(href);
          return (
            <li key={href}>
              <PrefetchLink
                href={href}
                aria-current={current ? "page" : undefined}
                onClick={onNavigate}
                className={cn(
                  "flex items-center gap-3 rounded-md border-l-2 border-transparent forced-colors:border-[Canvas] px-3 py-2 text-sm font-medium text-muted-foreground transition-colors hover:bg-accent hover:text-foreground",
                  current &&
                    "border-brand bg-accent text-foreground forced-colors:border-[Highlight]",
                )}
              >
                <Icon aria-hidden="true" className="size-4" />
                {label}
              </PrefetchLink>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
