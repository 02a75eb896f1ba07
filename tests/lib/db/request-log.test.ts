import { expect, it } from "vitest";
import { flushRequestLog, recordRequest } from "#lib/api/request-log/request-log.ts";
import { createAccount } from "#lib/auth/accounts.ts";
import { db } from "#lib/db/client.ts";
import { apiRequests } from "#lib/db/schema/dashboard/api-requests.ts";
import { createId } from "#lib/ids.ts";

it("an error of any text is stored, its beginning if it is long", async () => {
  const account = await createAccount({ email: `${createId("acc")}@example.com` });
  if (!account) throw new Error("no account");
  const ids = ["a\0b", "c".repeat(5000)].map((error) => {
    const id = createId("req");
    const request = new Request("http://localhost/forms/pdfengines/merge", { method: "POST" });
    const record = { caller: { account, apiKeyId: "key_1" }, error };
    const context = { request, requestId: id, url: new URL(request.url), record };
    recordRequest("POST", context, new Response(null, { status: 400 }), { startedAt: Date.now() });
    return id;
  });
  await flushRequestLog();
  const rows = await db().select().from(apiRequests);
  const errors = new Map(rows.map(({ id, error }) => [id, error]));
  expect(ids.map((id) => errors.get(id))).toEqual(["a\u{fffd}b", `${"c".repeat(1000)}…`]);
});
