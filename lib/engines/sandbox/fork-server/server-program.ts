import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Server } from "node:net";
import type { Interface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { listenForStreams } from "./stream-listener.ts";

/** Where programs are found on Debian and on macOS. */
export const programPath = "/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin";

/** The program of a fork server, which speaks the protocol of `fork-server.pl`. */
export interface ServerProgram<Request> {
  readonly command: string;
  /** Its arguments; `socket` is the path on which this process listens. */
  readonly args: (socket: string) => readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  /** The bytes of a request. `key`: 16 bytes, with which connections begin. */
  readonly encode: (id: number, key: Buffer, request: Request) => Buffer;
  /** Whether it says that it is ready before it takes requests. */
  readonly reportsReady: boolean;
}

export type ServerProcess = ChildProcessByStdio<Writable, Readable, null>;

/** Starts a program, and listens for the connections of the processes that it will start. */
export async function startProgram({
  command,
  args,
  variables,
}: Pick<ServerProgram<never>, "command" | "args" | "variables">): Promise<{
  readonly program: ServerProcess;
  readonly listener: Server;
}> {
  const { listener, path } = await listenForStreams();
  try {
    // In a session of its own, Ctrl-C in a terminal does not end the engines of jobs that still run.
    const program = spawn(command, args(path), {
      stdio: ["pipe", "pipe", "inherit"],
      detached: true,
      env: { NODE_ENV: "production", PATH: programPath, ...variables },
    });
    await once(program, "spawn");
    return { program, listener };
  } catch (error) {
    listener.close();
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new Error(`${command}, which starts engines, is missing`, { cause: error });
  }
}

/** Resolves with the first line. Rejects if the program ends before. */
export async function waitForLine(lines: Interface, program: ServerProcess): Promise<void> {
  const ended = once(program, "exit").then(([code]) => {
    throw new Error(`the program ended with ${code}`);
  });
  await Promise.race([once(lines, "line"), ended]);
  ended.catch(() => {});
}
