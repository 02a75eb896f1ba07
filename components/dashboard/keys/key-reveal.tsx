import { TriangleAlertIcon } from "lucide-react";
import { CodeFrame } from "#components/code/code-frame.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { firstRequest } from "#lib/api/first-request.ts";

interface KeyRevealProps {
  readonly apiKey: string;
  /** Of the service, without a slash at the end. */
  readonly appUrl: string;
}

/** A key, the one time that it is seen, and a request that uses it. */
export function KeyReveal({ apiKey, appUrl }: KeyRevealProps) {
  const request = firstRequest(appUrl, apiKey);
  return (
    <div className="grid min-w-0 gap-4">
      <p className="flex items-start gap-2 text-sm">
        <TriangleAlertIcon aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warning" />
        Copy it now and keep it like a password. It is shown this once; we keep only its hash.
      </p>
      <div className="flex min-w-0 items-center gap-2 rounded-md border border-input bg-card py-1 pr-1 pl-3">
        <code className="min-w-0 flex-1 font-mono text-sm break-all" data-testid="api-key">
          {apiKey}
        </code>
        <CopyButton text={apiKey} label="Copy the key" withText />
      </div>
      <div className="grid min-w-0 gap-2">
        <p className="text-sm text-muted-foreground">
          Paste this into a shell: it makes a PDF and waits for it.
        </p>
        <CodeFrame code={request} wrap className="min-w-0">
          <code>{request}</code>
        </CodeFrame>
      </div>
    </div>
  );
}
