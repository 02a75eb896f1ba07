import { eq } from "drizzle-orm";
import { afterAll, expect, it } from "vitest";
import { db } from "#lib/db/client.ts";
import { dismissAlerts, setAlertThresholds } from "#lib/db/queries/usage/usage-alerts.ts";
import { accounts, jobs, usage, usageAlerts } from "#lib/db/tables.ts";
import { env } from "#lib/env.ts";
import { periodOf } from "#lib/quotas/period.ts";
import { readShownAlert } from "#lib/quotas/usage-alerts.ts";
import { mailText, startMailServer } from "#tests/servers/mail.ts";
import { acceptJob, makeAccount } from "#tests/service/jobs.ts";

const server = await startMailServer();
afterAll(() => server.close());
Object.assign(env, { SMTP_URL: server.url, SMTP_FROM: "mediamill@example.com" });
// The environment is read when the module is loaded.
const { recordUsageAlerts, sendUsageAlerts } = await import("#lib/jobs/runner/usage-alerts.ts");

const now = new Date();
const period = periodOf(now);

async function setUsed(accountId: string, usedBytes: number): Promise<void> {
  await db()
    .insert(usage)
    .values({ accountId, period, usedBytes })
    .onConflictDoUpdate({ target: [usage.accountId, usage.period], set: { usedBytes } });
}

/** The subjects of the emails that several runners send at the same time. */
async function sweepAll(): Promise<(string | undefined)[]> {
  const before = server.mails.length;
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      await recordUsageAlerts(db(), now);
      await sendUsageAlerts(now);
    }),
  );
  return server.mails.slice(before).map((mail) => /^Subject: (.*)$/m.exec(mail)?.[1]);
}

it("sends one email per threshold, however many runners look and however often", async () => {
  const account = await makeAccount("pro");
  const month = now.toLocaleDateString("en", { month: "long", timeZone: "UTC" });
  await setUsed(account.id, 12.4e9);
  expect(await sweepAll()).toEqual([]);
  await setUsed(account.id, 12.5e9);
  expect(await sweepAll()).toEqual([`Mediamill: 50% of your data for ${month} is used`]);
  expect(server.mails[0]).toContain(`To: ${account.email}`);
  expect(mailText(server.mails[0] ?? "")).toContain("12.5 GB of 25 GB");
  expect(mailText(server.mails[0] ?? "")).toContain("/dashboard/usage");
  expect(await sweepAll()).toEqual([]);
  // 75 % and 90 % at once: one email for the higher one.
  await setUsed(account.id, 23e9);
  expect(await sweepAll()).toEqual([`Mediamill: 90% of your data for ${month} is used`]);
  await setUsed(account.id, 25e9);
  expect(await sweepAll()).toEqual([`Mediamill: your data for ${month} is used up`]);
  expect(await sweepAll()).toEqual([]);
  const rows = await db().select().from(usageAlerts).where(eq(usageAlerts.accountId, account.id));
  expect(rows.map(({ threshold, mail }) => [threshold, mail]).sort()).toEqual([
    [100, "sent"],
    [50, "sent"],
    [75, "none"],
    [90, "sent"],
  ]);
});

it("a rejected job near the end of the quota is an alert of 100 %", async () => {
  const account = await makeAccount("pro");
  await setUsed(account.id, 24.9e9);
  expect(await sweepAll()).toEqual([expect.stringContaining("90%")]);
  const { id } = await acceptJob(account);
  const failed = { status: "failed", errorCode: "usage_limit_reached", completedAt: now } as const;
  await db().update(jobs).set(failed).where(eq(jobs.id, id));
  expect(await sweepAll()).toEqual([expect.stringContaining("used up")]);
});

it("sends nothing for thresholds that are off, unlimited plans and closed accounts", async () => {
  const some = await makeAccount("pro");
  const unlimited = await makeAccount("enterprise");
  const closed = await makeAccount("pro");
  await setAlertThresholds(db(), some.id, [75]);
  await db().update(accounts).set({ deletedAt: now }).where(eq(accounts.id, closed.id));
  for (const { id } of [some, unlimited, closed]) await setUsed(id, 25e9);
  expect(await sweepAll()).toEqual([expect.stringContaining("75%")]);
  await setAlertThresholds(db(), some.id, []);
  expect(await readShownAlert(some, now)).toBeUndefined();
});

it("sends an email that the server did not accept again, some minutes later", async () => {
  const account = await makeAccount("pro");
  await setUsed(account.id, 15e9);
  const alert = eq(usageAlerts.accountId, account.id);
  server.reject = true;
  expect(await sweepAll()).toEqual([]);
  server.reject = false;
  expect(await sweepAll()).toEqual([]);
  await db().update(usageAlerts).set({ mailRetryAt: now }).where(alert);
  expect(await sweepAll()).toEqual([expect.stringContaining("50%")]);
});

it("the dashboard shows the highest alert until it is dismissed or the plan is larger", async () => {
  const account = await makeAccount("pro");
  await setUsed(account.id, 20e9);
  await sweepAll();
  const shown = { period, threshold: 75, usedBytes: 20e9, includedBytes: 25e9 };
  expect(await readShownAlert(account, now)).toEqual(shown);
  expect(await readShownAlert({ ...account, plan: "business" }, now)).toBeUndefined();
  await dismissAlerts(db(), { accountId: account.id, period, threshold: 75 });
  expect(await readShownAlert(account, now)).toBeUndefined();
  await setUsed(account.id, 23e9);
  await sweepAll();
  expect(await readShownAlert(account, now)).toMatchObject({ threshold: 90 });
});
