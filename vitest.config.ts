import { defineConfig } from "vitest/config";

const shared = { testTimeout: 60_000, hookTimeout: 300_000, pool: "forks" as const };

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...shared,
          name: "unit",
          include: ["tests/*.test.ts", "tests/{lib,operations,scripts}/**/*.test.ts"],
          exclude: ["tests/lib/{jobs,storage}/**"],
          setupFiles: ["tests/support/use-data-folder.ts"],
        },
      },
      {
        test: {
          ...shared,
          name: "database",
          include: ["tests/lib/{jobs,storage}/**/*.test.ts"],
          globalSetup: ["tests/support/database-setup.ts"],
          setupFiles: ["tests/support/use-database.ts"],
        },
      },
      {
        test: {
          ...shared,
          name: "api",
          include: ["tests/api/**/*.test.ts"],
          globalSetup: ["tests/support/global-setup.ts"],
        },
      },
    ],
  },
});
