import { encodeValues } from "../fork-server/fork-request.ts";
import { listOf, listsOf, type Restrictions } from "../fork-server/restrictions.ts";

/** What the sandbox server starts: a command in a sandbox that is a copy of a template. */
export interface SandboxRequest extends Restrictions {
  readonly template: { readonly name: string /** A process in it. */; readonly pid: number };
  /** The working folder on the machine; absolute. */
  readonly folder: string;
  /** Which folder that is, as "DEVICE:NUMBER": another one is not taken. */
  readonly identity: string;
  /** The path of the socket that is `relaySocket` in the sandbox. */
  readonly relay: string | undefined;
  /** Subfolders that are writable, while the rest is not; undefined if all of it is writable. */
  readonly writable: readonly string[] | undefined;
  readonly usesLoopback: boolean;
  readonly command: string;
  readonly args: readonly string[];
}

/** The bytes of a request as `sandboxes.c` reads it. `key`: 16 bytes, with which connections begin. */
export function encodeSandboxRequest(id: number, key: Buffer, request: SandboxRequest): Buffer {
  const { template, folder, identity, writable, sockets, filter, command, args } = request;
  return encodeValues([
    String(id),
    key,
    template.name,
    String(template.pid),
    folder,
    identity,
    request.relay ?? "",
    String(sockets),
    filter,
    request.usesLoopback ? "up" : "down",
    writable ? "read-only" : "writable",
    ...listOf(writable ?? []),
    ...listsOf(request),
    command,
    ...args,
  ]);
}
