import { KeyRoundIcon } from "lucide-react";
import { ActionForm, type ActionFormProps } from "#components/forms/action-form.tsx";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { TimeAgo } from "#components/ui/time-ago.tsx";
import type { ApiKey } from "#lib/db/queries/accounts/api-keys.ts";
import type { AccountSummary } from "#lib/db/queries/operator/accounts.ts";
import { ActButton } from "./act-button.tsx";

interface AccountKeysProps {
  readonly account: AccountSummary;
  readonly keys: readonly ApiKey[];
  readonly actions: Readonly<Record<"createKey" | "revokeKey", ActionFormProps["action"]>>;
}

/** An account's keys. Only their first and last characters are stored. */
export function AccountKeys({ account, keys, actions }: AccountKeysProps) {
  const now = new Date();
  const columns: readonly Column<ApiKey>[] = [
    { header: "Name", className: "max-w-40 truncate", cell: ({ name }) => name },
    {
      header: "Key",
      from: "sm",
      className: "font-mono text-xs whitespace-nowrap",
      cell: ({ prefix, lastFour }) => `${prefix}…${lastFour}`,
    },
    {
      header: "Last used",
      from: "md",
      cell: ({ lastUsedAt }) =>
        lastUsedAt ? <TimeAgo time={lastUsedAt.toISOString()} now={now.toISOString()} /> : "Never",
    },
    {
      header: "Status",
      align: "right",
      cell: ({ id, name, revokedAt, expiresAt }) => {
        if (revokedAt) return "Revoked";
        if (expiresAt && expiresAt < now) return "Expired";
        return (
          <ActButton
            action={actions.revokeKey}
            values={{ key: id }}
            label="Revoke"
            subject={name}
            title={`Revoke the key “${name}”?`}
            description={`Requests of ${account.email} with this key are rejected at once. You cannot undo this.`}
          />
        );
      },
    },
  ];
  return (
    <Card aria-labelledby="keys" className="overflow-hidden">
      <CardHeader>
        <div>
          <CardTitle id="keys">API keys</CardTitle>
          <CardDescription>A new key is shown once, to hand it to its owner.</CardDescription>
        </div>
      </CardHeader>
      <CardContent className="grid grid-cols-1 gap-5 px-0 pb-0">
        <DataTable
          label="API keys"
          columns={columns}
          rows={keys}
          empty={
            <EmptyState icon={KeyRoundIcon} title="No keys">
              This account has no API key yet.
            </EmptyState>
          }
        />
        <div className="border-t p-5">
          <details className="max-w-md">
            <summary className="w-fit cursor-pointer text-sm font-medium underline underline-offset-4">
              Create a key…
            </summary>
            <div className="mt-5">
              <ActionForm
                action={actions.createKey}
                hidden={{ account: account.id }}
                submit="Create key"
                fields={[{ name: "name", label: "Name", type: "text", autoComplete: "off" }]}
              />
            </div>
          </details>
        </div>
      </CardContent>
    </Card>
  );
}
