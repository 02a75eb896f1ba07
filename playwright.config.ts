import { defineConfig, devices } from "@playwright/test";
import { launchOptions } from "./tests/support/chromium.ts";

export default defineConfig({
  testDir: "tests/e2e",
  globalSetup: "./tests/e2e/support/global-setup.ts",
  // One service for all tests: each has an account of its own, so they may run side by side.
  fullyParallel: true,
  workers: 2,
  // `npm test` lists the tests that passed only when tried again.
  retries: 1,
  forbidOnly: Boolean(process.env.CI),
  timeout: 90_000,
  expect: { timeout: 20_000 },
  reporter: "list",
  use: {
    ...devices["Desktop Chrome"],
    launchOptions: {
      ...launchOptions,
      // A page lives for seconds: the compilers that optimize its scripts take more time than they save.
      args: [...(launchOptions.args ?? []), "--js-flags=--no-maglev,--no-turbofan"],
    },
    permissions: ["clipboard-read", "clipboard-write"],
    locale: "en-GB",
    timezoneId: "UTC",
    // Scripts stay in its cache, compiled. Pages, cookies and what they store do not stay.
    reuseContext: true,
    // No test is about animations, and each of their frames takes time of the processor.
    contextOptions: { reducedMotion: "reduce" },
  },
});
