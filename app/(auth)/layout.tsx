import type { ReactNode } from "react";
import { ReauthenticationProvider } from "#components/reauthentication/provider.tsx";
import { SiteHeader } from "#components/site/header.tsx";

export default function SignInLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <SiteHeader />
      <main id="content" className="mx-auto w-full max-w-md px-4 py-12 sm:py-20">
        <ReauthenticationProvider>{children}</ReauthenticationProvider>
      </main>
    </>
  );
}
