import type { Metadata } from "next";
import { ActionForm } from "#components/forms/action-form.tsx";
import { Panel } from "#components/sign-in/panel.tsx";
import type { SearchProps } from "#components/sign-in/search-props.ts";
import { TextLink } from "#components/sign-in/text-link.tsx";
import { requestPasswordReset } from "#lib/auth/actions/password-reset.ts";
import { safeRedirectPath } from "#lib/auth/origin.ts";
import { canSendMail } from "#lib/auth/password-reset.ts";

export const metadata: Metadata = { title: "Forgot password" };

export default async function ForgotPasswordPage({ searchParams }: SearchProps) {
  const { next: wanted } = await searchParams;
  const next = safeRedirectPath(wanted);
  const footer = (
    <p>
      Remember your password?{" "}
      <TextLink href={`/sign-in?next=${encodeURIComponent(next)}`}>Sign in</TextLink>
    </p>
  );
  if (!canSendMail) {
    return (
      <Panel title="Forgot your password?" footer={footer}>
        <p>
          This service does not send email. Ask the operator of this service to set a new password
          for you.
        </p>
        <p className="text-sm text-muted-foreground">
          You can change the password in Settings after you sign in. The new password also revokes
          your API keys. Your jobs are not affected.
        </p>
      </Panel>
    );
  }
  return (
    <Panel
      title="Forgot your password?"
      description="Enter your email address to receive a link to set a new password."
      footer={footer}
    >
      <ActionForm
        action={requestPasswordReset}
        hidden={wanted === undefined ? {} : { next }}
        submit="Send reset link"
        fields={[
          { name: "email", label: "Email address", type: "email", autoComplete: "username" },
        ]}
      />
    </Panel>
  );
}
