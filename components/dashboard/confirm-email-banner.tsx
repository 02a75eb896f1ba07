import { MailWarningIcon } from "lucide-react";
import { ButtonForm } from "#components/forms/button-form.tsx";
import { Button } from "#components/ui/button.tsx";

interface ConfirmEmailBannerProps {
  readonly email: string;
  /** The server action. It leads to a page that says whether an email was sent. */
  readonly send: () => Promise<void>;
}

/** Asks the user to open the link in the email. Shown until then. */
export function ConfirmEmailBanner({ email, send }: ConfirmEmailBannerProps) {
  return (
    <section
      aria-label="Confirm your address"
      className="mb-6 flex flex-wrap items-start gap-3 rounded-lg border border-input bg-card p-4 text-sm"
    >
      <MailWarningIcon aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <p className="min-w-0 flex-1">
        <strong className="font-medium">Confirm your address.</strong> We have sent an email to{" "}
        <span className="break-words">{email}</span>. Open its link, then you can create API keys
        and run jobs.
      </p>
      <ButtonForm action={send}>
        <Button type="submit" variant="outline">
          Send again
        </Button>
      </ButtonForm>
    </section>
  );
}
