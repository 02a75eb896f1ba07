"use client";

import { type FormEvent, useId, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/inputs/checkbox.tsx";
import { Field } from "#components/ui/inputs/field.tsx";
import { Input } from "#components/ui/inputs/input.tsx";
import { Select } from "#components/ui/inputs/select.tsx";
import type { ShareEntry } from "#lib/api/endpoints/shares/share-entry.ts";
import type { JobDetails } from "#lib/jobs/view/details.ts";
import { createShare } from "./api.ts";
import { lifetimeOptions } from "./lifetime.ts";

interface ShareFormProps {
  readonly details: JobDetails;
  /** Whether the result has no link yet. */
  readonly isFirst: boolean;
  readonly onCreated: (share: ShareEntry) => void;
}

/** How long, under which name, and with or without the input. */
export function ShareForm({ details, isFirst, onCreated }: ShareFormProps) {
  const [error, setError] = useState<string>();
  const [isPending, setPending] = useState(false);
  const inputId = useId();
  const input = details.inputs.find(({ part, url }) => part === "file" && url !== null);
  const options = lifetimeOptions(new Date(), details.expiresAt);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isPending) return;
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? "").trim() || null;
    setPending(true);
    try {
      const share = await createShare(details.job.id, {
        days: Number(form.get("days")),
        title: text("title"),
        filename: text("filename"),
        with_input: form.get("with_input") === "on",
      });
      setError(undefined);
      onCreated(share);
    } catch (thrown) {
      setError(thrown instanceof Error ? thrown.message : "The result could not be shared.");
    } finally {
      setPending(false);
    }
  }

  return (
    <form onSubmit={submit} className="grid gap-4">
      <Field label="Title" hint="The heading of the page and of its preview in chat programs.">
        {(control) => (
          <Input
            {...control}
            name="title"
            maxLength={100}
            autoComplete="off"
            placeholder="Optional"
          />
        )}
      </Field>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label="File name" hint="Your own file names are not shown.">
          {(control) => (
            <Input
              {...control}
              name="filename"
              maxLength={80}
              autoComplete="off"
              placeholder="result"
            />
          )}
        </Field>
        <Field label="Expires" hint={options.note}>
          {(control) => (
            <Select {...control} name="days" defaultValue={String(options.days[0]?.days ?? 1)}>
              {options.days.map(({ days, until }) => (
                <option key={days} value={days}>
                  {until
                    ? "When the files are deleted"
                    : `In ${days} ${days === 1 ? "day" : "days"}`}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      {input && (
        <label htmlFor={inputId} className="flex items-start gap-2 text-sm">
          <Checkbox id={inputId} name="with_input" defaultChecked className="mt-0.5" />
          <span>Show the input next to the result. Anyone with the link can download it.</span>
        </label>
      )}
      {error !== undefined && (
        <p role="alert" className="text-sm text-destructive">
          {error}
        </p>
      )}
      <Button
        type="submit"
        aria-disabled={isPending}
        variant={isFirst ? "default" : "outline"}
        className="justify-self-end"
      >
        {isPending ? "Creating…" : isFirst ? "Create link" : "Create another link"}
      </Button>
    </form>
  );
}
