"use client";

import { CodeFrame } from "#components/code/code-frame.tsx";
import { CodeTabs } from "#components/code/code-tabs.tsx";
import { nextRequests } from "#lib/api/endpoints/operations/next-requests.ts";

/** Commands to try after the first one. `appUrl` has no slash at the end. */
export function NextSteps({ appUrl, apiKey }: { appUrl: string; apiKey: string }) {
  const blocks = nextRequests(appUrl, apiKey).map(({ title, command }) => ({
    label: title,
    code: (
      <CodeFrame code={command} wrap className="min-w-0">
        <code>{command}</code>
      </CodeFrame>
    ),
  }));
  return <CodeTabs label="Next calls" blocks={blocks} />;
}
