import { TriangleAlertIcon } from "lucide-react";
import { CodeTexts } from "#components/code/code-texts.tsx";
import { firstSnippets } from "#components/code/first-snippets.ts";
import { CopyButton } from "#components/ui/copy-button.tsx";

interface KeyRevealProps {
  readonly apiKey: string;
  /** The service's URL, without a trailing slash. */
  readonly appUrl: string;
  /** The function that is called when the key, or code with the key, is copied. */
  readonly onCopied: () => void;
}

/** A new key, shown only once, and code that uses it. */
export function KeyReveal({ apiKey, appUrl, onCopied }: KeyRevealProps) {
  return (
    <div className="grid min-w-0 gap-4" onCopy={onCopied}>
      <p className="flex items-start gap-2 text-sm">
        <TriangleAlertIcon aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warning" />
        Copy the key now and store it safely. It is shown only once: we keep only a hash of it.
      </p>
      <div className="flex min-w-0 items-center gap-2 rounded-md border border-input bg-card py-1 pr-1 pl-3">
        <code className="min-w-0 flex-1 font-mono text-sm break-all" data-testid="api-key">
          {apiKey}
        </code>
        <CopyButton text={apiKey} label="Copy key" withText onCopied={onCopied} />
      </div>
      <div className="grid min-w-0 gap-2">
        <p className="text-sm text-muted-foreground">
          Run this code to create a PDF with the new key:
        </p>
        <CodeTexts snippets={firstSnippets(appUrl, apiKey)} onCopied={onCopied} />
      </div>
    </div>
  );
}
