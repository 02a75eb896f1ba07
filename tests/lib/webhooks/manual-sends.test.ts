import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { db, transaction } from "#lib/db/client.ts";
import { RequestError } from "#lib/errors.ts";
import { countManualSend } from "#lib/webhooks/manual-sends.ts";
import { makeAccount } from "#tests/service/jobs.ts";

/** Inserts pending deliveries to `url`, by hand or those of jobs. */
async function insertPending(account: string, url: string, count: number, manual: boolean) {
  await db().execute(sql`
    insert into webhook_deliveries (id, account_id, url, event, manual)
    select 'whd_' || gen_random_uuid(), ${account}, ${url}, 'test', ${manual}
    from generate_series(1, ${count})`);
}

const send = (account: string, url: string) =>
  transaction((tx) => countManualSend(tx, account, url)).then(
    () => "sent",
    (error: unknown) => {
      if (!(error instanceof RequestError)) throw error;
      return error.code;
    },
  );

describe("webhooks sent by hand that wait for their next attempt", () => {
  it("are at most 100 to a host, of one account", async () => {
    const account = await makeAccount();
    const other = await makeAccount();
    await insertPending(account.id, "https://slow.example/a", 100, true);
    expect(await send(account.id, "https://slow.example/b")).toBe("rate_limited");
    expect(await send(account.id, "https://slow.example:8443/b")).toBe("sent");
    expect(await send(account.id, "https://quick.example/")).toBe("sent");
    expect(await send(other.id, "https://slow.example/b")).toBe("sent");
  });

  it("are at most 1,000 in total", async () => {
    const { id } = await makeAccount();
    for (let host = 0; host < 20; host++) {
      await insertPending(id, `https://host-${host}.example/`, 50, true);
    }
    expect(await send(id, "https://another.example/")).toBe("rate_limited");
  });

  it("do not include webhooks of jobs", async () => {
    const { id } = await makeAccount();
    await insertPending(id, "https://slow.example/", 1500, false);
    expect(await send(id, "https://slow.example/")).toBe("sent");
  });
});
