import { randomBytes } from "node:crypto";
import type { BrowserContext } from "@playwright/test";
import type { PlanName } from "#lib/plans.ts";
import { insertAccount } from "#tests/service/accounts.ts";
import { ApiClient } from "#tests/service/http/api-client.ts";
import { signInTo } from "#tests/service/http/sign-in.ts";
import { runningService } from "./running-service.ts";

/** An account that only one test uses. */
export interface TestAccount {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  /** An API client with the account's first key. */
  readonly api: ApiClient;
}

/** Inserts an account into the service's database. */
export async function createTestAccount(plan: PlanName = "pro"): Promise<TestAccount> {
  const { service } = runningService();
  const email = `e2e-${randomBytes(5).toString("hex")}@example.com`;
  const password = randomBytes(12).toString("hex");
  const { id, key } = await insertAccount({ email, plan, password }, service.dataDir);
  return { id, email, password, api: new ApiClient(service.url, key) };
}

/** Signs the browser in without the sign-in page. */
export function signIn(context: BrowserContext, account: TestAccount): Promise<void> {
  return signInTo(context, runningService().service.url, account);
}
