"use client";

import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "#components/ui/card.tsx";
import type { DeliveryProgress, SendResult } from "./send/results.ts";
import { SendForm } from "./send/send-form.tsx";

interface ReplayCardProps {
  /** The id of the delivery. */
  readonly id: string;
  readonly replay: (id: string, url: string) => Promise<SendResult>;
  readonly readProgress: (id: string) => Promise<DeliveryProgress | undefined>;
}

/** Sends what a delivery sent to another URL. */
export function ReplayCard({ id, replay, readProgress }: ReplayCardProps) {
  return (
    <Card aria-label="Replay">
      <CardHeader>
        <div>
          <CardTitle>Replay to another URL</CardTitle>
          <CardDescription>
            Sends the body and the <code>webhook-id</code> of the last attempt, with a signature of
            now, as a new delivery.
          </CardDescription>
        </div>
      </CardHeader>
      <CardContent>
        <SendForm label="Replay" send={(url) => replay(id, url)} read={readProgress} />
      </CardContent>
    </Card>
  );
}
