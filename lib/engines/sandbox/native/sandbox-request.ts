import { encodeValues } from "../fork-server/fork-request.ts";

/** What the sandbox server starts: a command in a sandbox that is a copy of a template. */
export interface SandboxRequest {
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
  /** The number of its descriptors that are connected to this process, from 0 on; at least 3. */
  readonly sockets: number;
  /** The filter of system calls. */
  readonly filter: Buffer;
  /** Files of control groups that it joins. */
  readonly groups: readonly string[];
  /** Limits of resources, by the numbers of setrlimit(2). */
  readonly limits: ReadonlyMap<number, number>;
  /** Its whole environment. */
  readonly variables: Readonly<Record<string, string>>;
  readonly command: string;
  readonly args: readonly string[];
}

/** The bytes of a request as `sandboxes.c` reads it. `key`: 16 bytes, with which connections begin. */
export function encodeSandboxRequest(id: number, key: Buffer, request: SandboxRequest): Buffer {
  const { template, folder, identity, writable, sockets, filter, command, args } = request;
  const limits = [...request.limits].map(([number, value]) => `${number}=${value}`);
  const variables = Object.entries(request.variables).map(([name, value]) => `${name}=${value}`);
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
    ...listOf(request.groups),
    ...listOf(limits),
    ...listOf(variables),
    command,
    ...args,
  ]);
}

function listOf(values: readonly string[]): string[] {
  return [String(values.length), ...values];
}
