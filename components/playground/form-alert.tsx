import { InlineCode } from "#components/ui/inline-code.tsx";

interface FormAlertProps {
  readonly message: string;
  /** The operation of the form to which the sign-in page leads back; undefined if signing in does not help. */
  readonly signInFor: string | undefined;
  /** Where the reader can change the plan whose limit is reached. */
  readonly planUrl?: string | undefined;
}

/** An error that is about the whole form. */
export function FormAlert({ message, signInFor, planUrl }: FormAlertProps) {
  return (
    <p
      role="alert"
      tabIndex={-1}
      className="rounded-lg border border-destructive/40 bg-destructive/5 p-4 text-sm text-destructive"
    >
      <InlineCode text={message} />{" "}
      {signInFor !== undefined && (
        <a href={signInUrl(signInFor)} className="underline underline-offset-4">
          Sign in. Your form is kept.
        </a>
      )}
      {planUrl !== undefined && (
        <a href={planUrl} className="underline underline-offset-4">
          Change the plan of this account.
        </a>
      )}
    </p>
  );
}

/** The sign-in page, which leads back to the form. */
function signInUrl(operation: string): string {
  return `/sign-in?next=${encodeURIComponent(`/dashboard/playground?operation=${operation}`)}`;
}
