import type { Metadata } from "next";
import { ActionForm } from "#components/forms/action-form.tsx";
import { Panel } from "#components/sign-in/panel.tsx";
import { TextLink } from "#components/sign-in/text-link.tsx";
import { requestPasswordReset } from "#lib/auth/actions/password-reset.ts";
import { canSendMail } from "#lib/auth/password-reset.ts";

export const metadata: Metadata = { title: "Forgot password" };

export default function ForgotPasswordPage() {
  const footer = (
    <p>
      Remembered it? <TextLink href="/sign-in">Sign in</TextLink>
    </p>
  );
  if (!canSendMail) {
    return (
      <Panel title="Forgot your password?" footer={footer}>
        <p>
          This service sends no e-mail, so its operator sets the password: ask them to run this, and
          to tell you what they have chosen.
        </p>
        <pre className="rounded-lg border bg-card p-4 font-mono text-xs leading-relaxed wrap-anywhere whitespace-pre-wrap">
          npm run admin -- account set-password \{"\n"}
          {"  "}--email you@example.com --password …
        </pre>
        <p className="text-sm text-muted-foreground">
          You can change it after signing in, under Settings. Until then your keys and jobs go on as
          they are.
        </p>
      </Panel>
    );
  }
  return (
    <Panel
      title="Forgot your password?"
      description="Enter the account's e-mail address, and a link to a new one is sent there."
      footer={footer}
    >
      <ActionForm
        action={requestPasswordReset}
        submit="Send the link"
        fields={[
          { name: "email", label: "E-mail address", type: "email", autoComplete: "username" },
        ]}
      />
    </Panel>
  );
}
