"use client";

import { ChevronRightIcon, ChevronsUpDownIcon } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { cn } from "#components/class-names.ts";

export interface DocsSection {
  readonly title: string;
  /** The page of all pages of the section. A section with such a page is collapsed unless it has the current page. */
  readonly overview?: { readonly href: string; readonly title: string };
  readonly pages: readonly { readonly href: string; readonly title: string }[];
}

/** Links to the pages of the docs; the current page is highlighted. */
export function DocsNavigation({ sections }: { sections: readonly DocsSection[] }) {
  const path = usePathname();
  return (
    <nav aria-label="Docs" className="grid gap-4 text-sm">
      {sections.map((section) =>
        section.overview ? (
          <CollapsibleSection key={section.title} section={section} path={path} />
        ) : (
          <div key={section.title}>
            <p className="mb-1.5 px-3 font-semibold">{section.title}</p>
            <PageLinks pages={section.pages} path={path} />
          </div>
        ),
      )}
    </nav>
  );
}

interface SectionProps {
  readonly section: DocsSection;
  readonly path: string;
}

/** Works without JavaScript. Opens on navigation to one of its pages. */
function CollapsibleSection({ section, path }: SectionProps) {
  const { title, overview, pages } = section;
  const links = [...(overview ? [overview] : []), ...pages];
  const hasCurrent = links.some(({ href }) => href === path);
  return (
    <details key={String(hasCurrent)} open={hasCurrent} className="group">
      <summary className="flex cursor-pointer list-none items-center gap-2 rounded-sm px-3 py-1 font-semibold [&::-webkit-details-marker]:hidden">
        <span className="flex-1">{title}</span>
        <span className="font-normal text-muted-foreground tabular-nums">{pages.length}</span>
        <ChevronRightIcon
          aria-hidden="true"
          className="size-4 text-muted-foreground transition-transform group-open:rotate-90"
        />
      </summary>
      <div className="mt-1.5">
        <PageLinks pages={links} path={path} />
      </div>
    </details>
  );
}

function PageLinks({ pages, path }: Pick<DocsSection, "pages"> & { path: string }) {
  return (
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
  );
}

/** The navigation on narrow pages: collapsed under the current page's title. It closes on navigation. */
export function DocsMenu({ sections }: { sections: readonly DocsSection[] }) {
  const path = usePathname();
  const pages = sections.flatMap(({ overview, pages }) => [
    ...(overview ? [overview] : []),
    ...pages,
  ]);
  const current = pages.find(({ href }) => href === path);
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
