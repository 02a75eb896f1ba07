"use client";

import { type ReactNode, useActionState, useEffect, useRef } from "react";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import type { FormState } from "#lib/auth/credentials.ts";
import { Message } from "./message.tsx";
import { PasswordInput } from "./password-input.tsx";
import { SubmitButton } from "./submit-button.tsx";

export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly type: "email" | "password" | "text";
  /** What the browser may fill in, as HTML names it. */
  readonly autoComplete: string;
  readonly hint?: ReactNode;
  readonly defaultValue?: string;
}

export interface ActionFormProps {
  /** The server action; it works without JavaScript too. */
  readonly action: (previous: FormState, form: FormData) => Promise<FormState>;
  readonly fields: readonly FormField[];
  /** What it says before it was sent, about what has just happened elsewhere. */
  readonly initial?: FormState;
  /** Sent along unseen. */
  readonly hidden?: Readonly<Record<string, string>>;
  /** The verb on the button. */
  readonly submit: string;
  readonly destructive?: boolean;
}

/** A form of a few fields: what is wrong stands beside each, and the first of them gets the focus. */
export function ActionForm({
  action,
  fields,
  initial = {},
  hidden = {},
  submit,
  destructive,
}: ActionFormProps) {
  const [state, send] = useActionState(action, initial);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!state.errors) return;
    const first = form.current?.querySelector<HTMLElement>("[aria-invalid], [role=alert]");
    first?.focus();
  }, [state]);
  return (
    <form ref={form} action={send} noValidate className="grid gap-5">
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {state.errors?.form && <Message kind="error">{state.errors.form}</Message>}
      {fields.map(({ name, label, type, autoComplete, hint, defaultValue }) => (
        <Field key={name} label={label} hint={hint} error={state.errors?.[name]}>
          {(control) => {
            const shared = { ...control, name, autoComplete, required: true };
            if (type === "password") return <PasswordInput {...shared} />;
            const value = state.values?.[name] ?? defaultValue;
            return <Input {...shared} type={type} defaultValue={value} />;
          }}
        </Field>
      ))}
      <div className="grid">
        <SubmitButton variant={destructive ? "destructive" : "default"}>{submit}</SubmitButton>
        {/* There from the start, or screen readers would not read what comes into it. */}
        <div aria-live="polite" className="*:mt-4">
          {state.notice && <Message kind="done">{state.notice}</Message>}
        </div>
      </div>
    </form>
  );
}
