import type { Metadata } from "next";
import { ActionForm, type FormField } from "#components/forms/action-form.tsx";
import { Message } from "#components/forms/message.tsx";
import { Panel } from "#components/sign-in/panel.tsx";
import type { SearchProps } from "#components/sign-in/search-props.ts";
import { TextLink } from "#components/sign-in/text-link.tsx";
import { confirmEmail } from "#lib/auth/actions/email-confirmation.ts";
import { readConfirmationToken } from "#lib/auth/emails/email-confirmation.ts";
import { currentAccount } from "#lib/auth/session.ts";

export const metadata: Metadata = { title: "Confirm your email address", robots: { index: false } };

const passwordField: FormField = {
  name: "password",
  label: "Password",
  type: "password",
  autoComplete: "current-password",
};

/** Where the link in the email leads. Opening it changes nothing: mail programs open links on their own. */
export default async function ConfirmEmailPage({ searchParams }: SearchProps) {
  const { token, notice } = await searchParams;
  if (notice === "sent" || notice === "limited")
    return <SentAgain isLimited={notice === "limited"} />;
  const account = typeof token === "string" ? await readConfirmationToken(token) : undefined;
  if (typeof token !== "string" || !account) {
    return (
      <Panel title="This link is no longer valid">
        <p>
          A link is valid for one day.{" "}
          <TextLink href="/sign-in">Sign in to get another one</TextLink>
        </p>
      </Panel>
    );
  }
  if (!account.mustConfirmEmail) {
    return (
      <Panel title="Your email address is confirmed">
        <p>
          <TextLink href="/dashboard">Open the dashboard</TextLink>
        </p>
      </Panel>
    );
  }
  const isSignedIn = (await currentAccount())?.id === account.id;
  return (
    <Panel
      title="Confirm your email address"
      description={`Mediamill will use ${account.email} for your account.`}
      footer={
        !isSignedIn && (
          <p>
            You did not choose a password?{" "}
            <TextLink href="/forgot-password">Set a new one</TextLink>
          </p>
        )
      }
    >
      <ActionForm
        action={confirmEmail}
        hidden={{ token }}
        submit="Confirm email address"
        fields={isSignedIn ? [] : [passwordField]}
      />
    </Panel>
  );
}

/** What the dashboard's button to send the email again leads to. */
function SentAgain({ isLimited }: { readonly isLimited: boolean }) {
  return (
    <Panel
      title="Check your email"
      footer={<TextLink href="/dashboard">Back to the dashboard</TextLink>}
    >
      {isLimited ? (
        <Message kind="error">Too many emails were sent. Try again in ten minutes.</Message>
      ) : (
        <Message kind="success">We have sent an email again. Open its link to go on.</Message>
      )}
    </Panel>
  );
}
