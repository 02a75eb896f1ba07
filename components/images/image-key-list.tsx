"use client";

import { SignatureIcon } from "lucide-react";
import { useOptimistic, useTransition } from "react";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ConfirmDialog } from "#components/ui/overlays/confirm-dialog.tsx";
import { TimeAgo } from "#components/ui/time-ago.tsx";
import { toast } from "#components/ui/toast/toast.ts";

interface ImageKeyView {
  readonly id: string;
  readonly unsigned: boolean;
  /** RFC 3339. */
  readonly createdAt: string;
}

interface ImageKeyListProps {
  readonly keys: readonly ImageKeyView[];
  /** When the server rendered the page, RFC 3339. */
  readonly now: string;
  /** False if there is no such key. */
  readonly deleteKey: (id: string) => Promise<boolean>;
}

/** The keys that sign the URLs of an account's pictures. */
export function ImageKeyList({ keys, now, deleteKey }: ImageKeyListProps) {
  const [shown, markDeleted] = useOptimistic(keys, (list, id: string) =>
    list.filter((key) => key.id !== id),
  );
  const [, start] = useTransition();

  function remove(id: string) {
    start(async () => {
      markDeleted(id);
      const isDone = await deleteKey(id).then(
        () => true,
        () => false,
      );
      if (isDone) toast.success("Key deleted");
      else toast.error("The key could not be deleted. Try again.");
    });
  }

  const columns: readonly Column<ImageKeyView>[] = [
    {
      header: "Key",
      className: "font-mono text-xs break-all",
      cell: ({ id }) => id,
    },
    {
      header: "URLs",
      cell: ({ unsigned }) => (
        <Badge variant={unsigned ? "warning" : "success"}>
          {unsigned ? "Also unsigned" : "Signed only"}
        </Badge>
      ),
    },
    {
      header: "Created",
      from: "sm",
      cell: ({ createdAt }) => <TimeAgo time={createdAt} now={now} />,
    },
    {
      header: "Actions",
      hiddenHeader: true,
      className: "text-right",
      cell: ({ id }) => (
        <ConfirmDialog
          trigger={
            <Button variant="outline" size="sm" aria-label={`Delete ${id}`}>
              Delete
            </Button>
          }
          title="Delete this key?"
          description="Pictures with URLs of this key stop loading immediately. You cannot undo this."
          confirm="Delete key"
          onConfirm={() => remove(id)}
        />
      ),
    },
  ];
  const empty = (
    <EmptyState icon={SignatureIcon} title="No keys yet">
      Create a key to sign the URLs of pictures.
    </EmptyState>
  );
  return (
    <Card>
      <DataTable label="Keys" columns={columns} rows={shown} empty={empty} />
    </Card>
  );
}
