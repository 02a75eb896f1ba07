import type { Metadata } from "next";
import { PageHeader } from "#components/dashboard/page-header.tsx";
import { DeleteAccount } from "#components/settings/delete-account.tsx";
import { PasswordSettings } from "#components/settings/password.tsx";
import { PlanSettings } from "#components/settings/plan.tsx";
import { SessionSettings } from "#components/settings/sessions.tsx";
import { UsageAlertSettings } from "#components/settings/usage-alerts.tsx";
import { SharesCard } from "#components/share/shares-card.tsx";
import { serializeShare } from "#lib/api/endpoints/shares/share-entry.ts";
import { canSendMail } from "#lib/auth/password-reset.ts";
import { requireAccount } from "#lib/auth/session.ts";
import { db } from "#lib/db/client.ts";
import { findAccount } from "#lib/db/queries/accounts/accounts.ts";
import { listActiveKeys } from "#lib/db/queries/accounts/api-keys.ts";
import { listSessions } from "#lib/db/queries/accounts/sessions.ts";
import { listShares } from "#lib/db/queries/files/shares.ts";
import { plans } from "#lib/plans.ts";
import { saveAlerts } from "../usage/actions.ts";
import { deleteAccount } from "./actions.ts";

export const metadata: Metadata = { title: "Settings" };

export default async function SettingsPage() {
  const account = await requireAccount();
  const [row, sessions, keys, shares] = await Promise.all([
    findAccount(db(), account.id),
    listSessions(db(), account.id),
    listActiveKeys(db(), account.id),
    listShares(db(), account.id),
  ]);
  const hasPassword = Boolean(row?.passwordHash);
  return (
    <>
      <PageHeader title="Settings" description={account.email} />
      <div className="grid grid-cols-1 gap-6">
        <PlanSettings account={account} />
        <UsageAlertSettings
          thresholds={row?.usageAlerts ?? []}
          email={account.email}
          canSendMail={canSendMail}
          hasQuota={plans[account.plan].monthlyBytes !== null}
          action={saveAlerts}
        />
        <PasswordSettings
          hasPassword={hasPassword}
          email={account.email}
          keyNames={keys.map(({ name }) => name)}
        />
        <SharesCard shares={shares.map(serializeShare)} linksJobs />
        <SessionSettings sessions={sessions} currentId={account.sessionId} />
        <DeleteAccount action={deleteAccount} hasPassword={hasPassword} email={account.email} />
      </div>
    </>
  );
}
