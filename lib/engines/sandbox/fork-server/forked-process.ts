import { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import { constants } from "node:os";

interface ForkedProcessEvents {
  /** It has exited, with a code or by a signal. */
  exit: [code: number | null, signal: NodeJS.Signals | null];
  /** It has exited, and nothing more can come from its descriptors. */
  close: [code: number | null, signal: NodeJS.Signals | null];
}

/** The standard streams of a process, then its further descriptors. */
export type ProcessSockets = readonly [Socket, Socket, Socket, ...Socket[]];

/** A process that the fork server has started: the part of a `ChildProcess` that engines need. */
export class ForkedProcess extends EventEmitter<ForkedProcessEvents> {
  /** It is the first of its process group. */
  readonly pid: number;
  /** The id of the command: that of this process, unless it has started the command in a sandbox. */
  readonly command: number;
  /** One for each descriptor. All can be read and written. */
  readonly stdio: ProcessSockets;
  readonly stdin: Socket;
  readonly stdout: Socket;
  readonly stderr: Socket;

  constructor(pid: number, sockets: ProcessSockets, command = pid) {
    super();
    this.pid = pid;
    this.command = command;
    this.stdio = sockets;
    [this.stdin, this.stdout, this.stderr] = sockets;
  }

  /** Reports that it has exited; `status` is that of waitpid(2). */
  end(status: number): void {
    const { code, signal } = decodeStatus(status);
    this.emit("exit", code, signal);
    this.stdin.destroy();
    const open = this.stdio.filter((socket) => !socket.closed);
    let left = open.length;
    if (left === 0) this.emit("close", code, signal);
    for (const socket of open) {
      socket.once("close", () => {
        left -= 1;
        if (left === 0) this.emit("close", code, signal);
      });
      // No one reads it, so that its end would never be seen.
      if (socket.readableFlowing === null) socket.resume();
    }
  }
}

/** The exit code or the signal in a status of waitpid(2). */
function decodeStatus(status: number) {
  const number = status & 0x7f;
  if (number === 0) return { code: status >> 8, signal: null };
  return { code: null, signal: signalName(number) ?? "SIGKILL" };
}

/** The name of a signal by its number; undefined for a number that is no signal's. */
export function signalName(number: number): NodeJS.Signals | undefined {
  const found = Object.entries(constants.signals).find(([, value]) => value === number);
  // The keys are the names.
  return found?.[0] as NodeJS.Signals | undefined;
}
