"use client";

import { type FormEvent, useId, useState, useTransition } from "react";
import { useReauthentication } from "#components/forms/use-reauthentication.ts";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/inputs/checkbox.tsx";
import { Field } from "#components/ui/inputs/field.tsx";
import { Input } from "#components/ui/inputs/input.tsx";
import type { NeedsReauthentication } from "#lib/auth/next-auth/credentials.ts";
import { UrlField } from "../send/url-field.tsx";
import { eventOptions } from "./event-choices.ts";

/** What the form has. */
export interface EndpointFields {
  readonly url: string;
  readonly events: readonly string[];
  readonly description: string;
}

interface EndpointFormProps<Saved> {
  readonly initial: EndpointFields;
  /** The label of the button, and while it is saved. */
  readonly submitLabel: readonly [label: string, pending: string];
  readonly save: (
    fields: EndpointFields,
  ) => Promise<Saved | { readonly error: string } | NeedsReauthentication>;
  readonly onSaved: (saved: Saved) => void;
}

/** The settings of an endpoint. */
export function EndpointForm<Saved extends object>({
  initial,
  submitLabel: [label, pendingLabel],
  save,
  onSaved,
}: EndpointFormProps<Saved>) {
  const [error, setError] = useState<string>();
  const [pending, start] = useTransition();
  const reauthenticated = useReauthentication();
  const group = useId();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const fields = {
      url: String(form.get("url")),
      description: String(form.get("description")).trim(),
      events: form.getAll("events").map(String),
    };
    start(async () => {
      const failure = { error: "The endpoint could not be saved. Try again." };
      const result = await reauthenticated(() => save(fields)).catch(() => failure);
      if (!result) return;
      const failed = "error" in result ? String(result.error) : undefined;
      setError(failed);
      // A result without an error is what was saved.
      if (failed === undefined) onSaved(result as Saved);
    });
  }

  return (
    <form onSubmit={submit} className="grid gap-5">
      <UrlField
        hint="Requests with a signature are sent to it."
        error={error}
        defaultValue={initial.url}
      />
      <Field label="Description" hint="For people. It is not sent.">
        {(control) => (
          <Input
            {...control}
            name="description"
            maxLength={200}
            defaultValue={initial.description}
            autoComplete="off"
          />
        )}
      </Field>
      <fieldset className="grid gap-3">
        <legend className="mb-2 text-sm font-medium">Events</legend>
        {eventOptions(initial.events).map(({ value, meaning }) => (
          <label
            key={value}
            className="flex items-start gap-3 text-sm"
            htmlFor={`${group}-${value}`}
          >
            <Checkbox
              id={`${group}-${value}`}
              name="events"
              value={value}
              defaultChecked={initial.events.includes(value)}
              className="mt-0.5 shrink-0"
            />
            <span className="min-w-0">
              <code className="font-mono">{value}</code>
              <span className="block text-muted-foreground">{meaning}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <Button type="submit" disabled={pending} className="justify-self-start">
        {pending ? pendingLabel : label}
      </Button>
    </form>
  );
}
