import type { Metadata } from "next";
import { ActionForm } from "#components/forms/action-form.tsx";
import { newPasswordField } from "#components/forms/new-password.ts";
import { Panel } from "#components/sign-in/panel.tsx";
import type { SearchProps } from "#components/sign-in/search-props.ts";
import { TextLink } from "#components/sign-in/text-link.tsx";
import { setForgottenPassword } from "#lib/auth/actions/password-reset.ts";
import { readResetToken } from "#lib/auth/password-reset.ts";

export const metadata: Metadata = { title: "New password", robots: { index: false } };

export default async function ResetPasswordPage({ searchParams }: SearchProps) {
  const { token } = await searchParams;
  const reset = typeof token === "string" ? await readResetToken(token) : undefined;
  if (typeof token !== "string" || !reset) {
    return (
      <Panel title="This link is no longer valid">
        <p>
          A reset link works once and expires after one hour.{" "}
          <TextLink href="/forgot-password">Request a new link</TextLink>
        </p>
      </Panel>
    );
  }
  return (
    <Panel
      title="Set a new password"
      description={`For ${reset.email}. All signed-in browsers will be signed out, and all API keys revoked.`}
    >
      <ActionForm
        action={setForgottenPassword}
        hidden={{ token }}
        submit="Set password"
        fields={[newPasswordField("New password")]}
      />
    </Panel>
  );
}
