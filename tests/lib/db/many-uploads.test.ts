import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { db } from "#lib/db/client.ts";
import { databaseUrl } from "#lib/db/connection.ts";
import { insertUpload } from "#lib/db/queries/files/uploads.ts";
import { createId } from "#lib/ids.ts";
import { type ExplainedDatabase, openExplained } from "#tests/service/database/explain.ts";
import { makeAccount } from "#tests/service/jobs.ts";

/** The uploads of all others have four hundred blocks. */
const others = 20_000;
const maxBlocks = 60;
let explained: ExplainedDatabase;

beforeAll(async () => {
  const large = await makeAccount();
  await db().execute(sql`
    insert into uploads (id, account_id, filename, bytes, expires_at)
    select 'upload_' || gen_random_uuid(), ${large.id}, 'a.png', 1, now() + interval '1 hour'
    from generate_series(1, ${others})`);
  await db().execute(sql`vacuum analyze uploads`);
  explained = openExplained(databaseUrl());
});
afterAll(() => explained?.close());

it("a new upload is counted with those of its own account alone", async () => {
  const account = await makeAccount();
  const values = {
    id: createId("upload"),
    accountId: account.id,
    filename: "b.png",
    bytes: 1,
    expiresAt: new Date(Date.now() + 60_000),
  };
  const { blocks, plans } = await explained.explain((tx) =>
    insertUpload(tx, values, [{ uploads: 1000, bytes: 1_000_000 }]),
  );
  expect(blocks, plans).toBeGreaterThan(0);
  expect(blocks, plans).toBeLessThan(maxBlocks);
});
