import { type Command, type CommandOptions, Option } from "commander";
import { UsageError } from "../errors.ts";
import type { Session } from "../session.ts";
import type { ReportOptions } from "./usage.ts";

interface JsonFlag {
  readonly json?: boolean;
}

/** The commands about the account and the settings. `list` says whether lists are shown by default. */
export function addAccountCommands(program: Command, session: Session, list: CommandOptions): void {
  program
    .command("login")
    .description("Sign in with the browser; saves a key of 90 days in the profile")
    .option("--name <name>", "The name of the key. Default: the name of this machine.")
    .option("--no-browser", "Print the URL, and open no browser.")
    .action(async (flags) => {
      const { login } = await import("./login.ts");
      await login(await session.settings(), flags);
    });
  program
    .command("logout")
    .description("Revoke the key of the profile")
    .action(async () => {
      const { logout } = await import("./login.ts");
      await logout(await session.settings());
    });
  program
    .command("whoami")
    .description("Show the account, the service and the key that are used")
    .option("--json", "Print JSON.")
    .action(async ({ json }: JsonFlag) => {
      const { showAccount } = await import("./account.ts");
      await showAccount(await session.settings(), json ?? false);
    });
  program
    .command("usage")
    .description("Show what the account has used this month, or a report of some days")
    .addOption(
      new Option("--by <group>", "Report jobs by this.").choices([
        "operation",
        "key",
        "day",
        "error_code",
      ]),
    )
    .option("--since <day>", "First day of the report, UTC: 2026-11-01. Default: the 1st.")
    .option("--until <day>", "Last day of the report, UTC. Default: today.")
    .option("--csv", "Print the report as CSV.")
    .option("--json", "Print JSON.")
    .action(async ({ json, ...options }: JsonFlag & ReportOptions) => {
      const { showUsage, showUsageReport } = await import("./usage.ts");
      const settings = await session.settings();
      const { by, since, until, csv } = options;
      if (by) return showUsageReport(settings, { by, since, until, csv }, json ?? false);
      if (since || until || csv) throw new UsageError("--since, --until and --csv need --by.");
      await showUsage(settings, json ?? false);
    });
  program
    .command("operations")
    .description("List or search the operations")
    .argument("[words...]", "A group, or words of the id or the summary.")
    .option("--json", "Print one line of JSON for each operation.")
    .action(async (words: string[], { json }: JsonFlag) => {
      const { listOperations } = await import("./operations.ts");
      await listOperations(await session.settings(), words, json ?? false);
    });
  const profiles = program.command("profiles").description("List and change the profiles");
  profiles
    .command("list", list)
    .description("List the profiles")
    .action(async () => (await import("./profiles.ts")).listProfiles(await session.settings()));
  profiles
    .command("use <name>")
    .description("Use a profile by default")
    .action(async (name: string) => (await import("./profiles.ts")).useProfile(name));
  profiles
    .command("add <name>")
    .description("Add a profile with the API key that stdin has, and with --base-url")
    .action(async (name: string) =>
      (await import("./profiles.ts")).addProfile(name, await session.settings()),
    );
  profiles
    .command("remove <name>")
    .description("Remove a profile. Its key stays valid; see logout")
    .action(async (name: string) => (await import("./profiles.ts")).removeProfile(name));
}
