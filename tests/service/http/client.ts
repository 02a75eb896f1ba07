import { inject } from "vitest";
import type { PlanName } from "#lib/plans.ts";
import { type InsertedAccount, insertAccount } from "../accounts.ts";
import { runAdmin } from "../run-admin.ts";
import { ApiClient } from "./api-client.ts";

export type { UploadPart } from "./api-client.ts";

/** A client of the service that the API tests share. */
export class Client extends ApiClient {
  constructor(key = inject("service").apiKey) {
    super(inject("service").url, key);
  }
}

/** Runs `npm run --silent admin -- …args --json` against the service under test. */
export function admin(...args: string[]): Promise<Record<string, string>> {
  return runAdmin(inject("service").dataDir, ...args);
}

/** A client with a new account. */
export async function createClient(
  plan: PlanName = "enterprise",
): Promise<Client & InsertedAccount> {
  const account = await insertAccount({ plan });
  return Object.assign(new Client(account.key), account);
}
