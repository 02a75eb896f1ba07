import postgres from "postgres";
import { sessionOptions, sessionUrl } from "./connection.ts";

/** The connection of all channels, as long as one of them is listened to. */
let listener: { readonly sql: postgres.Sql; channels: number } | undefined;

/**
 * Calls `onMessage` for every notification on `channel`, until stopped. Reconnects by itself. `onListen`
 * is called after every connect and reconnect: notifications sent before it are lost.
 */
export async function listen(
  channel: string,
  onMessage: (payload: string) => void,
  onListen: () => void = () => {},
): Promise<() => Promise<void>> {
  listener ??= { sql: postgres(sessionUrl(), sessionOptions()), channels: 0 };
  const own = listener;
  own.channels++;
  let isStopped = false;
  const stop = async (unlisten = async () => {}) => {
    if (isStopped) return;
    isStopped = true;
    own.channels--;
    await unlisten();
    if (own.channels > 0) return;
    if (listener === own) listener = undefined;
    await own.sql.end({ timeout: 5 });
  };
  try {
    const { unlisten } = await own.sql.listen(channel, onMessage, onListen);
    return () => stop(unlisten);
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Ends the connection. */
export async function stopListening(): Promise<void> {
  const ended = listener;
  listener = undefined;
  await ended?.sql.end({ timeout: 5 });
}
