import Link from "next/link";
import { ThemeToggle } from "#components/theme/toggle.tsx";

const links = [
  { href: "/docs", label: "Docs" },
  { href: "/#plans", label: "Plans" },
  { href: "/packages", label: "Packages" },
  { href: "/openapi.json", label: "OpenAPI 3.1" },
  { href: "/llms.txt", label: "llms.txt" },
  { href: "/status", label: "Status" },
] as const;

/** The footer of the site's pages. */
export function SiteFooter() {
  return (
    <footer className="mt-24">
      <div aria-hidden="true" className="ruler h-2 border-b text-input" />
      <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-8 text-sm text-muted-foreground sm:px-6">
        <p>Mediamill: self-hosted media processing over HTTP.</p>
        <nav aria-label="Resources" className="flex flex-wrap gap-x-5 gap-y-2">
          {links.map(({ href, label }) => (
            <Link
              key={href}
              href={href}
              prefetch={false}
              className="underline-offset-4 hover:text-foreground hover:underline"
            >
              {label}
            </Link>
          ))}
        </nav>
        {/* The header has no room for it. */}
        <span className="hidden max-[26rem]:block">
          <ThemeToggle />
        </span>
      </div>
    </footer>
  );
}
