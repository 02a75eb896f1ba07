"use client";

import {
  BookOpenIcon,
  FlaskConicalIcon,
  GaugeIcon,
  KeyRoundIcon,
  ListIcon,
  SettingsIcon,
  WebhookIcon,
} from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { cn } from "#components/class-names.ts";

const pages = [
  { href: "/dashboard", label: "Overview", icon: GaugeIcon },
  { href: "/dashboard/jobs", label: "Jobs", icon: ListIcon },
  { href: "/dashboard/playground", label: "Playground", icon: FlaskConicalIcon },
  { href: "/dashboard/keys", label: "API keys", icon: KeyRoundIcon },
  { href: "/dashboard/webhooks", label: "Webhooks", icon: WebhookIcon },
  { href: "/dashboard/settings", label: "Settings", icon: SettingsIcon },
  { href: "/docs", label: "Docs", icon: BookOpenIcon },
] as const;

/** The dashboard's pages; the present one is marked. */
export function Navigation({ onNavigate }: { onNavigate?: () => void }) {
  const path = usePathname();
  return (
    <nav aria-label="Dashboard">
      <ul className="grid gap-0.5">
        {pages.map(({ href, label, icon: Icon }) => {
          const current = href === "/dashboard" ? path === href : path.startsWith(href);
          return (
            <li key={href}>
              <Link
                href={href}
                aria-current={current ? "page" : undefined}
                onClick={onNavigate}
                className={cn(
                  "flex items-center gap-3 rounded-md border-l-2 border-transparent px-3 py-2 text-sm font-medium text-muted-foreground transition-colors hover:bg-accent hover:text-foreground",
                  current && "border-brand bg-accent text-foreground",
                )}
              >
                <Icon aria-hidden="true" className="size-4" />
                {label}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
