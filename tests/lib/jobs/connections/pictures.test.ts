import { afterAll, beforeAll, expect, it } from "vitest";
import { createConnection } from "#lib/connections/manage.ts";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import { findSource } from "#lib/images/render/find-source.ts";
import { startWebdavStore, type UserStore } from "#tests/servers/storage/user-stores.ts";
import { makeAccount } from "#tests/service/jobs.ts";
import { temporaryWorkFolder } from "#tests/support/operation.ts";

/** The sources of pictures by URL in a connection. */

let account: Account;
let store: UserStore;

beforeAll(async () => {
  account = await makeAccount();
  store = await startWebdavStore();
  await store.put("private/logo.png", Buffer.from("a file"));
});
afterAll(() => store.close());

const connect = (more: { access?: "write"; operations?: string[]; fields?: object } = {}) =>
  createConnection(account, {
    type: "webdav",
    name: "Customer",
    prefix: "private",
    access: "both",
    operations: null,
    ...more,
    fields: { ...store.fields, ...more.fields },
  });

function find(reference: string) {
  const owner = { accountId: account.id, accountPlan: account.plan };
  const source = { kind: "connection", reference } as const;
  return findSource(source, owner, temporaryWorkFolder, new AbortController().signal);
}

it("a file of a connection is a source", async () => {
  const { id } = await connect();
  expect(await find(`${id}:logo.png`)).toMatchObject({ bytes: 6, filename: "logo.png" });
});

it.each([
  ["a file that does not exist", {}, "no.png"],
  ["a connection for writing only", { access: "write" as const }, "logo.png"],
  ["a connection for other operations", { operations: ["image/resize"] }, "logo.png"],
  ["a wrong password", { fields: { password: "wrong" } }, "logo.png"],
])("the error names neither the connection nor its folders: %s", async (_, more, path) => {
  const { id } = await connect(more);
  await expect(find(`${id}:${path}`)).rejects.toMatchObject({
    code: "fetch_failed",
    message: "The file cannot be read from its connection.",
  });
});
