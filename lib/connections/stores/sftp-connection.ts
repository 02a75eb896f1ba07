import { createHash } from "node:crypto";
import type { SFTPWrapper } from "ssh2";
import Client from "ssh2-sftp-client";
import { withTimeout } from "#lib/deadline.ts";
import { toFetchError } from "#lib/net/fetch-errors.ts";
import { connectPinned } from "#lib/net/pinned-request.ts";
import { toStoreError } from "./http-store.ts";
import { describeConnection } from "./sftp-errors.ts";
import { type StoreContext, StoreError } from "./store.ts";

type Socket = Awaited<ReturnType<typeof connectPinned>>;

export interface SftpAccess {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password?: string | undefined;
  /** In OpenSSH's format or as PEM. */
  readonly privateKey?: string | undefined;
  readonly passphrase?: string | undefined;
  /** The fingerprint of the host's key, `SHA256:…`; undefined until it is known. */
  readonly hostKey?: string | undefined;
  /** Called with the fingerprint of a host whose key is not known yet. */
  readonly onHostKey: (fingerprint: string) => Promise<void>;
}

const connectMs = 20_000;

/**
 * How many times as long as for anything else a server may take for a response while it keeps the connection alive: one
 * that stores files elsewhere may do so before it responds.
 */
const repliesFactor = 4;

/** One connection, from its start on. */
interface Attempt {
  /** Aborted when it has failed or ended, or to end it. */
  readonly ending: AbortController;
  readonly client: Promise<Client>;
}

/**
 * A connection to an SFTP server. It is made when it is needed, and made again after it has failed or ended; calls at the
 * same time share it.
 */
export class SftpConnection {
  readonly #access: SftpAccess;
  readonly #context: StoreContext;
  #current: Attempt | undefined;

  constructor(access: SftpAccess, context: StoreContext) {
    this.#access = access;
    this.#context = context;
  }

  /** Whether the next call makes a new connection. */
  get hasEnded(): boolean {
    return this.#current?.ending.signal.aborted ?? true;
  }

  /** The client of the connection. Throws `StoreError` if the server cannot be reached or refuses it. */
  client(): Promise<Client> {
    if (!this.#current || this.hasEnded) this.#current = this.#start();
    return this.#current.client;
  }

  #start(): Attempt {
    const ending = new AbortController();
    const client = this.#connect(ending);
    client.catch(() => ending.abort());
    return { ending, client };
  }

  async #connect(ending: AbortController): Promise<Client> {
    const { host, port, username, password, privateKey, passphrase } = this.#access;
    const { network, signal: stopped } = this.#context;
    const signal = AbortSignal.any([ending.signal, stopped]);
    const socket = await connectTo(host, port, { network, signal }).catch((error: unknown) => {
      throw toStoreError(toFetchError(error));
    });
    const stop = () => socket.destroy();
    socket.setTimeout(network.limits.chunkMs, stop);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    // Errors of a broken connection also reject the call that is running. By default they are printed.
    const client = new Client("sftp", { error: ignore, end: ignore, close: ignore });
    // Each of them rejects the running call, whose caller may need another connection at once.
    for (const event of ["error", "end", "close"]) client.on(event, () => ending.abort());
    let refusal: StoreError | undefined;
    let seen: string | undefined;
    try {
      await withTimeout(
        client.connect({
          sock: socket,
          username,
          ...(password === undefined ? {} : { password }),
          ...(privateKey === undefined ? {} : { privateKey }),
          ...(passphrase === undefined ? {} : { passphrase }),
          hostVerifier: (key: Buffer) => {
            const { fault, fingerprint } = this.#checkHostKey(key);
            refusal = fault;
            seen = fingerprint;
            return fault === undefined;
          },
          readyTimeout: connectMs,
        }),
        connectMs,
        () => new Error("timed out"),
      );
    } catch (error) {
      throw refusal ?? describeConnection(error);
    }
    const sftp = wrapperOf(client);
    // A connection whose file service has ended is of no use.
    sftp.once("end", stop);
    const replies = watchReplies(sftp, repliesFactor * network.limits.chunkMs, stop);
    socket.once("close", () => clearTimeout(replies));
    if (seen !== undefined && this.#access.hostKey === undefined) {
      await this.#access.onHostKey(seen);
    }
    return client;
  }

  #checkHostKey(key: Buffer) {
    const fingerprint = `SHA256:${createHash("sha256").update(key).digest("base64").replace(/=+$/, "")}`;
    const { hostKey } = this.#access;
    if (hostKey === undefined || hostKey === fingerprint) return { fingerprint };
    const message = `The host has another key than before (${fingerprint}). If that is right, set \`host_key\` to it.`;
    return { fingerprint, fault: new StoreError(message, { isPermanent: true }) };
  }

  /** Destroys the connection, and so rejects all that is pending: a server may never end its own side. */
  async close(): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    current?.ending.abort();
    await current?.client.catch(() => {});
  }

  /** Destroys the connection of a client, unless another one has replaced it. */
  async closeOf(client: Promise<Client>): Promise<void> {
    if (this.#current?.client === client) await this.close();
  }

  /** Destroys the connection when the signal is aborted. Returns the function that stops listening. */
  stopWith(signal: AbortSignal): () => void {
    const stop = () => void this.close();
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    return () => signal.removeEventListener("abort", stop);
  }
}

/** Opens a connection to a host that passed the guard, which knows only HTTP: the scheme decides nothing. */
async function connectTo(host: string, port: number, context: StoreContext): Promise<Socket> {
  const { network, signal } = context;
  const name = host.includes(":") ? `[${host}]` : host;
  const url = new URL(`http://${name}:${port}`);
  const target = await network.guard.check(url, network.purpose);
  const socket = await connectPinned({ target, network }, signal);
  // The end of one direction is the end of a connection of SSH.
  socket.allowHalfOpen = false;
  return socket;
}

/**
 * Calls `onSilence` when the file service of a server leaves requests without a response for `ms`, or half of that if
 * there was none before them. What keeps a connection alive does not count: the server goes on to send it when its disk
 * hangs.
 */
function watchReplies(sftp: SFTPWrapper, ms: number, onSilence: () => void): NodeJS.Timeout {
  // ssh2 has no event for a response. It gives what arrives to this function, which its types leave out.
  const channel = sftp as unknown as {
    readonly _requests: Readonly<Record<number, unknown>>;
    push: (data: Buffer | null) => unknown;
  };
  let hasWaited = false;
  const timer = setTimeout(() => {
    const waits = Object.keys(channel._requests).length > 0;
    // A request may have been sent just now, after a time without one.
    if (waits && hasWaited) return onSilence();
    hasWaited = waits;
    timer.refresh();
  }, ms / 2);
  const push = channel.push.bind(channel);
  channel.push = (data) => {
    hasWaited = false;
    timer.refresh();
    return push(data);
  };
  return timer;
}

/** ssh2's own client of the protocol, which the types of the library leave out. */
export function wrapperOf(client: Client): SFTPWrapper {
  return (client as unknown as { readonly sftp: SFTPWrapper }).sftp;
}

const ignore = () => {};
