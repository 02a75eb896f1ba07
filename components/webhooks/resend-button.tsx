"use client";

import { RotateCwIcon } from "lucide-react";
import { useTransition } from "react";
import { Button } from "#components/ui/button.tsx";
import { toast } from "#components/ui/toast/toast.ts";
import type { SendResult } from "./send/results.ts";

interface ResendButtonProps {
  readonly id: string;
  readonly resend: (id: string) => Promise<SendResult>;
}

/** Sends a webhook again with the same `webhook-id`. */
export function ResendButton({ id, resend }: ResendButtonProps) {
  const [pending, start] = useTransition();
  function onClick() {
    start(async () => {
      const failed = { error: "The webhook could not be resent. Try again." };
      const result = await resend(id).catch(() => failed);
      if ("error" in result) toast.error(result.error);
      else toast.success("Webhook queued for delivery");
    });
  }
  return (
    <Button variant="outline" size="sm" onClick={onClick} disabled={pending}>
      <RotateCwIcon />
      {pending ? "Sending…" : "Resend"}
    </Button>
  );
}
