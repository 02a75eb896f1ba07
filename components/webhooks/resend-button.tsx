"use client";

import { RotateCwIcon } from "lucide-react";
import { useTransition } from "react";
import { Button } from "#components/ui/button.tsx";
import { toast } from "#components/ui/toast.ts";

interface ResendButtonProps {
  readonly id: string;
  /** Resolves to false if the delivery does not exist. */
  readonly resend: (id: string) => Promise<boolean>;
}

/** Sends a webhook again with the same `webhook-id`. */
export function ResendButton({ id, resend }: ResendButtonProps) {
  const [pending, start] = useTransition();
  function onClick() {
    start(async () => {
      const sent = await resend(id).catch(() => false);
      if (sent) toast.success("Webhook queued for delivery");
      else toast.error("The webhook could not be resent. Try again.");
    });
  }
  return (
    <Button variant="outline" size="sm" onClick={onClick} disabled={pending}>
      <RotateCwIcon />
      {pending ? "Sending…" : "Resend"}
    </Button>
  );
}
