import { type Command, type CommandOptions, Option } from "commander";
import { UsageError } from "../errors.ts";
import type { Session } from "../session.ts";
import { wholeNumber } from "./operation-command.ts";

const statuses = ["pending", "processing", "completed", "failed", "cancelled"];
const json = ["--json", "Print one line of JSON for each job."] as const;

/** Adds the commands `mediamill jobs …`. `list` says whether lists are shown by default. */
export function addJobCommands(program: Command, session: Session, list: CommandOptions): void {
  const jobs = program.command("jobs").description("List, read, cancel and repeat jobs");
  const load = async () => ({
    commands: await import("./jobs.ts"),
    settings: await session.settings(),
  });
  jobs
    .command("list", list)
    .description("List the jobs, newest first")
    .addOption(new Option("--status <status>", "Only jobs with it.").choices(statuses))
    .option("--operation <id>", "Only jobs of an operation, such as image/resize.")
    .option(
      "--limit <number>",
      "At most so many. Default: 20.",
      (text) => wholeNumber("limit", text, 1, 10_000),
      20,
    )
    .option(...json)
    .action(async (flags) => {
      const { commands, settings } = await load();
      await commands.listJobs(settings, flags);
    });
  jobs
    .command("get <id>")
    .description("Show a job, and save its outputs with -o")
    .option("-o, --output <folder>", "Folder for the outputs.")
    .option("--wait", "Wait until the job has ended.")
    .option(...json)
    .action(async (id: string, flags) => {
      const { commands, settings } = await load();
      session.exitCode = await commands.getJob(settings, jobId(id), flags);
    });
  jobs
    .command("cancel <ids...>")
    .description("Cancel jobs that have not ended")
    .option(...json)
    .action(async (ids: string[], flags) => {
      const { commands, settings } = await load();
      await commands.cancelJobs(settings, ids.map(jobId), flags);
    });
  jobs
    .command("retry <id>")
    .description("Run a failed or cancelled job again, as another job")
    .option(...json)
    .action(async (id: string, flags) => {
      const { commands, settings } = await load();
      await commands.retryJob(settings, jobId(id), flags);
    });
  jobs
    .command("tail [id]")
    .description("Show what happens to a job until its end, or to all jobs until Ctrl-C")
    .option("--types <types>", "Types of events, separated by commas.", "job.*")
    .option(...json)
    .action(async (id: string | undefined, flags) => {
      const { commands, settings } = await load();
      session.exitCode = await commands.tailJobs(settings, id && jobId(id), flags);
    });
}

function jobId(text: string): string {
  if (/^job_[0-9A-Za-z]{24}$/.test(text)) return text;
  throw new UsageError(`${text} is not the id of a job, which starts with job_.`);
}
