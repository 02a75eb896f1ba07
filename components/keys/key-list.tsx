"use client";

import { KeyRoundIcon } from "lucide-react";
import { useOptimistic, useTransition } from "react";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { toast } from "#components/ui/toast/toast.ts";
import { revokeKey } from "#lib/auth/actions/api-keys.ts";
import { KeyTable } from "./key-table.tsx";
import type { KeyView } from "./key-view.ts";

interface KeyListProps {
  readonly keys: readonly KeyView[];
  /** When the server rendered the page, RFC 3339. */
  readonly now: string;
}

/** An account's active keys, then the revoked and expired ones. */
export function KeyList({ keys, now }: KeyListProps) {
  const [shown, markRevoked] = useOptimistic(keys, (list, id: string) =>
    list.map((key) => (key.id === id ? { ...key, status: "revoked" as const } : key)),
  );
  const [, start] = useTransition();

  function revoke({ id, name }: KeyView) {
    start(async () => {
      markRevoked(id);
      const revoked = await revokeKey(id).catch(() => undefined);
      if (revoked === undefined) toast.error(`“${name}” could not be revoked. Try again.`);
      else toast.success(`“${name}” revoked`);
    });
  }

  const active = shown.filter(({ status }) => status === "active");
  const inactive = shown.filter(({ status }) => status !== "active");
  return (
    <div className="grid grid-cols-1 gap-6">
      <Card>
        <KeyTable
          label="Active keys"
          keys={active}
          now={now}
          onRevoke={revoke}
          empty={
            <EmptyState icon={KeyRoundIcon} title="No API keys yet">
              API requests need a key. Create one and send it in the <code>X-API-Key</code> header.
            </EmptyState>
          }
        />
      </Card>
      {inactive.length > 0 && (
        <Card>
          <details>
            <summary className="cursor-pointer p-5 text-sm font-medium">
              Revoked and expired keys ({inactive.length})
            </summary>
            <KeyTable
              label="Revoked and expired keys"
              keys={inactive}
              now={now}
              onRevoke={revoke}
              empty={null}
            />
          </details>
        </Card>
      )}
    </div>
  );
}
