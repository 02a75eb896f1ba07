import type { Metadata } from "next";
import { ConnectionList } from "#components/connections/connection-list.tsx";
import { toConnectionView } from "#components/connections/connection-view.ts";
import { NewConnectionButton } from "#components/connections/new-connection-button.tsx";
import { PageHeader } from "#components/dashboard/page-header.tsx";
import { requireAccount } from "#lib/auth/session.ts";
import { listOwnConnections } from "#lib/connections/manage.ts";
import { browseConnection, deleteConnection, saveConnection, testConnection } from "./actions.ts";

export const metadata: Metadata = { title: "Connections" };

const actions = {
  save: saveConnection,
  test: testConnection,
  remove: deleteConnection,
  browse: browseConnection,
};

export default async function ConnectionsPage() {
  const account = await requireAccount();
  const rows = await listOwnConnections(account);
  return (
    <>
      <PageHeader
        title="Connections"
        description="Your own stores. Jobs read files from them and send results to them."
        actions={<NewConnectionButton actions={actions} />}
      />
      <ConnectionList
        connections={rows.map(toConnectionView)}
        now={new Date().toISOString()}
        actions={actions}
      />
    </>
  );
}
