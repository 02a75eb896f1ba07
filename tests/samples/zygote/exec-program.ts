import { isLinkedOnce, runCopy } from "./run-copy.ts";

interface BytesOptions {
  readonly cwd?: string | undefined;
}

interface TextOptions extends BytesOptions {
  readonly encoding: "utf8" | "latin1";
}

/**
 * Runs a program as `execFileSync` of Node.js does, but not as a child of this process: each start of one copies the page
 * tables of this process, which takes 5 ms of CPU time for each 100 MB. Returns its stdout. Throws an error with its
 * `stderr`, `stdout` and `status` if it fails. The program has no stdin, and the environment that this process had when
 * it first ran one.
 */
export function execProgram(command: string, args: readonly string[], options: TextOptions): string;
export function execProgram(
  command: string,
  args: readonly string[],
  options?: BytesOptions,
): Buffer;
export function execProgram(
  command: string,
  args: readonly string[],
  options: BytesOptions & { readonly encoding?: "utf8" | "latin1" } = {},
): string | Buffer {
  const { exitCode, stdout, stderr } = isLinkedOnce(command)
    ? runCopy(command, args, options.cwd)
    : // `env` finds the program and becomes it.
      runCopy("env", ["-u", "LD_PRELOAD", command, ...args], options.cwd);
  const read = (bytes: Buffer) => (options.encoding ? bytes.toString(options.encoding) : bytes);
  if (exitCode === 0) return read(stdout);
  const message = `Command failed: ${[command, ...args].join(" ")}\n${stderr}`;
  const details = { status: exitCode ?? null, stdout: read(stdout), stderr: read(stderr) };
  throw Object.assign(new Error(message), details);
}
