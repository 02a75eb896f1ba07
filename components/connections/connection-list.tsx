"use client";

import { CableIcon } from "lucide-react";
import { useOptimistic, useTransition } from "react";
import { Card } from "#components/ui/card.tsx";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { PrefetchLink } from "#components/ui/prefetch-link.tsx";
import { TimeAgo } from "#components/ui/time-ago.tsx";
import { toast } from "#components/ui/toast/toast.ts";
import type { ConnectionActions } from "./actions.ts";
import { type ConnectionView, locationOf } from "./connection-view.ts";
import { accessLabels, connectionKinds } from "./kinds.ts";
import { RowActions } from "./row-actions.tsx";
import { TestResult } from "./test-result.tsx";
import { useConnectionTest } from "./use-connection-test.ts";

interface ConnectionListProps {
  readonly connections: readonly ConnectionView[];
  /** When the server rendered the page, RFC 3339. */
  readonly now: string;
  readonly actions: ConnectionActions;
}

/** The connections of an account. */
export function ConnectionList({ connections, now, actions }: ConnectionListProps) {
  const [shown, markDeleted] = useOptimistic(connections, (list, id: string) =>
    list.filter((one) => one.id !== id),
  );
  const [, start] = useTransition();
  const test = useConnectionTest(actions.test);

  function remove({ id, name }: ConnectionView) {
    start(async () => {
      markDeleted(id);
      const isDone = await actions.remove(id).then(
        () => true,
        () => false,
      );
      if (isDone) toast.success(`“${name}” deleted`);
      else toast.error(`“${name}” could not be deleted. Try again.`);
    });
  }

  const lastTest = (view: ConnectionView) => (
    <TestResult view={view} now={now} isRunning={test.isRunning(view.id)} />
  );
  const rowActions = (view: ConnectionView) => (
    <RowActions
      view={view}
      actions={actions}
      isTesting={test.isRunning(view.id)}
      onTest={() => test.run(view)}
      onDelete={() => remove(view)}
    />
  );
  const lastUse = ({ usedAt }: ConnectionView) =>
    usedAt ? <TimeAgo time={usedAt} now={now} /> : "Never";
  const columns: readonly Column<ConnectionView>[] = [
    { header: "Name", className: "max-w-64", cell: (view) => <NameCell view={view} /> },
    { header: "Access", className: "whitespace-nowrap", cell: accessOf },
    { header: "Last test", className: "max-w-72", cell: lastTest },
    { header: "Last use", className: "whitespace-nowrap", cell: lastUse },
    { header: "Actions", hiddenHeader: true, className: "text-right", cell: rowActions },
  ];
  const empty = (
    <EmptyState icon={CableIcon} title="No connections yet">
      Connect a bucket of S3, Google Cloud or Azure, or a server with SFTP or WebDAV. Jobs then read
      files as <code className="whitespace-nowrap">conn_…:folder/video.mp4</code> and send results
      back, without URLs. <Guide />
    </EmptyState>
  );
  return (
    <Card>
      <DataTable
        label="Connections"
        columns={columns}
        rows={shown}
        empty={empty}
        card={(view) => (
          <>
            <NameCell view={view} />
            <p className="text-muted-foreground">
              {accessOf(view)}, last use: {view.usedAt ? lastUse(view) : "never"}
            </p>
            {lastTest(view)}
            {rowActions(view)}
          </>
        )}
      />
    </Card>
  );
}

const accessOf = ({ access }: ConnectionView) => accessLabels[access];

function Guide() {
  return (
    <PrefetchLink href="/docs/connections" className="underline underline-offset-4">
      How connections work
    </PrefetchLink>
  );
}

function NameCell({ view }: { readonly view: ConnectionView }) {
  const location = locationOf(view);
  return (
    <div className="min-w-0">
      <span className="block truncate font-medium" title={view.name}>
        {view.name}
      </span>
      <span className="block text-xs text-muted-foreground">
        {connectionKinds[view.type].label}
      </span>
      <span className="block truncate font-mono text-xs text-muted-foreground" title={location}>
        {location}
      </span>
    </div>
  );
}
