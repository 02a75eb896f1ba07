"use client";

import { RotateCwIcon } from "lucide-react";
import { useTransition } from "react";
import { Button } from "#components/ui/button.tsx";
import { toast } from "#components/ui/toast.ts";

interface SendAgainButtonProps {
  readonly id: string;
  /** False where there is no such delivery. */
  readonly send: (id: string) => Promise<boolean>;
}

/** Sends a delivery again, under the same `webhook-id`. */
export function SendAgainButton({ id, send }: SendAgainButtonProps) {
  const [pending, start] = useTransition();
  function sendAgain() {
    start(async () => {
      const sent = await send(id).catch(() => false);
      if (sent) toast.success("It is sent again.");
      else toast.error("It could not be sent again; please try once more.");
    });
  }
  return (
    <Button variant="outline" size="sm" onClick={sendAgain} disabled={pending}>
      <RotateCwIcon />
      {pending ? "Sending …" : "Send again"}
    </Button>
  );
}
