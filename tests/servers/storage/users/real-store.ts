import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import type { ConnectionType } from "#lib/db/schema/credentials/connections.ts";
import { hasEnded, until } from "#tests/service/stack.ts";

/** Stores of users as the scenarios of connections need them: real servers, which can be made to fail. */

/** The fields of a connection. */
export type Fields = Readonly<Record<string, unknown>>;

/** How a store fails now. */
export interface Faults {
  /** How many of the next requests for files, or connections of a store without HTTP, fail. */
  failNext: number;
  /** How many of the next files that are read, or written, are cut in the middle. */
  cutGets: number;
  cutPuts: number;
  /** Whether requests for files get no response. */
  hangs: boolean;
  /** Whether there is no space for another file. */
  isFull: boolean;
}

export const noFaults = (): Faults => ({
  failNext: 0,
  cutGets: 0,
  cutPuts: 0,
  hangs: false,
  isFull: false,
});

export interface RealStore {
  readonly type: ConnectionType;
  readonly faults: Faults;
  readonly fields: Fields;
  /** The fields of which other connections to the store differ. */
  readonly others: {
    readonly wrongSecret: Fields;
    /** That may only read. */
    readonly readOnly: Fields;
    /** That may not read. */
    readonly noReading: Fields;
    /** To a bucket, container or folder that does not exist; a store of SFTP has a prefix only. */
    readonly missingRoot?: Fields;
    /** To a folder without space, for stores that have one. */
    readonly full?: Fields;
    /** To an address that connections may not have; none for a store whose address the provider decides. */
    readonly privateAddress?: Fields;
  };
  /** Texts that must be found nowhere: all secrets of `fields` and `others`. */
  readonly secrets: readonly string[];
  /** Bytes of files that it has sent. */
  readonly sentBytes: () => number;
  /** Makes what the store needs to know before connections are created: the ids of its trust policies. */
  readonly trust?: (externalId: string) => Promise<void>;
  close(): Promise<void>;
}

/** A program that serves a port. */
export interface ServingProgram {
  stop(): Promise<void>;
}

/** Starts a program and waits until it serves the port. */
export async function serve(
  port: number,
  [program = "", ...args]: readonly string[],
  options: SpawnOptions = {},
): Promise<ServingProgram> {
  // Killed with the process of the tests, which may be killed itself.
  const words = ["--pdeathsig", "KILL", "--", program, ...args];
  const child: ChildProcess = spawn("setpriv", words, { stdio: "ignore", ...options });
  await until(() => {
    if (hasEnded(child)) throw new Error(`${program} has ended with ${child.exitCode}`);
    return isOpen(port);
  }, 60_000);
  return {
    stop: () => kill(child),
  };
}

/** Kills a program, and resolves when it has ended. */
export async function kill(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

/** Whether a program listens at the port. */
export async function isOpen(port: number): Promise<boolean> {
  const socket = connect({ host: "127.0.0.1", port });
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
