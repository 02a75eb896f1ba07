import { endWithOneLine } from "#lib/supervisor/start-error.ts";

/** What `scripts/run.mjs` hands over to, by command; loaded when it is asked for. */
const commands: Record<string, (args: readonly string[]) => Promise<void>> = {
  web: async () => (await import("./commands/alone.ts")).runWeb(),
  runner: async (args) => (await import("./commands/alone.ts")).runRunner(args),
  admin: async (args) => (await import("./commands/admin.ts")).runAdmin(args),
  test: async (args) => (await import("./commands/test.ts")).runTests(args),
  verify: async () => (await import("./commands/verify.ts")).verify(),
  bench: async (args) => (await import("./commands/programs.ts")).runPrograms("bench", args),
  soak: async (args) => (await import("./commands/programs.ts")).runPrograms("soak", args),
  screenshots: async (args) => (await import("./commands/screenshots.ts")).takeScreenshots(args),
  samples: async (args) => (await import("./commands/samples.ts")).makeSamples(args),
};

export async function runCommand(command: string, args: readonly string[]): Promise<void> {
  await endWithOneLine(async () => commands[command]?.(args));
}
