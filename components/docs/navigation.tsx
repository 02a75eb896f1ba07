"use client";

import { ChevronsUpDownIcon } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { cn } from "#components/class-names.ts";

export interface DocsSection {
  readonly title: string;
  readonly pages: readonly { readonly href: string; readonly title: string }[];
}

/** Links to the pages of the docs; the current page is highlighted. */
export function DocsNavigation({ sections }: { sections: readonly DocsSection[] }) {
  const path = usePathname();
  return (
    <nav aria-label="Docs" className="grid gap-6 text-sm">
      {sections.map(({ title, pages }) => (
        <div key={title}>
          <p className="mb-1.5 px-3 font-semibold">{title}</p>
          <ul className="grid">
            {pages.map((page) => {
              const current = path === page.href;
              return (
                <li key={page.href}>
                  <Link
                    href={page.href}
                    prefetch={false}
                    aria-current={current ? "page" : undefined}
                    className={cn(
                      "block border-l-2 border-border px-3 py-1.5 text-muted-foreground hover:text-foreground",
                      current && "border-brand font-medium text-foreground",
                    )}
                  >
                    {page.title}
                  </Link>
                </li>
              );
            })}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/** The navigation on narrow pages: collapsed under the current page's title. It closes on navigation. */
export function DocsMenu({ sections }: { sections: readonly DocsSection[] }) {
  const path = usePathname();
  const current = sections.flatMap(({ pages }) => pages).find(({ href }) => href === path);
  return (
    <details key={path} className="mt-4 rounded-lg border bg-card lg:hidden">
      <summary className="flex cursor-pointer list-none items-center justify-between gap-3 px-4 py-3 text-sm [&::-webkit-details-marker]:hidden">
        <span>
          <span className="text-muted-foreground">Docs / </span>
          <span className="font-medium">{current?.title ?? "All pages"}</span>
        </span>
        <ChevronsUpDownIcon aria-hidden="true" className="size-4 text-muted-foreground" />
      </summary>
      <div className="border-t p-4">
        <DocsNavigation sections={sections} />
      </div>
    </details>
  );
}
