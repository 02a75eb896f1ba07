"use client";

import { useState, useTransition } from "react";
import { useReauthentication } from "#components/forms/use-reauthentication.ts";
import { Card, CardContent, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { toast } from "#components/ui/toast/toast.ts";
import type { NeedsReauthentication } from "#lib/auth/next-auth/credentials.ts";
import { RotateSecret } from "../send/rotate-secret.tsx";
import { type EndpointFields, EndpointForm } from "./endpoint-form.tsx";
import { ShownSecret } from "./shown-secret.tsx";

type Result<Value extends object> = Value | { readonly error: string } | NeedsReauthentication;

interface EndpointSettingsCardProps {
  readonly id: string;
  readonly initial: EndpointFields;
  /** Until when webhooks are also signed with the previous secret, RFC 3339; null if there is none. */
  readonly previousUntil: string | null;
  readonly change: (id: string, fields: EndpointFields) => Promise<Result<{ readonly id: string }>>;
  readonly rotate: (id: string) => Promise<Result<{ readonly secret: string }>>;
}

/** The settings of an endpoint, and its secret. */
export function EndpointSettingsCard({
  id,
  initial,
  previousUntil,
  change,
  rotate,
}: EndpointSettingsCardProps) {
  const [secret, setSecret] = useState<string>();
  const [pending, start] = useTransition();
  const reauthenticated = useReauthentication();

  function replaceSecret() {
    start(async () => {
      const failure = { error: "The secret could not be rotated. Try again." };
      const result = await reauthenticated(() => rotate(id)).catch(() => failure);
      if (!result) return;
      if ("error" in result) toast.error(result.error);
      else setSecret(result.secret);
    });
  }

  return (
    <Card aria-label="Settings">
      <CardHeader>
        <CardTitle>Settings</CardTitle>
      </CardHeader>
      <CardContent className="grid gap-6">
        <EndpointForm
          initial={initial}
          submitLabel={["Save", "Saving…"]}
          save={(fields) => change(id, fields)}
          onSaved={() => toast.success("Endpoint saved")}
        />
        <div className="grid gap-3 border-t pt-5">
          <h3 className="text-sm font-medium">Signing secret</h3>
          {secret !== undefined && <ShownSecret secret={secret} />}
          <RotateSecret
            previousUntil={previousUntil}
            pending={pending}
            title="Rotate the secret of this endpoint?"
            description="Its webhooks are signed with a new secret from now on. For 24 hours they also have a signature with the current secret. Any older secret stops working now."
            onRotate={replaceSecret}
          />
        </div>
      </CardContent>
    </Card>
  );
}
