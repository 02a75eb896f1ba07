import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { ActionForm } from "#components/forms/action-form.tsx";
import { newPasswordField } from "#components/forms/new-password.ts";
import { Panel } from "#components/sign-in/panel.tsx";
import { Providers } from "#components/sign-in/providers.tsx";
import type { SearchProps } from "#components/sign-in/search-props.ts";
import { TextLink } from "#components/sign-in/text-link.tsx";
import { signUp } from "#lib/auth/actions/sign-up.ts";
import { ownPath } from "#lib/auth/origin.ts";
import { currentAccount } from "#lib/auth/session.ts";
import { isSignUpOpen } from "#lib/auth/sign-up.ts";
import { describeBytes, plans } from "#lib/plans.ts";

export const metadata: Metadata = { title: "Sign up" };

export default async function SignUpPage({ searchParams }: SearchProps) {
  const next = ownPath((await searchParams).next);
  if (await currentAccount()) redirect(next);
  const footer = (
    <p>
      Already have an account?{" "}
      <TextLink href={`/sign-in?next=${encodeURIComponent(next)}`}>Sign in</TextLink>
    </p>
  );
  if (!isSignUpOpen) {
    return (
      <Panel title="Sign-up is closed" footer={footer}>
        <p>
          Accounts of this service are created by its operator. Ask them for one; with{" "}
          <code className="font-mono text-sm">npm run admin -- account create</code> it takes them a
          moment.
        </p>
      </Panel>
    );
  }
  const included = describeBytes(plans.free.monthlyBytes ?? 0);
  return (
    <Panel
      title="Create an account"
      description={`On the Free plan: ${included} of files a month, every operation.`}
      footer={footer}
    >
      <Providers next={next} />
      <ActionForm
        action={signUp}
        hidden={{ next }}
        submit="Create account"
        fields={[
          { name: "email", label: "E-mail address", type: "email", autoComplete: "username" },
          newPasswordField("Password"),
        ]}
      />
    </Panel>
  );
}
