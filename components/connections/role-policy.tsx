"use client";

import { CodeFrame } from "#components/code/code-frame.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";

/** What the role of a connection must trust: its external id, and the policy that demands it. */
export function RolePolicy({ externalId }: { readonly externalId: string }) {
  const policy = JSON.stringify(policyOf(externalId), null, 2);
  return (
    <section aria-label="Trust policy of the role" className="grid min-w-0 gap-3 text-sm">
      <div className="grid min-w-0 gap-1">
        <span className="font-medium">External id</span>
        <div className="flex min-w-0 items-center gap-2 rounded-md border border-input bg-card py-1 pr-1 pl-3">
          <code data-testid="external-id" className="min-w-0 flex-1 font-mono text-xs break-all">
            {externalId}
          </code>
          <CopyButton text={externalId} label="Copy external id" />
        </div>
      </div>
      <p className="text-muted-foreground">
        In AWS, open the role, edit its trust policy and add this statement. The principal is the
        identity with which this service runs; its operator knows it. The role itself needs{" "}
        <code>s3:GetObject</code>, <code>s3:PutObject</code>, <code>s3:DeleteObject</code> and{" "}
        <code>s3:ListBucket</code>.
      </p>
      <CodeFrame code={policy}>
        <code>{policy}</code>
      </CodeFrame>
    </section>
  );
}

function policyOf(externalId: string) {
  return {
    Effect: "Allow",
    Principal: { AWS: "arn:aws:iam::…" },
    Action: "sts:AssumeRole",
    Condition: { StringEquals: { "sts:ExternalId": externalId } },
  };
}
