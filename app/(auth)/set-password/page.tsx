import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { ActionForm } from "#components/forms/action-form.tsx";
import { newPasswordField } from "#components/forms/new-password.ts";
import { SubmitButton } from "#components/forms/submit-button.tsx";
import { Panel } from "#components/sign-in/panel.tsx";
import type { SearchProps } from "#components/sign-in/search-props.ts";
import { setFirstPassword } from "#lib/auth/actions/passwords.ts";
import { signOut } from "#lib/auth/actions/sign-out.ts";
import { ownPath } from "#lib/auth/origin.ts";
import { currentAccount } from "#lib/auth/session.ts";

export const metadata: Metadata = { title: "Choose a password" };

export default async function SetPasswordPage({ searchParams }: SearchProps) {
  const next = ownPath((await searchParams).next);
  const account = await currentAccount();
  if (!account) redirect(`/sign-in?next=${encodeURIComponent(next)}`);
  if (!account.mustSetPassword) redirect(next);
  return (
    <Panel
      title="Choose a password of your own"
      description={`The one you signed in with was made for ${account.email} and was seen on a screen. Nothing else can be done before it is replaced.`}
      footer={
        <form action={signOut}>
          <SubmitButton variant="link" className="h-auto p-0">
            Sign out
          </SubmitButton>
        </form>
      }
    >
      <ActionForm
        action={setFirstPassword}
        hidden={{ next }}
        submit="Set the password"
        fields={[newPasswordField("New password")]}
      />
    </Panel>
  );
}
