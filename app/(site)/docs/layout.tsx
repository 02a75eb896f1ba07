import type { ReactNode } from "react";
import { DocsMenu, DocsNavigation } from "#components/docs/navigation.tsx";
import { docsSections } from "#components/docs/sections.ts";

export default function DocsLayout({ children }: { children: ReactNode }) {
  const sections = docsSections();
  return (
    <div className="mx-auto grid max-w-6xl gap-x-10 px-4 sm:px-6 lg:grid-cols-[13rem_minmax(0,1fr)]">
      <aside className="sticky top-14 hidden h-[calc(100dvh-3.5rem)] overflow-y-auto py-8 lg:block">
        <DocsNavigation sections={sections} />
      </aside>
      <DocsMenu sections={sections} />
      <main id="content" className="min-w-0 py-8">
        {children}
      </main>
    </div>
  );
}
