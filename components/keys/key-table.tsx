import type { ReactNode } from "react";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { LocalTime } from "#components/ui/local-time.tsx";
import { ConfirmDialog } from "#components/ui/overlays/confirm-dialog.tsx";
import { TimeAgo } from "#components/ui/time-ago.tsx";
import type { KeyView } from "./key-view.ts";

interface KeyTableProps {
  readonly label: string;
  readonly keys: readonly KeyView[];
  /** When the server rendered the page, RFC 3339. */
  readonly now: string;
  /** What is shown when there are no keys. */
  readonly empty: ReactNode;
  readonly onRevoke: (key: KeyView) => void;
}

const badges = {
  active: { variant: "success", label: "Active" },
  expired: { variant: "warning", label: "Expired" },
  revoked: { variant: "default", label: "Revoked" },
} as const;

export function KeyTable({ label, keys, now, empty, onRevoke }: KeyTableProps) {
  const columns: readonly Column<KeyView>[] = [
    {
      header: "Name",
      className: "max-w-40 sm:max-w-56",
      cell: (key) => <NameCell view={key} now={now} />,
    },
    {
      header: "Key",
      from: "sm",
      className: "font-mono text-xs whitespace-nowrap",
      cell: ({ maskedKey }) => maskedKey,
    },
    {
      header: "Status",
      from: "sm",
      cell: ({ status }) => <Badge variant={badges[status].variant}>{badges[status].label}</Badge>,
    },
    {
      header: "Created",
      from: "md",
      cell: ({ createdAt }) => <TimeAgo time={createdAt} now={now} />,
    },
    {
      header: "Last used",
      from: "sm",
      cell: ({ lastUsedAt }) => (lastUsedAt ? <TimeAgo time={lastUsedAt} now={now} /> : "Never"),
    },
    {
      header: "Expires",
      from: "md",
      cell: ({ expiresAt }) => (expiresAt ? <LocalTime time={expiresAt} /> : "Never"),
    },
    {
      header: "Actions",
      hiddenHeader: true,
      className: "text-right",
      cell: (key) =>
        key.status === "active" && <RevokeButton name={key.name} onRevoke={() => onRevoke(key)} />,
    },
  ];
  return <DataTable label={label} columns={columns} rows={keys} empty={empty} />;
}

function NameCell({ view, now }: { readonly view: KeyView; readonly now: string }) {
  const { name, environment, maskedKey, lastUsedAt, createdAt, expiresAt } = view;
  return (
    <>
      <span className="block truncate font-medium" title={name}>
        {name}
      </span>
      <span className="text-xs text-muted-foreground">{environment}</span>
      <span className="block font-mono text-xs whitespace-nowrap sm:hidden">{maskedKey}</span>
      <span className="block text-xs text-muted-foreground sm:hidden">
        {lastUsedAt ? "used " : "never used"}
        {lastUsedAt && <TimeAgo time={lastUsedAt} now={now} />}
      </span>
      <span className="block text-xs text-muted-foreground md:hidden">
        created <TimeAgo time={createdAt} now={now} />
      </span>
      <span className="block text-xs text-muted-foreground md:hidden">
        {expiresAt ? "expires " : "never expires"}
        {expiresAt && <LocalTime time={expiresAt} />}
      </span>
    </>
  );
}

function RevokeButton({
  name,
  onRevoke,
}: {
  readonly name: string;
  readonly onRevoke: () => void;
}) {
  return (
    <ConfirmDialog
      trigger={
        <Button variant="outline" size="sm" aria-label={`Revoke ${name}`}>
          Revoke
        </Button>
      }
      title={`Revoke “${name}”?`}
      description="Requests with this key fail immediately. You cannot undo this."
      confirm="Revoke key"
      onConfirm={onRevoke}
    />
  );
}
