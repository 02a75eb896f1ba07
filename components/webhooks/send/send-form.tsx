"use client";

import { SendIcon } from "lucide-react";
import { type FormEvent, useState, useTransition } from "react";
import { Button } from "#components/ui/button.tsx";
import type { DeliveryProgress, SendResult as Result } from "./results.ts";
import { SendResult } from "./send-result.tsx";
import { UrlField } from "./url-field.tsx";

interface SendFormProps {
  /** The text of the button. */
  readonly label: string;
  readonly send: (url: string) => Promise<Result>;
  readonly read: (id: string) => Promise<DeliveryProgress | undefined>;
}

const failure = { error: "The webhook could not be sent. Try again." };

/** Sends a webhook to a URL, and shows the result of the attempt. */
export function SendForm({ label, send, read }: SendFormProps) {
  const [result, setResult] = useState<Result>();
  const [pending, start] = useTransition();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const url = String(new FormData(event.currentTarget).get("url"));
    start(async () => setResult(await send(url).catch(() => failure)));
  }

  return (
    <div className="grid gap-3">
      <form onSubmit={submit} className="flex flex-wrap items-start gap-2">
        <div className="min-w-0 flex-[1_1_16rem]">
          <UrlField error={result && "error" in result ? result.error : undefined} />
        </div>
        <Button type="submit" variant="outline" disabled={pending} className="sm:mt-5.5">
          <SendIcon />
          {pending ? "Sending…" : label}
        </Button>
      </form>
      {result && "id" in result && <SendResult key={result.id} id={result.id} read={read} />}
    </div>
  );
}
