import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { withTimeout } from "#lib/deadline.ts";
import { fetchTimeoutError, toFetchError } from "./fetch-errors.ts";
import type { Network } from "./network.ts";

/**
 * Opens a connection for a protocol other than HTTP to one of the addresses of `host` that passed the guard. Throws
 * `JobError` `address_refused`, `fetch_failed` or `fetch_timeout`.
 */
export async function connectPinned(
  { host, port, timeoutMs }: { host: string; port: number; timeoutMs: number },
  { guard, purpose }: Network,
): Promise<Socket> {
  // The guard knows only HTTP; the scheme decides nothing here.
  const name = host.includes(":") ? `[${host}]` : host;
  const { addresses } = await guard.check(new URL(`http://${name}:${port}`), purpose);
  const socket = connect({ host: addresses[0] ?? "", port });
  try {
    await withTimeout(once(socket, "connect"), timeoutMs, () => fetchTimeoutError("no answer"));
    return socket;
  } catch (error) {
    socket.destroy();
    throw toFetchError(error);
  }
}
