import { eq, sql } from "drizzle-orm";
import { afterAll, expect, it } from "vitest";
import { createApiKey } from "#lib/auth/api-keys.ts";
import { db } from "#lib/db/client.ts";
import { findEndpoint, updateEndpoint } from "#lib/db/queries/webhooks/endpoints.ts";
import { usage, webhookDeliveries } from "#lib/db/tables.ts";
import { env } from "#lib/env.ts";
import { createUpload } from "#lib/jobs/accept/uploads.ts";
import { closeAccount } from "#lib/jobs/actions/close-account.ts";
import { reencryptSecrets } from "#lib/jobs/runner/reencrypt-secrets.ts";
import { periodOf } from "#lib/quotas/period.ts";
import { revealSigningSecrets } from "#lib/webhooks/endpoints/secrets.ts";
import { changeEndpoint, createEndpoint } from "#lib/webhooks/manage-endpoints.ts";
import { mailText, startMailServer } from "#tests/servers/mail.ts";
import { makeAccount } from "#tests/service/jobs.ts";

const server = await startMailServer();
afterAll(() => server.close());
Object.assign(env, { SMTP_URL: server.url, SMTP_FROM: "mediamill@example.com" });
// The environment is read when the module is loaded.
const { reportExpiringKeys, sendEndpointMails } = await import(
  "#lib/jobs/runner/endpoint-notices.ts"
);
const { recordUsageAlerts } = await import("#lib/jobs/runner/usage-alerts.ts");
const { recordReceived } = await import("#lib/jobs/accept/upload-completed.ts");
const { findUnexpiredUpload } = await import("#lib/db/queries/files/uploads.ts");

const hook = { url: "https://example.com/hook", description: "Orders" };

async function bodiesOf(endpointId: string): Promise<unknown[]> {
  const rows = await db().execute<{ body: string }>(sql`
    select body from webhook_contents join webhook_deliveries on id = delivery_id
    where endpoint_id = ${endpointId} order by created_at`);
  return rows.map(({ body }) => JSON.parse(body));
}

const eight = (work: () => Promise<unknown>) => Promise.all(Array.from({ length: 8 }, work));

it("a disabled endpoint is reported by one email, however many runners look; again after the next time", async () => {
  const account = await makeAccount();
  const { endpoint } = await createEndpoint(account.id, { ...hook, events: ["*"] });
  const disable = (reason: "gone" | "failing") =>
    updateEndpoint(db(), endpoint, {
      enabled: false,
      disabledAt: new Date(),
      disabledReason: reason,
      failingSince: new Date("2026-11-20T10:00:00Z"),
      mail: "pending",
      mailAttempts: 0,
      mailRetryAt: new Date(),
    });
  await eight(sendEndpointMails);
  expect(server.mails).toEqual([]);
  await disable("gone");
  await eight(sendEndpointMails);
  await eight(sendEndpointMails);
  expect(server.mails).toHaveLength(1);
  expect(server.mails[0]).toContain(`To: ${account.email}`);
  const text = mailText(server.mails[0] ?? "");
  expect(text).toContain("answered 410 Gone");
  expect(text).toContain(hook.url);
  expect(text).toContain(`/dashboard/webhooks/endpoints/${endpoint.id}`);
  await changeEndpoint(account.id, endpoint.id, { enabled: true });
  await disable("failing");
  await eight(sendEndpointMails);
  expect(server.mails).toHaveLength(2);
  expect(mailText(server.mails[1] ?? "")).toContain("for more than five days");
});

it("an endpoint that its owner disables is reported by none", async () => {
  const account = await makeAccount();
  const { endpoint } = await createEndpoint(account.id, { ...hook, events: ["*"] });
  const before = server.mails.length;
  await changeEndpoint(account.id, endpoint.id, { enabled: false });
  await sendEndpointMails();
  expect(server.mails).toHaveLength(before);
});

it("an endpoint that is disabled after its account was closed is reported by none", async () => {
  const account = await makeAccount();
  const { endpoint } = await createEndpoint(account.id, { ...hook, events: ["*"] });
  const before = server.mails.length;
  await closeAccount(account.id);
  const disabled = { enabled: false, disabledAt: new Date(), disabledReason: "gone" } as const;
  const mail = { mail: "pending", mailAttempts: 0, mailRetryAt: new Date() } as const;
  await updateEndpoint(db(), endpoint, { ...disabled, ...mail });
  await sendEndpointMails();
  expect(server.mails).toHaveLength(before);
  const unchanged = await findEndpoint(db(), account.id, endpoint.id);
  expect(unchanged).toMatchObject({ mail: "pending", mailAttempts: 0 });
});

it("a key that expires within 7 days is an event, once for each endpoint", async () => {
  const account = await makeAccount();
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
  const { endpoint } = await createEndpoint(account.id, { ...hook, events: ["key.*"] });
  await createEndpoint(account.id, { ...hook, events: ["job.*"] });
  const expiresAt = inDays(6.9);
  const { keyId } = await createApiKey(account.id, { name: "CI", expiresAt });
  for (const days of [-1, 7.1]) await createApiKey(account.id, { expiresAt: inDays(days) });
  await createApiKey(account.id);
  await eight(() => reportExpiringKeys(db()));
  await reportExpiringKeys(db());
  expect(await bodiesOf(endpoint.id)).toEqual([
    {
      type: "key.expiring",
      timestamp: expect.any(String),
      data: {
        id: keyId,
        name: "CI",
        prefix: expect.stringMatching(/^mm_live_/),
        environment: "production",
        expires_at: expiresAt.toISOString(),
      },
    },
  ]);
  const later = await createEndpoint(account.id, { ...hook, events: ["key.expiring"] });
  await reportExpiringKeys(db());
  expect(await bodiesOf(later.endpoint.id)).toMatchObject([{ data: { id: keyId } }]);
  expect(await bodiesOf(endpoint.id)).toHaveLength(1);
});

it("a threshold of the monthly data is an event, once", async () => {
  const account = await makeAccount("pro");
  const { endpoint } = await createEndpoint(account.id, {
    ...hook,
    events: ["usage.threshold_reached"],
  });
  const now = new Date();
  const period = periodOf(now);
  await db().insert(usage).values({ accountId: account.id, period, usedBytes: 12.6e9 });
  await eight(() => recordUsageAlerts(db(), now));
  expect(await bodiesOf(endpoint.id)).toMatchObject([
    {
      type: "usage.threshold_reached",
      data: { period, threshold: 50, used_bytes: 12.6e9, included_bytes: 25e9, plan: "pro" },
    },
  ]);
});

it("a received upload is an event, once", async () => {
  const account = await makeAccount();
  const { endpoint } = await createEndpoint(account.id, { ...hook, events: ["upload.completed"] });
  const { id } = await createUpload(account, {
    filename: "a.png",
    bytes: 5,
    method: "put",
    token: null,
  });
  const upload = await findUnexpiredUpload(db(), id);
  if (!upload) throw new Error("no upload");
  const file = { type: "png", sha256: "ab", attempt: null } as const;
  const received = await eight(() => recordReceived(upload, file));
  expect(received.filter(Boolean)).toHaveLength(1);
  expect(await bodiesOf(endpoint.id)).toMatchObject([
    {
      type: "upload.completed",
      data: { id, filename: "a.png", bytes: 5, content_type: "image/png", sha256: "ab" },
    },
  ]);
  const rows = await db()
    .select()
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.endpointId, endpoint.id));
  expect(rows).toMatchObject([{ jobId: null, status: "pending" }]);
});

it("the secrets of an endpoint outlive a rotation of SECRET", async () => {
  const account = await makeAccount();
  const { endpoint, secret } = await createEndpoint(account.id, { ...hook, events: ["*"] });
  const { SECRET } = env;
  const read = async () => {
    const row = await findEndpoint(db(), account.id, endpoint.id);
    return row && revealSigningSecrets(row);
  };
  Object.assign(env, { SECRET: `another ${SECRET}`, SECRET_PREVIOUS: SECRET });
  try {
    await reencryptSecrets();
    Object.assign(env, { SECRET_PREVIOUS: undefined });
    expect(await read()).toEqual([secret]);
  } finally {
    Object.assign(env, { SECRET, SECRET_PREVIOUS: undefined });
  }
  await expect(read()).rejects.toThrow();
});
