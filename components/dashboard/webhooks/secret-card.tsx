"use client";

import { EyeIcon, EyeOffIcon, RefreshCwIcon } from "lucide-react";
import { useState, useTransition } from "react";
import { formatTime } from "#components/format.ts";
import { ConfirmDialog } from "#components/ui/alert-dialog.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { toast } from "#components/ui/toast.ts";

interface SecretCardProps {
  /** Until when the former secret signs beside the present one, RFC 3339; null: it does not. */
  readonly previousUntil: string | null;
  readonly reveal: () => Promise<string>;
  readonly rotate: () => Promise<string>;
}

const hidden = `whsec_${"•".repeat(16)}`;

/** The secret by which a receiver knows that a webhook is ours. */
export function SecretCard({ previousUntil, reveal, rotate }: SecretCardProps) {
  const [secret, setSecret] = useState<string>();
  const [pending, start] = useTransition();

  function show(read: () => Promise<string>, failure: string, done?: string) {
    start(async () => {
      const answer = await read().catch(() => undefined);
      if (answer !== undefined) setSecret(answer);
      if (answer === undefined) toast.error(failure);
      else if (done) toast.success(done);
    });
  }

  return (
    <Card>
      <CardHeader>
        <div>
          <CardTitle>Signing secret</CardTitle>
          <CardDescription>
            Every webhook is signed with it, as{" "}
            <a
              href="https://www.standardwebhooks.com"
              rel="noreferrer"
              className="underline underline-offset-4"
            >
              Standard Webhooks
            </a>{" "}
            says.
          </CardDescription>
        </div>
      </CardHeader>
      <CardContent className="grid gap-4">
        <div className="flex min-w-0 items-center gap-1 rounded-md border border-input bg-background py-1 pr-1 pl-3">
          <code className="min-w-0 flex-1 font-mono text-sm break-all" data-testid="secret">
            {secret ?? hidden}
          </code>
          {secret !== undefined && <CopyButton text={secret} label="Copy the secret" />}
          <Button
            variant="ghost"
            size="icon-sm"
            disabled={pending}
            title={secret === undefined ? "Reveal the secret" : "Hide the secret"}
            onClick={() =>
              secret === undefined
                ? show(reveal, "The secret could not be read; please try again.")
                : setSecret(undefined)
            }
          >
            {secret === undefined ? <EyeIcon /> : <EyeOffIcon />}
            <span className="sr-only">
              {secret === undefined ? "Reveal the secret" : "Hide the secret"}
            </span>
          </Button>
        </div>
        {previousUntil !== null && (
          <p className="text-sm text-warning" role="status">
            The previous secret also signs until {formatTime(new Date(previousUntil))}.
          </p>
        )}
        <ConfirmDialog
          trigger={
            <Button variant="outline" className="justify-self-start" disabled={pending}>
              <RefreshCwIcon />
              Rotate
            </Button>
          }
          title="Rotate the signing secret?"
          description="A new secret signs from now on. For 24 hours the present one signs beside it, so that your receivers can be changed one by one; one from before that ends now."
          confirm="Rotate the secret"
          onConfirm={() =>
            show(
              rotate,
              "The secret could not be rotated; please try again.",
              "The secret is rotated.",
            )
          }
        />
      </CardContent>
    </Card>
  );
}
