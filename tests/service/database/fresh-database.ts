import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { inject } from "vitest";

/** Creates an empty database on the server of the tests and returns its URL. */
export async function createEmptyDatabase(): Promise<string> {
  const name = `empty_${randomBytes(6).toString("hex")}`;
  const server = inject("databaseUrl");
  const admin = postgres(server, { max: 1, onnotice: () => {} });
  await admin.unsafe(`create database ${name}`);
  await admin.end();
  return Object.assign(new URL(server), { pathname: `/${name}` }).href;
}
