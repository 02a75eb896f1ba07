/** Why the service cannot start. `message` is one line for the terminal. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** Runs a command. An error that its user can fix is printed as one line on stderr; the exit code is 1. */
export async function exitOnKnownError(body: () => Promise<void>): Promise<void> {
  try {
    await body();
  } catch (error) {
    if (!(error instanceof Error) || !knownErrors.includes(error.name)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

const knownErrors = ["StartError", "SetupError", "EnvError", "AdminError"];
