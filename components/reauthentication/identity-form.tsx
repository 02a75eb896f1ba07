"use client";

import { type FormEvent, useState } from "react";
import { PasswordInput } from "#components/forms/password-input.tsx";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/inputs/field.tsx";
import { Input } from "#components/ui/inputs/input.tsx";
import { sendCodeAgain, submitReauthentication } from "#lib/auth/actions/reauthentication.ts";

interface IdentityFormProps {
  readonly method: "password" | "code";
  readonly onDone: () => void;
}

/**
 * The form of the dialog. Not `ActionForm`, which shows its result in a transition: the action that waits for the
 * dialog can be in one too, and React shows the results of transitions only when all of them have ended.
 */
export function IdentityForm({ method, onDone }: IdentityFormProps) {
  const [error, setError] = useState<string>();
  const [notice, setNotice] = useState<string>();
  const [isPending, setPending] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isPending) return;
    const form = event.currentTarget;
    setPending(true);
    const state = await submitReauthentication({}, new FormData(form)).catch(() => failed);
    setPending(false);
    if (!state.errors) return onDone();
    setError(Object.values(state.errors)[0]);
    form.querySelector("input")?.focus();
  }

  async function sendAgain() {
    const state = await sendCodeAgain().catch(() => failed);
    setNotice(state.errors?.form ?? ("notice" in state ? state.notice : undefined));
  }

  return (
    <form onSubmit={submit} noValidate className="grid gap-5">
      <Field label={method === "password" ? "Your password" : "Code from the email"} error={error}>
        {(control) =>
          method === "password" ? (
            <PasswordInput
              {...control}
              name="current"
              autoComplete="current-password"
              required
              autoFocus
            />
          ) : (
            <Input {...control} name="current" autoComplete="one-time-code" required autoFocus />
          )
        }
      </Field>
      <Button type="submit" aria-disabled={isPending}>
        Confirm
      </Button>
      {method === "code" && (
        <Button variant="outline" onClick={sendAgain}>
          Send another code
        </Button>
      )}
      <p aria-live="polite" className="text-sm text-muted-foreground empty:hidden">
        {notice}
      </p>
    </form>
  );
}

const failed = { errors: { form: "This did not work. Try again." } };
