import type { ReactNode } from "react";
import { DocsSearch } from "#components/docs/search.tsx";
import { SiteFooter } from "#components/site/footer.tsx";
import { SiteHeader } from "#components/site/header.tsx";

/** Made at every request: examples name the address of this very installation. */
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
