"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { cn } from "#components/class-names.ts";

export interface DocsSection {
  readonly title: string;
  readonly pages: readonly { readonly href: string; readonly title: string }[];
}

/** The pages of the docs; the present one is marked. */
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
