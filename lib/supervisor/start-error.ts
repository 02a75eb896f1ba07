/** Why the service cannot start: one line for the terminal, without a stack. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** Runs a command's body; what its user can mend ends it with one line on stderr and exit code 1. */
export async function endWithOneLine(body: () => Promise<void>): Promise<void> {
  try {
    await body();
  } catch (error) {
    if (!(error instanceof Error) || !oneLiners.includes(error.name)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

const oneLiners = ["StartError", "EnvError", "AdminError"];
