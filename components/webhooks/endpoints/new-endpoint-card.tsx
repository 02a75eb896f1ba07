"use client";

import Link from "next/link";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "#components/ui/card.tsx";
import type { NeedsReauthentication } from "#lib/auth/next-auth/credentials.ts";
import { type EndpointFields, EndpointForm } from "./endpoint-form.tsx";
import { ShownSecret } from "./shown-secret.tsx";

interface Created {
  readonly id: string;
  readonly secret: string;
}

interface NewEndpointCardProps {
  readonly create: (
    fields: EndpointFields,
  ) => Promise<Created | { readonly error: string } | NeedsReauthentication>;
}

const initial = { url: "", description: "", events: ["job.completed", "job.failed"] } as const;

/** Creates an endpoint, then shows its secret once. */
export function NewEndpointCard({ create }: NewEndpointCardProps) {
  const [created, setCreated] = useState<Created>();
  return (
    <Card>
      <CardHeader>
        <div>
          <CardTitle>{created ? "Endpoint created" : "Settings"}</CardTitle>
          <CardDescription>
            {created
              ? "Its webhooks are signed with a secret of its own."
              : "The events that you choose are sent to the URL, and retried until it answers."}
          </CardDescription>
        </div>
      </CardHeader>
      <CardContent className="grid gap-5">
        {created ? (
          <>
            <ShownSecret secret={created.secret} />
            <Button asChild className="justify-self-start">
              <Link href={`/dashboard/webhooks/endpoints/${created.id}`}>Open the endpoint</Link>
            </Button>
          </>
        ) : (
          <EndpointForm
            initial={initial}
            submitLabel={["Create endpoint", "Creating…"]}
            save={create}
            onSaved={setCreated}
          />
        )}
      </CardContent>
    </Card>
  );
}
