"use client";

import { SendIcon } from "lucide-react";
import { type FormEvent, useState, useTransition } from "react";
import { Button } from "#components/ui/button.tsx";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { toast } from "#components/ui/toast/toast.ts";
import { UrlField } from "./send/url-field.tsx";

interface TestCardProps {
  readonly send: (url: string) => Promise<{ readonly id: string } | { readonly error: string }>;
}

/** Sends a signed test event to a URL. */
export function TestCard({ send }: TestCardProps) {
  const [error, setError] = useState<string>();
  const [pending, start] = useTransition();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const url = String(new FormData(event.currentTarget).get("url"));
    start(async () => {
      const failure = { error: "The test event could not be sent. Try again." };
      const result = await send(url).catch(() => failure);
      setError("error" in result ? result.error : undefined);
      if ("id" in result) toast.success("Test event queued for delivery");
    });
  }

  return (
    <Card>
      <CardHeader>
        <div>
          <CardTitle>Send a test event</CardTitle>
          <CardDescription>
            Send a signed event of type <code>test</code> to any URL. Job webhooks are sent to the{" "}
            <code>webhook_url</code> of the request.
          </CardDescription>
        </div>
      </CardHeader>
      <CardContent>
        <form onSubmit={submit} className="grid gap-4">
          <UrlField error={error} />
          <Button type="submit" className="justify-self-start" disabled={pending}>
            <SendIcon />
            {pending ? "Sending…" : "Send test event"}
          </Button>
        </form>
      </CardContent>
    </Card>
  );
}
