import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { Server, Socket } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { ForkedProcess, type ProcessSockets } from "./forked-process.ts";
import {
  type ServerProcess,
  type ServerProgram,
  startProgram,
  waitForLine,
} from "./server-program.ts";

/**
 * Starts processes by another process that is made for it. Their standard streams are connections to this process.
 * `fork-server.pl` starts any command: it is small, and the larger the process is that starts another one, the longer
 * it is stopped meanwhile. A zygote starts copies of itself.
 */

/** A process that is being started. */
interface Start {
  readonly sockets: (Socket | undefined)[];
  pid: number | undefined;
  /** The id of the command, if another process has started it. */
  command: number | undefined;
  /** The wait status of the process, if it has already exited. */
  status: number | undefined;
  readonly resolve: (process: ForkedProcess) => void;
  readonly reject: (error: Error) => void;
}

const keyBytes = 16;
/** The key, the number of the request and the number of the descriptor. */
const headerBytes = keyBytes + 8;

/** How long connections of a process that has exited are awaited: they wait only for the event loop of this process. */
const acceptWaits = 10;
const acceptWaitMs = 500;

/** The command was not executed and will not be. */
export class NotStartedError extends Error {
  override readonly name = "NotStartedError";
}

const endedMessage = "the process that starts engines has ended";

/** What requests of all kinds have. */
interface StartRequest {
  /** The number of the process's descriptors that are connected to this process, from 0 on; at least 3. */
  readonly sockets: number;
}

export class ForkServer<Request extends StartRequest> {
  /** The parent of the processes. */
  readonly pid: number;
  readonly #encode: ServerProgram<Request>["encode"];
  readonly #program: ServerProcess;
  readonly #listener: Server;
  readonly #key: Buffer;
  readonly #starts = new Map<number, Start>();
  readonly #running = new Map<number, ForkedProcess>();
  readonly #onEnd: () => void;
  #count = 0;
  /** It could not start a process, so that the next ones are started by another fork server. */
  #isReplaced = false;
  /** Its end is awaited. */
  #isClosing = false;

  private constructor(
    program: ServerProcess,
    encode: ServerProgram<Request>["encode"],
    listener: Server,
    onEnd: () => void,
  ) {
    this.pid = program.pid ?? 0;
    this.#encode = encode;
    this.#program = program;
    this.#listener = listener;
    this.#key = randomBytes(keyBytes);
    this.#onEnd = onEnd;
    listener.on("connection", (socket) => this.#accept(socket));
    program.once("exit", () => {
      onEnd();
      this.#end();
    });
    // A request that could not be written fails when the end of the program is reported.
    program.stdin.on("error", () => {});
  }

  /** Calls `onEnd` when it starts no further processes. Rejects if it does not start. */
  static async launch<Request extends StartRequest>(
    { encode, reportsReady, ...started }: ServerProgram<Request>,
    onEnd: () => void,
  ): Promise<ForkServer<Request>> {
    try {
      const { program, listener } = await startProgram(started);
      const server = new ForkServer(program, encode, listener, onEnd);
      const lines = createInterface({ input: program.stdout });
      const ready = reportsReady ? waitForLine(lines, program) : undefined;
      lines.on("line", (line) => server.#onReply(line));
      await ready;
      server.#hold();
      return server;
    } catch (error) {
      onEnd();
      throw error;
    }
  }

  /** Resolves when the process runs. Rejects if the fork server cannot start it. */
  start(request: Request): Promise<ForkedProcess> {
    if (!this.#program.stdin.writable) return Promise.reject(new NotStartedError(endedMessage));
    const id = ++this.#count;
    const { promise, resolve, reject } = Promise.withResolvers<ForkedProcess>();
    const sockets = Array.from({ length: request.sockets }, () => undefined);
    const unknown = { pid: undefined, command: undefined, status: undefined };
    this.#starts.set(id, { sockets, ...unknown, resolve, reject });
    this.#hold();
    this.#program.stdin.write(this.#encode(id, this.#key, request));
    return promise;
  }

  /** The number of processes that it has started. */
  get startCount(): number {
    return this.#count;
  }

  get isBusy(): boolean {
    return this.#starts.size + this.#running.size > 0;
  }

  /** Ends it when the processes that run now have ended. It starts no further ones. */
  retire(): void {
    this.#isReplaced = true;
    this.#onEnd();
    this.#hold();
  }

  async close(): Promise<void> {
    const { exitCode, signalCode } = this.#program;
    const ended =
      exitCode === null && signalCode === null ? once(this.#program, "exit") : undefined;
    this.#isClosing = true;
    this.#hold();
    this.#program.stdin.end();
    await ended;
  }

  /** Finds the process to which a connection belongs. */
  #accept(socket: Socket): void {
    // The end of the process is reported, so errors of its connections are not.
    socket.on("error", () => {});
    const onReadable = () => {
      const header: Buffer | null = socket.read(headerBytes);
      if (header === null) return;
      socket.off("readable", onReadable);
      if (header.length < headerBytes || !header.subarray(0, keyBytes).equals(this.#key)) {
        return void socket.destroy();
      }
      const id = header.readUInt32BE(keyBytes);
      const start = this.#starts.get(id);
      if (!start) return void socket.destroy();
      start.sockets[header.readUInt32BE(keyBytes + 4)] = socket;
      this.#resolve(id, start);
    };
    socket.on("readable", onReadable);
  }

  #onReply(line: string): void {
    const [kind, ...values] = line.split(" ");
    const [id = 0, number = 0, command] = values.map(Number);
    const start = this.#starts.get(id);
    if (kind === "started" && start) {
      start.pid = number;
      start.command = command;
      this.#resolve(id, start);
    } else if (kind === "failed" && start) {
      this.#starts.delete(id);
      for (const socket of start.sockets) socket?.destroy();
      const reason = values.slice(1).join(" ");
      start.reject(new NotStartedError(`an engine could not be started: ${reason}`));
      this.retire();
    } else if (kind === "exited") {
      if (start) {
        start.status = number;
        void this.#requireConnections(id, start);
      } else this.#exit(id, number);
    }
  }

  /** Rejects the start of a process that has exited if its connections, which are older, do not arrive. */
  async #requireConnections(id: number, { sockets, reject }: Start): Promise<void> {
    // If the event loop was blocked for one wait, it accepts connections before the next one ends.
    for (let count = 0; count < acceptWaits && this.#starts.has(id); count++) {
      await wait(acceptWaitMs, undefined, { ref: false });
    }
    if (!this.#starts.delete(id)) return;
    for (const socket of sockets) socket?.destroy();
    reject(new Error("the connections of an engine were lost"));
    this.#hold();
  }

  /** Hands the process over if everything of it has arrived. */
  #resolve(id: number, { sockets, pid, command, status, resolve }: Start): void {
    const arrived = sockets.filter((socket) => socket !== undefined);
    if (pid === undefined || !areComplete(arrived, sockets.length)) return;
    const started = new ForkedProcess(pid, arrived, command);
    this.#starts.delete(id);
    this.#running.set(id, started);
    resolve(started);
    if (status !== undefined) this.#exit(id, status);
  }

  #exit(id: number, status: number): void {
    const exited = this.#running.get(id);
    this.#running.delete(id);
    this.#hold();
    // Its caller listens in the next turn of the event loop at the latest.
    setImmediate(() => exited?.end(status));
  }

  /** The program and thus all processes have ended. */
  #end(): void {
    this.#listener.close();
    for (const { sockets, reject } of this.#starts.values()) {
      for (const socket of sockets) socket?.destroy();
      reject(new Error(endedMessage));
    }
    this.#starts.clear();
    const killed = 9;
    for (const id of [...this.#running.keys()]) this.#exit(id, killed);
  }

  /** Keeps this process alive only as long as the fork server has something to report, and then ends a replaced one. */
  #hold(): void {
    const { isBusy } = this;
    if (this.#isReplaced && !isBusy) this.#program.stdin.end();
    // Both are sockets, although their types do not say so.
    const streams = [this.#program.stdin as Socket, this.#program.stdout as Socket];
    for (const handle of [this.#program, ...streams]) {
      if (isBusy || this.#isClosing) handle.ref();
      else handle.unref();
    }
  }
}

function areComplete(sockets: readonly Socket[], count: number): sockets is ProcessSockets {
  return sockets.length === count && count >= 3;
}
