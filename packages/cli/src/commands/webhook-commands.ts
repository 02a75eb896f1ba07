import type { Command } from "commander";
import { webhookEventTypes } from "../../../sdk/src/generated.ts";
import type { Session } from "../session.ts";

/** The commands for webhooks and events. */
export function addWebhookCommands(program: Command, session: Session): void {
  const load = async () => ({
    commands: await import("./webhooks.ts"),
    settings: await session.settings(),
  });
  const secret = ["--secret <whsec>", "Sign with this secret instead of this machine's."] as const;
  program
    .command("listen")
    .description("Receive the account's events, and send them to a local URL as signed webhooks")
    .option("--forward-to <url>", "Where to send them, such as http://localhost:3000/hook.")
    .option(
      "--types <types>",
      "Types, separated by commas; job.* is all.",
      webhookEventTypes.join(","),
    )
    .option("--last-event-id <id>", "Continue after this event, within 24 hours.")
    .option(...secret)
    .option("--json", "Print one line of JSON for each event.")
    .action(async (flags) => {
      const { commands, settings } = await load();
      session.exitCode = await commands.listen(settings, flags);
    });
  program
    .command("trigger <type>")
    .description(`Send a sample event to a URL: ${webhookEventTypes.join(", ")}`)
    .requiredOption("--forward-to <url>", "Where to send it, such as http://localhost:3000/hook.")
    .option(...secret)
    .action(async (type: string, flags) => {
      const { commands, settings } = await load();
      session.exitCode = await commands.trigger(settings, type, flags);
    });
  program
    .command("resend <delivery>")
    .description("Send a webhook of the service again, by its webhook-id (whd_…)")
    .option("--json", "Print JSON.")
    .action(async (id: string, flags) => {
      const { commands, settings } = await load();
      await commands.resend(settings, id, flags);
    });
}
