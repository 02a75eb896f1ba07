import type { Metadata } from "next";
import { viewKey } from "#components/dashboard/keys/key-view.ts";
import { KeysPanel } from "#components/dashboard/keys/keys-panel.tsx";
import { NewKeyDialog } from "#components/dashboard/keys/new-key-dialog.tsx";
import { PageHeader } from "#components/dashboard/page-header.tsx";
import { requireAccount } from "#lib/auth/session.ts";
import { db } from "#lib/db/client.ts";
import { listApiKeys } from "#lib/db/queries/accounts/api-keys.ts";
import { env } from "#lib/env.ts";

export const metadata: Metadata = { title: "API keys" };

export default async function KeysPage() {
  const account = await requireAccount();
  const now = new Date();
  const keys = await listApiKeys(db(), account.id);
  return (
    <>
      <PageHeader
        title="API keys"
        description="Anyone with a key can use your plan. A key is shown once, when it is created."
        actions={<NewKeyDialog appUrl={env.APP_URL} />}
      />
      <KeysPanel keys={keys.map((key) => viewKey(key, now))} now={now.toISOString()} />
    </>
  );
}
