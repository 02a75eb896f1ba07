import type { ReactNode } from "react";
import { DocsNavigation } from "#components/docs/navigation.tsx";
import { docsSections } from "#components/docs/sections.ts";

export default function DocsLayout({ children }: { children: ReactNode }) {
  const sections = docsSections();
  return (
    <div className="mx-auto grid max-w-6xl gap-x-10 px-4 sm:px-6 lg:grid-cols-[13rem_minmax(0,1fr)]">
      <aside className="sticky top-14 hidden h-[calc(100dvh-3.5rem)] overflow-y-auto py-8 lg:block">
        <DocsNavigation sections={sections} />
      </aside>
      <details className="mt-4 rounded-lg border bg-card lg:hidden">
        <summary className="cursor-pointer px-4 py-3 text-sm font-medium">All pages</summary>
        <div className="border-t p-4">
          <DocsNavigation sections={sections} />
        </div>
      </details>
      <main id="content" className="min-w-0 py-8">
        {children}
      </main>
    </div>
  );
}
