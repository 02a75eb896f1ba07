import type { Metadata } from "next";
import { PageHeader } from "#components/dashboard/page-header.tsx";
import { KeyList } from "#components/keys/key-list.tsx";
import { toKeyView } from "#components/keys/key-view.ts";
import { NewKeyButton } from "#components/keys/new-key-button.tsx";
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
        description="Anyone who has a key can use your plan. A key is shown only once, when you create it."
        actions={<NewKeyButton appUrl={env.APP_URL} />}
      />
      <KeyList keys={keys.map((key) => toKeyView(key, now))} now={now.toISOString()} />
    </>
  );
}
