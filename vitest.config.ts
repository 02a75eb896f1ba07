import { defineConfig } from "vitest/config";
import { writeOperationLists } from "./lib/setup/catalogue.mjs";
import { fastStart } from "./lib/setup/node24.mjs";

// For `npx vitest`: `npm test` has written them already.
writeOperationLists();

const shared = {
  // Long enough for a machine that is busy with other things, too.
  testTimeout: 120_000,
  hookTimeout: 300_000,
  // The default is a second.
  expect: { poll: { timeout: 20_000 } },
  pool: "forks" as const,
  // Node.js runs the project's TypeScript itself, and keeps it compiled from run to run.
  experimental: { viteModuleRunner: false },
  execArgv: fastStart,
};

/**
 * Tests that change the schema, close connections, have settings of their own, collect all garbage often, or look at
 * the counts, engines or folders of their process.
 */
const loneDatabaseTests = [
  "db/backup",
  "db/run-together",
  "jobs/actions/close-account",
  "jobs/idle-connections",
  "jobs/metrics",
  "jobs/pooler",
  "jobs/tracing",
  "jobs/run/image-chain",
  "jobs/run/partial-inputs",
  "jobs/run/tenants",
  "jobs/runner/readiness",
  "jobs/runner/runner",
  "jobs/runner/sharing",
  "jobs/runner/sweep",
  "jobs/status/runners-status",
  "jobs/status/unavailable-operations",
  "jobs/runner/usage-alerts",
  "jobs/runner/endpoint-notices",
  "storage/storage",
].map((file) => `tests/lib/${file}.test.ts`);

const compareBytes = "tests/support/setup/compare-bytes.ts";

/** Short waiting times: see `#times` in package.json. */
const shortTimes = { execArgv: [...fastStart, "--conditions=mediamill-test"] };

/**
 * Arguments of `node` for processes that run hundreds of test files. With a small heap, V8 collects garbage ten times as
 * often, which is a twelfth of the CPU time of such a process.
 */
const largeHeap = {
  execArgv: [...fastStart, "--min-semi-space-size=16", "--initial-heap-size=512"],
};

/** Tests that wait for several real processes. `npm test` lists those that passed only when tried again. */
const withRetry = { ...shared, retry: 1 };

/** Tests with a browser, or with servers that pages may load from. They set up their process before it loads any engine. */
const pageTests = [
  "fill-template",
  "template-to-pdf",
  "email-to-pdf",
  "html-to-pdf",
  "html-to-image",
  "markdown-to-pdf",
]
  .map((operation) => `lib/operations/document/${operation}/*.test.ts`)
  // Playwright needs a process without the other libraries for browsers.
  .concat("lib/operations/video/hls/playback.test.ts");

/** Tests of functions that leave nothing behind in their process. */
const functionTests = [
  "api",
  "connections",
  "engines/{import,partial,pdf,ffmpeg,libreoffice,image,worker/image}",
  "limits",
  "media",
  "net",
  "operations",
  "quotas",
  "operator",
  "files",
  "formats",
  "gotenberg",
  "images",
  "queue",
  "server",
  "setup",
  "supervisor/{logs,services}",
  "typos",
]
  .map((folder) => `tests/lib/${folder}/**/*.test.ts`)
  .concat(
    "tests/*.test.ts",
    "tests/lib/*.test.ts",
    "tests/scripts/*.test.ts",
    "tests/packages/*.test.ts",
    "tests/lib/engines/sniff-thread.test.ts",
    "tests/lib/engines/sandbox/{failures,seccomp}/*.test.ts",
    "tests/lib/supervisor/start/{compact,list,packages,running,secrets}*.test.ts",
    "tests/lib/engines/warm/*.test.ts",
  );

/** Tests that load modules again, with other settings. */
const reloadingTests = [
  "tests/lib/page-headers.test.ts",
  "tests/lib/hosts/allowed-hosts.test.ts",
  "tests/lib/engines/ffmpeg/hardware.test.ts",
];

export default defineConfig({
  test: {
    // More than the two cores of CI, because many tests wait: one worker alone keeps two thirds of a core busy.
    maxWorkers: 4,
    projects: [
      {
        test: {
          ...shared,
          name: "unit",
          include: ["tests/*.test.ts", "tests/{lib,packages,scripts}/**/*.test.ts", ...pageTests],
          exclude: [
            "tests/lib/{auth,db,jobs,storage,webhooks}/**",
            ...functionTests,
            ...reloadingTests,
          ],
          setupFiles: [
            compareBytes,
            "tests/support/setup/use-data-folder.ts",
            "tests/support/setup/run-as-account.ts",
          ],
        },
      },
      {
        test: {
          ...shared,
          name: "components",
          include: ["tests/components/**/*.test.ts", ...reloadingTests],
          isolate: false,
          setupFiles: ["tests/support/setup/use-data-folder.ts"],
          // Node.js runs no JSX, and loads a module only once.
          experimental: { viteModuleRunner: true },
        },
      },
      {
        test: {
          ...shared,
          ...largeHeap,
          name: "operations",
          include: ["lib/**/*.test.ts", "tests/operations/**/*.test.ts", ...functionTests],
          exclude: [...pageTests, ...reloadingTests],
          // The files of a worker share its modules, and so its warm engines and the files it has made.
          isolate: false,
          globalSetup: ["tests/support/operations-setup.ts"],
          setupFiles: [
            compareBytes,
            "tests/support/setup/share-engines.ts",
            "tests/support/setup/run-as-account.ts",
          ],
        },
      },
      {
        test: {
          ...withRetry,
          ...shortTimes,
          name: "database",
          include: ["tests/lib/{auth,db,jobs,storage,webhooks}/**/*.test.ts"],
          exclude: loneDatabaseTests,
          // The files of a worker share its modules: to load them takes longer than most files.
          isolate: false,
          globalSetup: ["tests/service/database/database-setup.ts"],
          setupFiles: [
            compareBytes,
            "tests/service/database/use-database.ts",
            "tests/service/database/restore-settings.ts",
            "tests/support/setup/run-as-account.ts",
          ],
        },
      },
      {
        test: {
          ...withRetry,
          ...shortTimes,
          name: "lone-database",
          include: loneDatabaseTests,
          globalSetup: ["tests/service/database/database-setup.ts"],
          setupFiles: [
            "tests/service/database/use-database.ts",
            "tests/support/setup/run-as-account.ts",
          ],
        },
      },
      {
        test: {
          ...withRetry,
          name: "inngest",
          include: ["tests/inngest/**/*.test.ts"],
          globalSetup: ["tests/service/database/database-setup.ts"],
          setupFiles: [
            "tests/servers/inngest/use-inngest.ts",
            "tests/service/database/use-database.ts",
          ],
        },
      },
      {
        test: {
          ...withRetry,
          name: "api",
          include: ["tests/api/**/*.test.ts"],
          // The files of a worker share its modules: to load them takes longer than most files.
          isolate: false,
          globalSetup: ["tests/service/global-setup.ts"],
        },
      },
      // Each file starts and mistreats a service of its own.
      { test: { ...withRetry, name: "faults", include: ["tests/faults/**/*.test.ts"] } },
    ],
  },
});
