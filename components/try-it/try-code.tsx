"use client";

import { CodeTexts } from "#components/code/code-texts.tsx";
import { requestSnippets, snippetInputs } from "#components/code/snippets.ts";
import type { TryPreset } from "./presets.ts";

interface TryCodeProps {
  readonly preset: TryPreset;
  readonly filename: string;
  /** The service's URL, without a trailing slash. */
  readonly baseUrl: string;
}

/** The same call as code of each client. */
export function TryCode({ preset: { operation, params, count }, filename, baseUrl }: TryCodeProps) {
  const snippets = requestSnippets({
    operation,
    params,
    ...snippetInputs({ inputs: count }, [{ file: filename }]),
    baseUrl,
  });
  return (
    <div className="grid min-w-0 gap-2">
      <p className="text-sm font-medium">The same call from your code</p>
      <CodeTexts snippets={snippets} />
    </div>
  );
}
