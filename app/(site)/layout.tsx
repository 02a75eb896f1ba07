import type { ReactNode } from "react";
import { DocsSearch } from "#components/docs/search/search.tsx";
import { SiteFooter } from "#components/site/footer.tsx";
import { SiteHeader } from "#components/site/header.tsx";

/** The pages are rendered per request, because examples contain this installation's URL. */
export const dynamic = "force-dynamic";

export default function SiteLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <SiteHeader>
        <DocsSearch />
      </SiteHeader>
      {children}
      <SiteFooter />
    </>
  );
}
