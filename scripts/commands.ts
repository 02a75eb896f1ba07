import { exitOnKnownError } from "#lib/supervisor/start/start-error.ts";

/** Commands whose code or tests use the packages' generated files. */
const withClients = new Set(["test", "verify", "soak"]);

/** The implementation of each command of `scripts/run.mjs`. Each module is loaded only when needed. */
const commands: Record<string, (args: readonly string[]) => Promise<void>> = {
  web: async () => (await import("./commands/run-service.ts")).runWeb(),
  runner: async (args) => (await import("./commands/run-service.ts")).runRunner(args),
  admin: async (args) => (await import("./commands/admin.ts")).runAdmin(args),
  test: async (args) => (await import("./commands/test/test.ts")).runTests(args),
  verify: async (args) => (await import("./commands/verify.ts")).verify(args),
  audit: async () => (await import("./commands/audit.ts")).auditPackages(),
  bench: async (args) =>
    (await import("./commands/bench-and-soak.ts")).runBenchOrSoak("bench", args),
  soak: async (args) => (await import("./commands/bench-and-soak.ts")).runBenchOrSoak("soak", args),
  screenshots: async (args) => (await import("./commands/screenshots.ts")).takeScreenshots(args),
  samples: async (args) => (await import("./commands/samples.ts")).makeSamples(args),
  packages: async () => (await import("./commands/clients/packages.ts")).buildPackages(),
  catalogue: async () => (await import("./commands/catalogue.ts")).writeCatalogue(),
  changelog: async () => (await import("./commands/changelog.ts")).writeChangelog(),
};

export async function runCommand(command: string, args: readonly string[]): Promise<void> {
  await exitOnKnownError(async () => {
    if (withClients.has(command))
      await (await import("./commands/clients/write-clients.ts")).writeClients();
    await commands[command]?.(args);
  });
}
