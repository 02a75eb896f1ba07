import { inject } from "vitest";
import type { PlanName } from "#lib/plans.ts";
import { ApiClient } from "./api-client.ts";
import { runAdmin } from "./run-admin.ts";

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

let accounts = 0;

/** A client with a new account. */
export async function createClient(
  plan: PlanName = "enterprise",
): Promise<Client & { email: string }> {
  const email = `user-${process.pid}-${++accounts}@example.com`;
  const created = await admin("account", "create", "--email", email, "--plan", plan);
  return Object.assign(new Client(created.api_key), { email });
}
