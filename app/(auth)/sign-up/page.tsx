import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { ActionForm } from "#components/forms/action-form.tsx";
import { Message } from "#components/forms/message.tsx";
import { newPasswordField } from "#components/forms/new-password.ts";
import { describeNext } from "#components/sign-in/describe-next.ts";
import { Panel } from "#components/sign-in/panel.tsx";
import { Providers } from "#components/sign-in/providers.tsx";
import type { SearchProps } from "#components/sign-in/search-props.ts";
import { TextLink } from "#components/sign-in/text-link.tsx";
import { signUp } from "#lib/auth/actions/sign-up.ts";
import { safeRedirectPath } from "#lib/auth/origin.ts";
import { currentAccount } from "#lib/auth/session.ts";
import { isSignUpOpen } from "#lib/auth/sign-up.ts";
import { formatPlanBytes, plans } from "#lib/plans.ts";

export const metadata: Metadata = { title: "Sign up" };

export default async function SignUpPage({ searchParams }: SearchProps) {
  const query = await searchParams;
  const next = safeRedirectPath(query.next);
  if (await currentAccount()) redirect(next);
  const signInUrl = `/sign-in?next=${encodeURIComponent(next)}`;
  const footer = (
    <p>
      Already have an account? <TextLink href={signInUrl}>Sign in</TextLink>
    </p>
  );
  if (!(await isSignUpOpen())) {
    return (
      <Panel title="Sign-up is closed" footer={footer}>
        <p>Ask the operator of this service to create an account for you.</p>
      </Panel>
    );
  }
  if (query.notice === "mail-sent") {
    return (
      <Panel title="Check your email" footer={footer}>
        <Message kind="success">We have sent you an email. Open its link to go on.</Message>
        <p className="text-sm text-muted-foreground">
          Nothing arrived? Look into the spam folder, or{" "}
          <TextLink href={signInUrl}>sign in</TextLink> with your password to have it sent again.
        </p>
      </Panel>
    );
  }
  const reason = describeNext(next);
  const included = formatPlanBytes(plans.free.monthlyBytes ?? 0);
  return (
    <Panel
      title="Create an account"
      description={`${reason ? `Create a free account ${reason}. ` : ""}The Free plan includes ${included} per month and every operation.`}
      footer={footer}
    >
      <Providers next={next} />
      <ActionForm
        action={signUp}
        hidden={{ next }}
        submit="Create account"
        fields={[
          { name: "email", label: "Email address", type: "email", autoComplete: "username" },
          newPasswordField("Password"),
        ]}
      />
    </Panel>
  );
}
