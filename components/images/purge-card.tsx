"use client";

import { type FormEvent, useState, useTransition } from "react";
import { Message } from "#components/forms/message.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { Field } from "#components/ui/inputs/field.tsx";
import { Input } from "#components/ui/inputs/input.tsx";
import { Select } from "#components/ui/inputs/select.tsx";

interface PurgeCardProps {
  /** Resolves with an error message. */
  readonly purge: (kind: "source" | "prefix", text: string) => Promise<string | undefined>;
}

/** Removes pictures from the cache. */
export function PurgeCard({ purge }: PurgeCardProps) {
  const [error, setError] = useState<string>();
  const [isDone, setDone] = useState(false);
  const [pending, start] = useTransition();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    const kind = fields.get("kind") === "prefix" ? "prefix" : "source";
    setDone(false);
    start(async () => {
      const failure = await purge(kind, String(fields.get("text"))).catch(
        () => "The pictures could not be removed. Try again.",
      );
      setError(failure);
      setDone(failure === undefined);
      if (failure === undefined) form.reset();
    });
  }

  return (
    <Card>
      <CardHeader>
        <div>
          <CardTitle>Purge the cache</CardTitle>
          <CardDescription>
            If a source has changed under the same URL. The next request makes its pictures again.
          </CardDescription>
        </div>
      </CardHeader>
      <CardContent>
        <form onSubmit={submit} className="grid items-start gap-4 sm:grid-cols-[12rem_1fr_auto]">
          <Field label="Pictures of">
            {(control) => (
              <Select {...control} name="kind" defaultValue="source">
                <option value="source">One source</option>
                <option value="prefix">Sources that begin with</option>
              </Select>
            )}
          </Field>
          <Field label="URL" error={error}>
            {(control) => (
              <Input
                {...control}
                name="text"
                required
                maxLength={2048}
                placeholder="https://example.com/photo.jpg"
                autoComplete="off"
              />
            )}
          </Field>
          <Button type="submit" variant="outline" disabled={pending} className="sm:mt-[1.375rem]">
            {pending ? "Purging…" : "Purge"}
          </Button>
        </form>
        {/* Always rendered: screen readers announce changes only in existing live regions. */}
        <div aria-live="polite" className="*:mt-4">
          {isDone && <Message kind="success">Pictures removed from the cache.</Message>}
        </div>
      </CardContent>
    </Card>
  );
}
