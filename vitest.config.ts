import { defineConfig } from "vitest/config";

const shared = {
  testTimeout: 60_000,
  hookTimeout: 300_000,
  pool: "forks" as const,
  // Tests wait for real processes. `npm test` lists those that passed only when tried again.
  retry: 1,
};

export default defineConfig({
  test: {
    // More than the two cores of CI, because many tests wait.
    maxWorkers: 3,
    projects: [
      {
        test: {
          ...shared,
          name: "unit",
          include: [
            "lib/**/*.test.ts",
            "tests/*.test.ts",
            "tests/{components,lib,operations,packages,scripts}/**/*.test.ts",
          ],
          exclude: ["tests/lib/{auth,jobs,storage,webhooks}/**"],
          setupFiles: ["tests/support/use-data-folder.ts"],
        },
      },
      {
        // Short waiting times: see `#times` in package.json.
        ssr: { resolve: { conditions: ["mediamill-test", "node"] } },
        test: {
          ...shared,
          name: "database",
          include: ["tests/lib/{auth,jobs,storage,webhooks}/**/*.test.ts"],
          globalSetup: ["tests/service/database-setup.ts"],
          setupFiles: ["tests/service/use-database.ts"],
        },
      },
      {
        test: {
          ...shared,
          name: "inngest",
          include: ["tests/inngest/**/*.test.ts"],
          globalSetup: ["tests/service/database-setup.ts"],
          setupFiles: ["tests/servers/inngest/use-inngest.ts", "tests/service/use-database.ts"],
        },
      },
      {
        test: {
          ...shared,
          name: "api",
          include: ["tests/api/**/*.test.ts"],
          globalSetup: ["tests/service/global-setup.ts"],
        },
      },
      // Each file starts and mistreats a service of its own.
      { test: { ...shared, name: "faults", include: ["tests/faults/**/*.test.ts"] } },
    ],
  },
});
