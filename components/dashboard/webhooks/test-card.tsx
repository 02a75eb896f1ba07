"use client";

import { SendIcon } from "lucide-react";
import { type FormEvent, useState, useTransition } from "react";
import { Button } from "#components/ui/button.tsx";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { toast } from "#components/ui/toast.ts";

interface TestCardProps {
  readonly send: (url: string) => Promise<{ readonly id: string } | { readonly error: string }>;
}

/** Sends a signed event to an address, to see whether it is received. */
export function TestCard({ send }: TestCardProps) {
  const [error, setError] = useState<string>();
  const [pending, start] = useTransition();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const url = String(new FormData(event.currentTarget).get("url"));
    start(async () => {
      const failure = { error: "The event could not be sent; please try again." };
      const answer = await send(url).catch(() => failure);
      setError("error" in answer ? answer.error : undefined);
      if ("id" in answer) toast.success("The test event is on its way.");
    });
  }

  return (
    <Card>
      <CardHeader>
        <div>
          <CardTitle>Try a receiver</CardTitle>
          <CardDescription>
            A job's webhook goes to the <code>webhook_url</code> of its request. Here you send a
            signed event of type <code>test</code> anywhere.
          </CardDescription>
        </div>
      </CardHeader>
      <CardContent>
        <form onSubmit={submit} className="grid gap-4">
          <Field label="Address" error={error}>
            {(control) => (
              <Input
                {...control}
                name="url"
                type="url"
                required
                maxLength={2048}
                placeholder="https://example.com/hooks"
                autoComplete="url"
              />
            )}
          </Field>
          <Button type="submit" className="justify-self-start" disabled={pending}>
            <SendIcon />
            {pending ? "Sending …" : "Send a test"}
          </Button>
        </form>
      </CardContent>
    </Card>
  );
}
