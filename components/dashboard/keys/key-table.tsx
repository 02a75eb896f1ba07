import { formatTime } from "#components/format.ts";
import { ConfirmDialog } from "#components/ui/alert-dialog.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import {
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableHeader,
  TableRow,
} from "#components/ui/table.tsx";
import { TimeAgo } from "#components/ui/time-ago.tsx";
import type { KeyView } from "./key-view.ts";

interface KeyTableProps {
  readonly label: string;
  readonly keys: readonly KeyView[];
  /** When the page was made, RFC 3339. */
  readonly now: string;
  readonly onRevoke: (key: KeyView) => void;
}

const states = {
  active: { variant: "success", label: "Active" },
  expired: { variant: "warning", label: "Expired" },
  revoked: { variant: "default", label: "Revoked" },
} as const;

export function KeyTable({ label, keys, now, onRevoke }: KeyTableProps) {
  return (
    <Table aria-label={label}>
      <TableHeader>
        <TableRow>
          <TableHead className="pl-5">Name</TableHead>
          <TableHead className="hidden sm:table-cell">Key</TableHead>
          <TableHead className="hidden sm:table-cell">State</TableHead>
          <TableHead className="hidden md:table-cell">Created</TableHead>
          <TableHead className="hidden sm:table-cell">Last used</TableHead>
          <TableHead className="hidden md:table-cell">Expires</TableHead>
          <TableHead className="pr-5">
            <span className="sr-only">Actions</span>
          </TableHead>
        </TableRow>
      </TableHeader>
      <TableBody>
        {keys.map((key) => (
          <KeyRow key={key.id} view={key} now={now} onRevoke={() => onRevoke(key)} />
        ))}
      </TableBody>
    </Table>
  );
}

interface KeyRowProps {
  readonly view: KeyView;
  readonly now: string;
  readonly onRevoke: () => void;
}

function KeyRow({ view, now, onRevoke }: KeyRowProps) {
  const { name, environment, shown, state, createdAt, lastUsedAt, expiresAt } = view;
  return (
    <TableRow>
      <TableCell className="max-w-40 pl-5 sm:max-w-56">
        <span className="block truncate font-medium" title={name}>
          {name}
        </span>
        <span className="text-xs text-muted-foreground">{environment}</span>
        <span className="block font-mono text-xs whitespace-nowrap sm:hidden">{shown}</span>
        <span className="block text-xs text-muted-foreground sm:hidden">
          {lastUsedAt ? "used " : "never used"}
          {lastUsedAt && <TimeAgo time={lastUsedAt} now={now} />}
        </span>
      </TableCell>
      <TableCell className="hidden font-mono text-xs whitespace-nowrap sm:table-cell">
        {shown}
      </TableCell>
      <TableCell className="hidden sm:table-cell">
        <Badge variant={states[state].variant}>{states[state].label}</Badge>
      </TableCell>
      <TableCell className="hidden md:table-cell">
        <TimeAgo time={createdAt} now={now} />
      </TableCell>
      <TableCell className="hidden sm:table-cell">
        {lastUsedAt ? <TimeAgo time={lastUsedAt} now={now} /> : "Never"}
      </TableCell>
      <TableCell className="hidden md:table-cell">
        {expiresAt ? formatTime(new Date(expiresAt)) : "Never"}
      </TableCell>
      <TableCell className="pr-5 text-right">
        {state === "active" && (
          <ConfirmDialog
            trigger={
              <Button variant="outline" size="sm" aria-label={`Revoke ${name}`}>
                Revoke
              </Button>
            }
            title={`Revoke “${name}”?`}
            description="The next request with this key is refused. This cannot be undone: whatever uses the key needs another one."
            confirm="Revoke the key"
            onConfirm={onRevoke}
          />
        )}
      </TableCell>
    </TableRow>
  );
}
