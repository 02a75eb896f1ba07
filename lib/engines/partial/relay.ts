import { join } from "node:path";
import type { SandboxedCommand, SandboxView } from "../sandbox/bubblewrap/arguments.ts";
import { relayAddress } from "../sandbox/view/sandbox-view.ts";
import type { WorkFile } from "../sandbox/work-folder.ts";

/** How an engine in the sandbox reads a file that is not on disk completely. */

/**
 * The arguments of ffmpeg before the URL. The kernel's buffer is small: it would grow while ffmpeg reads fast, and then
 * hold megabytes of what ffmpeg may never read, and the source has to send them.
 */
export const relayArguments = ["-protocol_whitelist", "http,tcp", "-recv_buffer_size", "65536"];

/**
 * The URL of a partial file for an engine that is started with `throughRelay`. The relay gives it its own port. Without
 * a relay, every address leads to the server of the file.
 */
export function relayUrl(file: WorkFile): string {
  return relayAddress + file.name;
}

export function isRelayUrl(text: string): boolean {
  return text.startsWith(relayAddress);
}

/** The command with a relay to the partial file among `files`, and what it can access. */
export function throughRelay<View extends SandboxView>(
  { command, args }: SandboxedCommand,
  view: View,
  files: readonly WorkFile[],
): SandboxedCommand & View & Pick<SandboxView, "connection"> {
  const sockets = new Set(files.flatMap(({ partial }) => partial?.socket ?? []));
  const [socket] = sockets;
  if (socket === undefined) return { ...view, command, args };
  if (sockets.size > 1) throw new Error("a command reads two partial files");
  const relay = join(import.meta.dirname, "relay.pl");
  const readable = [...(view.readable ?? []), relay, socket];
  return {
    ...view,
    readable,
    usesLoopback: true,
    command,
    args,
    connection: { family: "ipv4", socket, relay: ["perl", relay, socket] },
  };
}
