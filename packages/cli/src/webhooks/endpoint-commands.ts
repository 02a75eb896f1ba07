import type { Command, CommandOptions } from "commander";
import type { Session } from "../session.ts";

const json = ["--json", "Print JSON."] as const;
const events = [
  "--events <types>",
  "Types of events, separated by commas; job.* is all of jobs, * is all.",
] as const;
const description = ["--description <text>", "A text for people."] as const;

/** Adds the commands `mediamill endpoints …`. `list` says whether lists are shown by default. */
export function addEndpointCommands(
  program: Command,
  session: Session,
  list: CommandOptions,
): void {
  const endpoints = program
    .command("endpoints")
    .description("List, create and change the URLs that get the account's events");
  const load = async () => ({
    commands: await import("./endpoints.ts"),
    settings: await session.settings(),
  });
  endpoints
    .command("list", list)
    .description("List the endpoints, newest first")
    .option(...json)
    .action(async (flags) => {
      const { commands, settings } = await load();
      await commands.listEndpoints(settings, flags);
    });
  endpoints
    .command("create <url>")
    .description("Create an endpoint, and print its secret once")
    .requiredOption(...events)
    .option(...description)
    .option(...json)
    .action(async (url: string, flags) => {
      const { commands, settings } = await load();
      await commands.createEndpoint(settings, url, flags);
    });
  endpoints
    .command("update <id>")
    .description("Change, disable or enable an endpoint")
    .option("--url <url>", "Another URL.")
    .option(...events)
    .option(...description)
    .option("--enable", "Send events to it again.")
    .option("--disable", "Send no events to it.")
    .option(...json)
    .action(async (id: string, flags) => {
      const { commands, settings } = await load();
      await commands.updateEndpoint(settings, id, flags);
    });
  endpoints
    .command("delete <id>")
    .description("Delete an endpoint")
    .action(async (id: string) => {
      const { commands, settings } = await load();
      await commands.deleteEndpoint(settings, id);
    });
  endpoints
    .command("rotate-secret <id>")
    .description("Replace the secret of an endpoint, and print it once")
    .option(...json)
    .action(async (id: string, flags) => {
      const { commands, settings } = await load();
      await commands.rotateSecret(settings, id, flags);
    });
  endpoints
    .command("test <id>")
    .description("Send a test event to an endpoint")
    .option(...json)
    .action(async (id: string, flags) => {
      const { commands, settings } = await load();
      await commands.testEndpoint(settings, id, flags);
    });
}
