import { test as base, expect, type Page } from "@playwright/test";
import type { PlanName } from "#lib/plans.ts";
import type { ApiClient } from "#tests/service/api-client.ts";
import type { InputHost, Service } from "#tests/service/service.ts";
import { createTestAccount, signIn, type TestAccount } from "./account.ts";
import { waitUntilAwake } from "./awake.ts";
import { runningService } from "./running-service.ts";
import { watchContext } from "./watch.ts";

export { expect } from "@playwright/test";
export { createTestAccount, signIn, type TestAccount } from "./account.ts";
export { expectAccessible } from "./axe.ts";

interface Fixtures {
  /** Of `account`; set it with `test.use({ plan: "free" })`. */
  readonly plan: PlanName;
  readonly service: Service;
  /** Serves what is put into its folder, and receives webhooks under `/hook/`. */
  readonly host: InputHost;
  /** An account made for this test alone, with a password and one key. */
  readonly account: TestAccount;
  /** A caller of the API with the key of `account`. */
  readonly api: ApiClient;
  /** A page on which `account` is signed in; nothing is open on it yet. */
  readonly signedIn: Page;
}

/**
 * Playwright's `test` on the running service: addresses may begin with a slash, and opening one waits
 * until the page's buttons work. Every test fails whose page asks another host for anything, throws,
 * or breaks its content security policy.
 */
export const test = base.extend<Fixtures>({
  plan: ["pro", { option: true }],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern.
  service: async ({}, use) => use(runningService().service),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern.
  host: async ({}, use) => use(runningService().host),
  baseURL: async ({ service }, use) => use(service.url),
  account: async ({ plan }, use) => use(await createTestAccount(plan)),
  api: async ({ account }, use) => use(account.api),
  context: async ({ context, service }, use) => {
    const wrong = watchContext(context, service.url);
    await use(context);
    expect(wrong).toEqual([]);
  },
  page: async ({ page }, use) => {
    waitUntilAwake(page);
    await use(page);
  },
  signedIn: async ({ page, context, account }, use) => {
    await signIn(context, account);
    await use(page);
  },
});
