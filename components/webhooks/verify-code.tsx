"use client";

import { EyeIcon, EyeOffIcon } from "lucide-react";
import { useState, useTransition } from "react";
import { CodeFrame } from "#components/code/code-frame.tsx";
import { CodeTabs } from "#components/code/code-tabs.tsx";
import { useReauthentication } from "#components/forms/use-reauthentication.ts";
import { Button } from "#components/ui/button.tsx";
import { toast } from "#components/ui/toast/toast.ts";
import type { NeedsReauthentication } from "#lib/auth/next-auth/credentials.ts";

export interface VerifyCodeProps {
  /** `html` is the highlighted code. Both have the masked secret. */
  readonly snippets: readonly {
    readonly label: string;
    readonly code: string;
    readonly html: string;
  }[];
  readonly masked: string;
  readonly reveal: () => Promise<string | NeedsReauthentication>;
}

/** Code with the account's secret, which is masked until it is revealed. */
export function VerifyCode({ snippets, masked, reveal }: VerifyCodeProps) {
  const [secret, setSecret] = useState<string>();
  const [pending, start] = useTransition();
  const reauthenticated = useReauthentication();
  // A secret is `whsec_` and base64, which needs no escape in HTML.
  const fill = (text: string) => (secret === undefined ? text : text.replaceAll(masked, secret));

  function toggle() {
    if (secret !== undefined) return setSecret(undefined);
    start(async () => {
      const loaded = await reauthenticated(reveal).catch(() => null);
      setSecret(loaded ?? undefined);
      if (loaded === null) toast.error("The secret could not be loaded. Try again.");
    });
  }

  const blocks = snippets.map(({ label, code, html }) => ({
    label,
    code: (
      <CodeFrame code={fill(code)} className="[&_pre]:max-h-128">
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the highlighter escapes the code. */}
        <code dangerouslySetInnerHTML={{ __html: fill(html) }} />
      </CodeFrame>
    ),
  }));
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button variant="outline" size="sm" onClick={toggle} disabled={pending}>
          {secret === undefined ? <EyeIcon /> : <EyeOffIcon />}
          {secret === undefined ? "Fill in my secret" : "Hide my secret"}
        </Button>
        <p className="text-sm text-muted-foreground">
          {secret === undefined
            ? "The code has a placeholder for your signing secret."
            : "The code has your signing secret. Do not commit it: read it from the environment in production."}
        </p>
      </div>
      <CodeTabs blocks={blocks} />
    </div>
  );
}
