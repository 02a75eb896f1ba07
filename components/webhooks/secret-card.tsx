"use client";

import { EyeIcon, EyeOffIcon } from "lucide-react";
import { useState, useTransition } from "react";
import { useReauthentication } from "#components/forms/use-reauthentication.ts";
import { Button } from "#components/ui/button.tsx";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { toast } from "#components/ui/toast/toast.ts";
import type { NeedsReauthentication } from "#lib/auth/next-auth/credentials.ts";
import { RotateSecret } from "./send/rotate-secret.tsx";

interface SecretCardProps {
  /** Until when webhooks are also signed with the previous secret, RFC 3339; null if there is none. */
  readonly previousUntil: string | null;
  readonly reveal: () => Promise<string | NeedsReauthentication>;
  readonly rotate: () => Promise<string | NeedsReauthentication>;
}

const hidden = `whsec_${"•".repeat(16)}`;

/** The secret that webhooks are signed with. */
export function SecretCard({ previousUntil, reveal, rotate }: SecretCardProps) {
  const [secret, setSecret] = useState<string>();
  const [pending, start] = useTransition();
  const reauthenticated = useReauthentication();

  function load(read: SecretCardProps["reveal"], errorMessage: string, successMessage?: string) {
    start(async () => {
      const value = await reauthenticated(read).catch(() => null);
      // The user closed the dialog.
      if (value === undefined) return;
      if (value !== null) setSecret(value);
      if (value === null) toast.error(errorMessage);
      else if (successMessage) toast.success(successMessage);
    });
  }

  return (
    <Card>
      <CardHeader>
        <div>
          <CardTitle>Signing secret</CardTitle>
          <CardDescription>
            Webhooks to a <code>webhook_url</code> and those sent by hand are signed with this
            secret, as specified by{" "}
            <a
              href="https://www.standardwebhooks.com"
              rel="noreferrer"
              className="underline underline-offset-4"
            >
              Standard Webhooks
            </a>
            . Each endpoint has its own.
          </CardDescription>
        </div>
      </CardHeader>
      <CardContent className="grid gap-4">
        <div className="flex min-w-0 items-center gap-1 rounded-md border border-input bg-background py-1 pr-1 pl-3">
          <code className="min-w-0 flex-1 font-mono text-sm break-all" data-testid="secret">
            {secret ?? hidden}
          </code>
          {secret !== undefined && <CopyButton text={secret} label="Copy secret" />}
          <Button
            variant="ghost"
            size="icon-sm"
            disabled={pending}
            title={secret === undefined ? "Reveal secret" : "Hide secret"}
            onClick={() =>
              secret === undefined
                ? load(reveal, "The secret could not be loaded. Try again.")
                : setSecret(undefined)
            }
          >
            {secret === undefined ? <EyeIcon /> : <EyeOffIcon />}
            <span className="sr-only">
              {secret === undefined ? "Reveal secret" : "Hide secret"}
            </span>
          </Button>
        </div>
        <RotateSecret
          previousUntil={previousUntil}
          pending={pending}
          title="Rotate the signing secret?"
          description="Webhooks are signed with a new secret from now on. For 24 hours they also have a signature with the current secret, so that you can update your receivers one at a time. Any older secret stops working now."
          onRotate={() =>
            load(rotate, "The secret could not be rotated. Try again.", "Secret rotated")
          }
        />
      </CardContent>
    </Card>
  );
}
