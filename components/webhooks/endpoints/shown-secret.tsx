import { TriangleAlertIcon } from "lucide-react";
import { CopyButton } from "#components/ui/copy-button.tsx";

/** A new secret, which is shown only once. */
export function ShownSecret({ secret }: { readonly secret: string }) {
  return (
    <div className="grid min-w-0 gap-3">
      <p className="flex items-start gap-2 text-sm" role="status">
        <TriangleAlertIcon aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warning" />
        Copy the signing secret now and store it safely. It is shown only once.
      </p>
      <div className="flex min-w-0 items-center gap-2 rounded-md border border-input bg-background py-1 pr-1 pl-3">
        <code className="min-w-0 flex-1 font-mono text-sm break-all" data-testid="endpoint-secret">
          {secret}
        </code>
        <CopyButton text={secret} label="Copy secret" withText />
      </div>
    </div>
  );
}
