"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { cn } from "#components/class-names.ts";

const sections = [
  { href: "/dashboard/operator", label: "Accounts" },
  { href: "/dashboard/operator/queue", label: "Queue" },
  { href: "/dashboard/operator/runners", label: "Runners" },
  { href: "/dashboard/operator/operations", label: "Operations" },
  { href: "/dashboard/operator/storage", label: "Storage and settings" },
  { href: "/dashboard/operator/acts", label: "Audit log" },
] as const;

/** Links to the operator's pages; the current page is highlighted. */
export function SectionLinks() {
  const path = usePathname();
  return (
    <nav aria-label="Operator" className="mb-6">
      <ul className="flex flex-wrap gap-1">
        {sections.map(({ href, label }) => {
          const isAccount = href === "/dashboard/operator" && path.startsWith(`${href}/accounts`);
          const current = path === href || isAccount;
          return (
            <li key={href}>
              <Link
                href={href}
                prefetch={false}
                aria-current={current ? "page" : undefined}
                className={cn(
                  "block rounded-md border border-transparent px-3 py-1.5 text-sm font-medium text-muted-foreground transition-colors hover:bg-accent hover:text-foreground",
                  current && "border-brand bg-accent text-foreground",
                )}
              >
                {label}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
