import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { ActionForm } from "#components/forms/action-form.tsx";
import { ButtonForm } from "#components/forms/button-form.tsx";
import { newPasswordField } from "#components/forms/new-password.ts";
import { SubmitButton } from "#components/forms/submit-button.tsx";
import { Panel } from "#components/sign-in/panel.tsx";
import type { SearchProps } from "#components/sign-in/search-props.ts";
import { setFirstPassword } from "#lib/auth/actions/passwords.ts";
import { signOut } from "#lib/auth/actions/sign-out.ts";
import { safeRedirectPath } from "#lib/auth/origin.ts";
import { currentAccount } from "#lib/auth/session.ts";

export const metadata: Metadata = { title: "Set a password" };

export default async function SetPasswordPage({ searchParams }: SearchProps) {
  const next = safeRedirectPath((await searchParams).next);
  const account = await currentAccount();
  if (!account) redirect(`/sign-in?next=${encodeURIComponent(next)}`);
  if (!account.mustSetPassword) redirect(next);
  return (
    <Panel
      title="Set your own password"
      description={`You signed in as ${account.email} with a one-time password. Set a new password to continue.`}
      footer={
        <ButtonForm action={signOut}>
          <SubmitButton variant="link" className="h-auto p-0">
            Sign out
          </SubmitButton>
        </ButtonForm>
      }
    >
      <ActionForm
        action={setFirstPassword}
        hidden={{ next }}
        submit="Set password"
        fields={[newPasswordField("New password")]}
      />
    </Panel>
  );
}
