import type { Command } from "commander";
import type { Session } from "../session.ts";

/** The commands around the work: completion, doctor, open, mcp. */
export function addToolCommands(program: Command, session: Session): void {
  program
    .command("open [page]")
    .description("Open a page in the browser: dashboard, jobs, keys, webhooks, docs, or a job's id")
    .action(async (page: string | undefined) => {
      const { openPage } = await import("./open.ts");
      await openPage(await session.settings(), page);
    });
  program
    .command("doctor")
    .description("Check the settings, the connection and the key")
    .action(async () => {
      const { runDoctor } = await import("./doctor.ts");
      session.exitCode = await runDoctor(session);
    });
  program
    .command("mcp")
    .description("Serve the MCP tools of the service over stdio")
    .action(async () => {
      const { serveMcp } = await import("./mcp.ts");
      serveMcp(await session.settings());
    });
  program
    .command("completion <shell>")
    .description("Print the completion script for bash, zsh or fish")
    .action(async (shell: string) => (await import("./completion.ts")).printCompletion(shell));
  program
    .command("__complete", { hidden: true })
    .argument("[words...]")
    .allowUnknownOption()
    .helpOption(false)
    .action(async (words: string[]) => {
      const { complete } = await import("./completion.ts");
      await complete(program, session, words);
    });
}
