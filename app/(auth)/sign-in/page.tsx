import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { ActionForm } from "#components/forms/action-form.tsx";
import { Message } from "#components/forms/message.tsx";
import { describeNext } from "#components/sign-in/describe-next.ts";
import { Panel } from "#components/sign-in/panel.tsx";
import { Providers } from "#components/sign-in/providers.tsx";
import type { SearchProps } from "#components/sign-in/search-props.ts";
import { TextLink } from "#components/sign-in/text-link.tsx";
import { signIn } from "#lib/auth/actions/sign-in.ts";
import { safeRedirectPath } from "#lib/auth/origin.ts";
import { currentAccount } from "#lib/auth/session.ts";
import { signInErrorMessage } from "#lib/auth/sign-in-errors.ts";
import { isSignUpOpen } from "#lib/auth/sign-up.ts";

export const metadata: Metadata = { title: "Sign in" };

const notices: Readonly<Record<string, string>> = {
  "password-set": "Your new password is set. Sign in with it.",
  deleted: "Your account and its files have been deleted.",
};

export default async function SignInPage({ searchParams }: SearchProps) {
  const query = await searchParams;
  // NextAuth redirects here with `callbackUrl`.
  const next = safeRedirectPath(query.next ?? query.callbackUrl);
  if (await currentAccount()) redirect(next);
  const error = signInErrorMessage(query.error);
  const notice = typeof query.notice === "string" ? notices[query.notice] : undefined;
  const reason = describeNext(next);
  return (
    <Panel
      title="Sign in"
      description={reason && `Sign in ${reason}.`}
      footer={
        <>
          <p>
            <TextLink href={`/forgot-password?next=${encodeURIComponent(next)}`}>
              Forgot your password?
            </TextLink>
          </p>
          {(await isSignUpOpen()) && (
            <p>
              No account yet?{" "}
              <TextLink href={`/sign-up?next=${encodeURIComponent(next)}`}>Create one</TextLink>
            </p>
          )}
        </>
      }
    >
      {notice && <Message kind="success">{notice}</Message>}
      <Providers next={next} />
      <ActionForm
        action={signIn}
        initial={error ? { errors: { form: error } } : {}}
        hidden={{ next }}
        submit="Sign in"
        fields={[
          { name: "email", label: "Email address", type: "email", autoComplete: "username" },
          {
            name: "password",
            label: "Password",
            type: "password",
            autoComplete: "current-password",
          },
        ]}
      />
    </Panel>
  );
}
