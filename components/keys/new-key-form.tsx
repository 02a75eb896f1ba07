"use client";

import { type FormEvent, useState, useTransition } from "react";
import { useReauthentication } from "#components/forms/use-reauthentication.ts";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/inputs/field.tsx";
import { Input } from "#components/ui/inputs/input.tsx";
import { Select } from "#components/ui/inputs/select.tsx";
import { createKey } from "#lib/auth/actions/api-keys.ts";

/** The form's options for the days until a key expires. */
const lifetimes = [
  { days: "", label: "Never" },
  { days: "7", label: "In 7 days" },
  { days: "30", label: "In 30 days" },
  { days: "90", label: "In 90 days" },
  { days: "365", label: "In 1 year" },
] as const;

/** The form that creates a key. `onCreated` receives the key. */
export function NewKeyForm({ onCreated }: { onCreated: (apiKey: string) => void }) {
  const [error, setError] = useState<string>();
  const [pending, start] = useTransition();
  const reauthenticated = useReauthentication();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const days = form.get("expires");
    start(async () => {
      const result = await reauthenticated(() =>
        createKey({
          name: String(form.get("name")),
          environment: form.get("environment") === "development" ? "development" : "production",
          expiresInDays: days ? Number(days) : null,
        }),
      ).catch(() => ({ error: "The key could not be created. Try again." }));
      if (!result) return;
      if ("apiKey" in result) onCreated(result.apiKey);
      else setError(result.error);
    });
  }

  return (
    <form onSubmit={submit} className="grid gap-4">
      <Field label="Name" hint="Where you use the key, such as “Build server”." error={error}>
        {(control) => (
          <Input {...control} name="name" required maxLength={60} autoComplete="off" autoFocus />
        )}
      </Field>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field
          label="Environment"
          hint="Keys for development start with mm_test_. They have the same access."
        >
          {(control) => (
            <Select {...control} name="environment" defaultValue="production">
              <option value="production">Production</option>
              <option value="development">Development</option>
            </Select>
          )}
        </Field>
        <Field label="Expires" hint="You can revoke the key at any time.">
          {(control) => (
            <Select {...control} name="expires">
              {lifetimes.map(({ days, label }) => (
                <option key={days} value={days}>
                  {label}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <Button type="submit" disabled={pending} className="justify-self-end">
        {pending ? "Creating…" : "Create key"}
      </Button>
    </form>
  );
}
