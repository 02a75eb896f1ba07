"use client";

import { KeyRoundIcon } from "lucide-react";
import { useOptimistic, useTransition } from "react";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { toast } from "#components/ui/toast.ts";
import { revokeKey } from "#lib/auth/actions/api-keys.ts";
import { KeyTable } from "./key-table.tsx";
import type { KeyView } from "./key-view.ts";

interface KeysPanelProps {
  readonly keys: readonly KeyView[];
  /** When the page was made, RFC 3339. */
  readonly now: string;
}

/** An account's keys: those that open it, and below them those that no longer do. */
export function KeysPanel({ keys, now }: KeysPanelProps) {
  const [shown, markRevoked] = useOptimistic(keys, (list, id: string) =>
    list.map((key) => (key.id === id ? { ...key, state: "revoked" as const } : key)),
  );
  const [, start] = useTransition();

  function revoke({ id, name }: KeyView) {
    start(async () => {
      markRevoked(id);
      const revoked = await revokeKey(id).catch(() => undefined);
      if (revoked === undefined) toast.error(`“${name}” could not be revoked; please try again.`);
      else toast.success(`“${name}” is revoked.`);
    });
  }

  const active = shown.filter(({ state }) => state === "active");
  const ended = shown.filter(({ state }) => state !== "active");
  return (
    <div className="grid grid-cols-1 gap-6">
      <Card>
        {active.length === 0 ? (
          <EmptyState icon={KeyRoundIcon} title="No API keys yet">
            Every request carries a key. Create one, and send it as <code>X-API-Key</code>.
          </EmptyState>
        ) : (
          <KeyTable label="Active keys" keys={active} now={now} onRevoke={revoke} />
        )}
      </Card>
      {ended.length > 0 && (
        <Card>
          <details>
            <summary className="cursor-pointer p-5 text-sm font-medium">
              Revoked and expired keys ({ended.length})
            </summary>
            <KeyTable label="Revoked and expired keys" keys={ended} now={now} onRevoke={revoke} />
          </details>
        </Card>
      )}
    </div>
  );
}
