"use client";

import {
  type FormEvent,
  type ReactNode,
  startTransition,
  useContext,
  useEffect,
  useRef,
} from "react";
import { requestFormReset } from "react-dom";
import { Checkbox } from "#components/ui/inputs/checkbox.tsx";
import { Field } from "#components/ui/inputs/field.tsx";
import { Input } from "#components/ui/inputs/input.tsx";
import { Select } from "#components/ui/inputs/select.tsx";
import type { FormState } from "#lib/auth/next-auth/credentials.ts";
import { Message } from "./message.tsx";
import { PasswordInput } from "./password-input.tsx";
import { SubmitButton } from "./submit-button.tsx";
import { useCurrentPath } from "./use-current-path.ts";
import { type FormAction, useFormAction } from "./use-form-action.ts";
import { ReauthenticationContext } from "./use-reauthentication.ts";

export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly type: "email" | "password" | "text" | "select" | "checkbox";
  /** The options of a `select`. */
  readonly options?: readonly string[];
  /** The HTML `autocomplete` value. */
  readonly autoComplete: string;
  readonly hint?: ReactNode;
  readonly defaultValue?: string;
}

export interface ActionFormProps {
  /** The server action. It also works without JavaScript. */
  readonly action: FormAction;
  readonly fields: readonly FormField[];
  /** The state before the first submit, such as an error from another page. */
  readonly initial?: FormState;
  /** Values of hidden fields. */
  readonly hidden?: Readonly<Record<string, string>>;
  /** The label of the submit button. */
  readonly submit: string;
  readonly destructive?: boolean;
  /** The button is not the main one of its page. */
  readonly secondary?: boolean;
}

/** A form for a server action. Errors are shown at their fields, and the first one gets the focus. */
export function ActionForm({
  action,
  fields,
  initial = {},
  hidden = {},
  submit,
  destructive,
  secondary,
}: ActionFormProps) {
  const { state, send, formProps } = useFormAction(action, initial);
  const form = useRef<HTMLFormElement>(null);
  const submitted = useRef<FormData>(undefined);
  const ask = useContext(ReauthenticationContext);
  const path = useCurrentPath();
  useEffect(() => {
    if (!state.needsReauthentication) return;
    void ask().then((isDone) => {
      const fields = submitted.current;
      if (!isDone || !fields) return;
      startTransition(() => {
        // As after a submit by the button.
        if (form.current) requestFormReset(form.current);
        send(fields);
      });
    });
  }, [state, ask, send]);
  useEffect(() => {
    if (!state.errors) return;
    const first = form.current?.querySelector<HTMLElement>("[aria-invalid], [role=alert]");
    first?.focus();
  }, [state]);
  const keepFields = (event: FormEvent<HTMLFormElement>) => {
    submitted.current = new FormData(event.currentTarget);
  };
  return (
    <form ref={form} {...formProps} onSubmit={keepFields} noValidate className="grid gap-5">
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {state.errors?.form && <Message kind="error">{state.errors.form}</Message>}
      {state.needsReauthentication && (
        <Message kind="error">
          Not done yet.{" "}
          <a
            href={`/reauthenticate?next=${encodeURIComponent(path)}`}
            className="underline underline-offset-4"
          >
            Confirm that it is you
          </a>
          , then try again.
        </Message>
      )}
      {fields.map(({ name, label, type, options, autoComplete, hint, defaultValue }) => (
        <Field
          key={name}
          className={
            type === "checkbox"
              ? "grid-cols-[auto_1fr] items-center [&>p]:col-start-2 [&>input]:order-first"
              : undefined
          }
          label={label}
          hint={hint}
          error={state.errors?.[name]}
        >
          {(control) => {
            const shared = { ...control, name, autoComplete, required: true };
            if (type === "checkbox") return <Checkbox {...control} name={name} />;
            if (type === "password") return <PasswordInput {...shared} />;
            if (type === "select") {
              return (
                <Select {...shared} key={defaultValue} defaultValue={defaultValue}>
                  {options?.map((option) => (
                    <option key={option}>{option}</option>
                  ))}
                </Select>
              );
            }
            const value = state.values?.[name] ?? defaultValue;
            return <Input {...shared} type={type} defaultValue={value} />;
          }}
        </Field>
      ))}
      <div className="grid">
        <SubmitButton variant={destructive ? "destructive" : secondary ? "outline" : "default"}>
          {submit}
        </SubmitButton>
        {/* Always rendered: screen readers announce changes only in existing live regions. */}
        <div aria-live="polite" className="*:mt-4">
          {state.notice && <Message kind="success">{state.notice}</Message>}
        </div>
      </div>
    </form>
  );
}
