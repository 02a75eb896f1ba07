import { ActionForm, type FormField } from "#components/forms/action-form.tsx";
import { ButtonForm } from "#components/forms/button-form.tsx";
import { SubmitButton } from "#components/forms/submit-button.tsx";
import {
  type ReauthenticationQuestion,
  sendCodeAgain,
  submitReauthentication,
} from "#lib/auth/actions/reauthentication.ts";
import { signInWithProvider } from "#lib/auth/actions/sign-in.ts";

interface ReauthenticationFormProps {
  readonly question: ReauthenticationQuestion;
  /** The page to go to afterwards. */
  readonly next: string;
}

/** What the user does to show who they are, on a page. Works without JavaScript. */
export function ReauthenticationForm({ question, next }: ReauthenticationFormProps) {
  const { method } = question;
  if (method === "provider") return <ProviderForms question={question} next={next} />;
  const fields: FormField[] = [
    method === "password"
      ? {
          name: "current",
          label: "Your password",
          type: "password",
          autoComplete: "current-password",
        }
      : {
          name: "current",
          label: "Code from the email",
          type: "text",
          autoComplete: "one-time-code",
        },
  ];
  return (
    <div className="grid gap-5">
      {method === "code" && (
        <ActionForm action={sendCodeAgain} fields={[]} submit="Send a code" secondary />
      )}
      <ActionForm
        action={submitReauthentication}
        hidden={{ next }}
        fields={fields}
        submit="Confirm"
      />
    </div>
  );
}

/** Another sign-in with a provider, for an account that cannot get a code. */
export function ProviderForms({ question: { providers }, next }: ReauthenticationFormProps) {
  return (
    <div className="grid gap-3">
      <p className="text-sm">Sign in again, then repeat what you wanted to do.</p>
      {providers.map((provider) => (
        <ButtonForm key={provider} action={signInWithProvider} hidden={{ provider, next }}>
          <SubmitButton className="w-full">
            Sign in with {provider === "github" ? "GitHub" : "Google"}
          </SubmitButton>
        </ButtonForm>
      ))}
    </div>
  );
}
