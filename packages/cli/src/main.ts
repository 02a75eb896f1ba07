import { CommanderError } from "commander";
import { describeFailure } from "./errors.ts";
import { exitCodes } from "./exit-codes.ts";
import { runProgram } from "./program.ts";
import { reportError } from "./terminal/print.ts";

// `mediamill … | head` ends the pipe early.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(exitCodes.ok);
  throw error;
});

try {
  process.exitCode = await runProgram(process.argv.slice(2));
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

function exitCodeOf(error: unknown): number {
  // Commander has written the help or the message itself.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  const { message, exitCode, requestId } = describeFailure(error);
  reportError(requestId ? `${message} (${requestId})` : message);
  return exitCode;
}
