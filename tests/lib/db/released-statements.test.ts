import { readFileSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { afterEach, expect, it } from "vitest";
import { migrateDatabase, migrationsFolder } from "#lib/db/migrate.ts";
import { lastReleased } from "#tests/release/last-release.ts";
import type { RecordedStatement } from "#tests/release/statement-recorder.ts";
import { createEmptyDatabase } from "#tests/service/database/fresh-database.ts";

/**
 * The statements with which the last release accepts, reads, lists and cancels jobs, on its own schema and on
 * this version's. `tests/release/record-statements.ts` has recorded them.
 */
const file = join(migrationsFolder, "release-statements.json");
// Written by the recorder.
const statements = JSON.parse(readFileSync(file, "utf8")) as readonly RecordedStatement[];

const connections = new Map<number, postgres.Sql>();

afterEach(async () => {
  await Promise.all([...connections.values()].map((connection) => connection.end()));
  connections.clear();
});

/** Those that can be prepared have parameters. */
const isPreparable = ({ text }: RecordedStatement) =>
  /^\s*(select|insert|update|delete|with)\b/i.test(text);

const quote = (value: string | null) =>
  value === null ? "null" : `E'${value.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;

const typeNames: Readonly<Record<number, string>> = { 0: "unknown", 16: "boolean" };

/** Runs a statement as its client did. Resolves with how the server completed it. */
async function replay(sql: postgres.Sql, statement: RecordedStatement): Promise<string> {
  const { text, types, values } = statement;
  const run = (command: string) => sql.unsafe(command).simple();
  if (!isPreparable(statement)) return (await run(text)).command;
  const declared = types.map((type) => typeNames[type] ?? expect.unreachable(`type ${type}`));
  const given = values.map(quote);
  const list = (items: readonly string[]) => (items.length > 0 ? `(${items.join(", ")})` : "");
  await run(`prepare replayed ${list(declared)} as ${text}`);
  const { command, count } = await run(`execute replayed ${list(given)}`);
  await run("deallocate replayed");
  return `${command} ${count}`;
}

type Difference = Pick<RecordedStatement, "action" | "text" | "tag"> & {
  readonly replayed: string;
};

/** The statements after which the server says something else than it did to the release. */
async function findDifferences(url: string): Promise<Difference[]> {
  const differences: Difference[] = [];
  for (const statement of statements) {
    const { action, connection, text, tag } = statement;
    const sql = connections.get(connection) ?? postgres(url, { max: 1, onnotice: () => {} });
    connections.set(connection, sql);
    const replayed = await replay(sql, statement).catch((error: Error) => error.message);
    if (replayed !== tag.replace("INSERT 0", "INSERT"))
      differences.push({ action, text, tag, replayed });
  }
  return differences;
}

it("are those of creating, reading, listing and cancelling jobs", () => {
  const actions = new Set(statements.map(({ action }) => action));
  expect([...actions]).toEqual(["account", "create", "read", "list", "cancel"]);
  expect(statements.filter(({ tag }) => tag === "failed" || tag === "")).toEqual([]);
});

it("have the same effect on the schema of the release", async () => {
  const url = await createEmptyDatabase();
  await migrateDatabase(url, { through: lastReleased.when });
  expect(await findDifferences(url)).toEqual([]);
});

it("have the same effect on the schema of this version", async () => {
  const url = await createEmptyDatabase();
  await migrateDatabase(url);
  expect(await findDifferences(url)).toEqual([]);
});

it("fail on a schema without a column that they use", async () => {
  const url = await createEmptyDatabase();
  await migrateDatabase(url);
  const admin = postgres(url, { max: 1, onnotice: () => {} });
  connections.set(-1, admin);
  await admin`alter table jobs rename column metadata to labels`;
  const actions = (await findDifferences(url)).map(({ action }) => action);
  expect(new Set(actions)).toEqual(new Set(["create", "read", "list", "cancel"]));
});
