import type { Metadata } from "next";
import { ReauthenticationForm } from "#components/reauthentication/form.tsx";
import { Panel } from "#components/sign-in/panel.tsx";
import type { SearchProps } from "#components/sign-in/search-props.ts";
import { isProvider } from "#lib/auth/next-auth/providers.ts";
import { safeRedirectPath } from "#lib/auth/origin.ts";
import { readReauthenticationMethod } from "#lib/auth/reauthentication/reauthenticate.ts";
import { requireAccount } from "#lib/auth/session.ts";

export const metadata: Metadata = { title: "Confirm that it is you", robots: { index: false } };

/** The dialog's page for browsers without JavaScript. A code is sent only when the user asks for it. */
export default async function ReauthenticatePage({ searchParams }: SearchProps) {
  const account = await requireAccount();
  const next = safeRedirectPath((await searchParams).next);
  const { method, providers } = await readReauthenticationMethod(account);
  const question = {
    method,
    email: account.email,
    providers: providers.filter(isProvider),
  };
  return (
    <Panel
      title="Confirm that it is you"
      description="This protects your account if someone else uses your browser."
    >
      <ReauthenticationForm question={question} next={next} />
    </Panel>
  );
}
