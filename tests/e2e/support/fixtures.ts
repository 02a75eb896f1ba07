import { test as base, expect, type Page } from "@playwright/test";
import type { PlanName } from "#lib/plans.ts";
import type { ApiClient } from "#tests/service/http/api-client.ts";
import type { InputHost, Service } from "#tests/service/service.ts";
import { createTestAccount, signIn, type TestAccount } from "./account.ts";
import { waitForHydration } from "./hydration.ts";
import { runningService } from "./running-service.ts";
import { watchContext } from "./watch-context.ts";

export { expect } from "@playwright/test";
export { createTestAccount, signIn, type TestAccount } from "./account.ts";
export { expectAccessible, switchToDark } from "./axe.ts";

interface Fixtures {
  /** The plan of `account`; set it with `test.use({ plan: "free" })`. */
  readonly plan: PlanName;
  readonly service: Service;
  /** Serves the files in its folder, and receives webhooks under `/hook/`. */
  readonly host: InputHost;
  /** An account for this test only, with a password and one key. */
  readonly account: TestAccount;
  /** An API client with the key of `account`. */
  readonly api: ApiClient;
  /** A blank page on which `account` is signed in. */
  readonly signedIn: Page;
}

/**
 * Playwright's `test` on the running service. URLs are relative to the service, and `goto` waits
 * until the page is hydrated. A test fails if its page sends a request to another host, throws an
 * uncaught error, or violates its content security policy.
 */
export const test = base.extend<Fixtures>({
  plan: ["pro", { option: true }],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright requires the pattern.
  service: async ({}, use) => use(runningService().service),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright requires the pattern.
  host: async ({}, use) => use(runningService().host),
  baseURL: async ({ service }, use) => use(service.url),
  account: async ({ plan }, use) => use(await createTestAccount(plan)),
  api: async ({ account }, use) => use(account.api),
  context: async ({ context, service }, use) => {
    const violations = watchContext(context, service.url);
    await use(context);
    expect(violations).toEqual([]);
  },
  page: async ({ page }, use) => {
    waitForHydration(page);
    await use(page);
  },
  signedIn: async ({ page, context, account }, use) => {
    await signIn(context, account);
    await use(page);
  },
});
