import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, inject, it } from "vitest";
import type { Job } from "#lib/jobs/view/job.ts";
import { withServiceDatabase } from "#tests/service/database/service-database.ts";
import { type Client, createClient } from "#tests/service/http/client.ts";
import { logFileOf, until } from "#tests/service/stack.ts";
import { expectError } from "#tests/support/expect-error.ts";

/** Secret parameters in everything that the service stores, shows and sends. */

const inputs = join(import.meta.dirname, "../../../public/samples/inputs");
const password = "Sesam-Öffne-7f3a9c21";
const owner = "Schlüssel-8d2b4e65";
let client: Client;
let contract: { bytes: Buffer; filename: string };

beforeAll(async () => {
  client = await createClient();
  const bytes = await readFile(join(inputs, "contract.pdf"));
  contract = { bytes, filename: "contract.pdf" };
});

/** The rows of all tables of the service, as text. */
const dump = () =>
  withServiceDatabase(async (sql) => {
    const tables = await sql`
      select table_schema, table_name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`;
    const rows: string[] = [];
    for (const { table_schema, table_name } of tables) {
      const found = await sql`
        select to_jsonb(one)::text as text from ${sql(table_schema)}.${sql(table_name)} as one`;
      rows.push(...found.map(({ text }) => String(text)));
    }
    return rows.join("\n");
  });

const secretsOf = (id: string) =>
  withServiceDatabase(async (sql) => {
    const [row] = await sql`select secrets from jobs where id = ${id}`;
    return row?.secrets as string | null;
  });

it("a password is used, but is in no response, row, webhook or log", async () => {
  const hook = `${inject("host").url}/hook/secrets-${process.pid}/200`;
  const fields = { file: contract, password, owner_password: owner, webhook_url: hook };
  const headers = { "Idempotency-Key": "secrets" };
  const accepted = await client.postForm("/v1/document/protect-pdf", fields, headers);
  const texts = [await accepted.clone().text()];
  const job = await client.finish(accepted);
  expect(job).toMatchObject({ status: "completed", params: { password: "***" } });
  const [output] = job.outputs;
  const pdf = Buffer.from(await (await fetch(output?.url ?? "")).arrayBuffer());
  const unlock = (given: string) =>
    client.run("document/unlock-pdf", { bytes: pdf, filename: "locked.pdf" }, { password: given });
  expect(await unlock(password)).toMatchObject({ status: "completed" });
  expect(await unlock("wrong")).toMatchObject({ status: "failed", error_code: "encrypted" });

  const replayed = await client.postForm("/v1/document/protect-pdf", fields, headers);
  expect(replayed.headers.get("idempotency-replayed")).toBe("true");
  const other = { ...fields, password: "another one" };
  await expectError(
    await client.postForm("/v1/document/protect-pdf", other, headers),
    "idempotency_conflict",
  );
  let received: { body: string }[] = [];
  await until(async () => {
    received = (await (await fetch(hook)).json()) as typeof received;
    return received.length > 0;
  }, 20_000);
  texts.push(
    await replayed.text(),
    JSON.stringify([job, received]),
    await (await client.request("/v1/jobs")).text(),
    await dump(),
    readFileSync(logFileOf(inject("service").dataDir), "utf8"),
  );
  expect(texts.join("\n")).toContain(job.id);
  for (const secret of [password, owner]) {
    for (const form of [secret, JSON.stringify(secret), encodeURIComponent(secret)]) {
      expect(texts.filter((text) => text.includes(form))).toEqual([]);
    }
  }
});

it("is encrypted while the job waits, in a chain too, and erased when it ends", async () => {
  const waiting = `${inject("host").url}/hang/secrets`;
  const operations = [
    { type: "document/unlock-pdf", params: { password } },
    { type: "document/protect-pdf", params: { password: owner } },
  ];
  const response = await client.postJson("/v1/jobs", { input: waiting, operations });
  const job = (await response.json()) as Job;
  expect(response.status, JSON.stringify(job)).toBe(202);
  expect(job.params).toMatchObject({
    operations: [{ params: { password: "***" } }, { params: { password: "***" } }],
  });
  expect(await secretsOf(job.id)).toMatch(/^[\w+/]{80,}=*$/);
  await client.request(`/v1/jobs/${job.id}/cancel`, { method: "POST" });
  expect(await secretsOf(job.id)).toBeNull();
  const retried = await client.request(`/v1/jobs/${job.id}/retry`, { method: "POST" });
  expect(await expectError(retried, "conflict")).toContain("Send the request again");
});

it("is declared in the catalogue and in the document", async () => {
  const { operations } = (await (await client.request("/v1/operations")).json()) as {
    operations: { id: string; parameters?: unknown; params?: unknown }[];
  };
  const found = operations.find(({ id }) => id === "document/unlock-pdf");
  expect(JSON.stringify(found)).toMatch(/"password":\{[^}]*"writeOnly":true/);
});
