import { encodeValues } from "../fork-server/fork-request.ts";

/** What a zygote starts: a copy of itself, in a sandbox that exists already. */
export interface CopyRequest {
  /** The id of a process in the sandbox. */
  readonly sandbox: number;
  /** The working folder in the sandbox. */
  readonly folder: string;
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
  /** The arguments of the program, with its name as the first. */
  readonly args: readonly string[];
}

/** The bytes of a request as `zygote.c` reads it. `key`: 16 bytes, with which connections begin. */
export function encodeCopyRequest(id: number, key: Buffer, request: CopyRequest): Buffer {
  const { sandbox, folder, sockets, filter, groups, limits, variables, args } = request;
  const bounds = [...limits].map(([number, value]) => `${number}=${value}`);
  const settings = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  return encodeValues([
    String(id),
    key,
    String(sandbox),
    folder,
    String(sockets),
    filter,
    ...listOf(groups),
    ...listOf(bounds),
    ...listOf(settings),
    ...args,
  ]);
}

function listOf(values: readonly string[]): string[] {
  return [String(values.length), ...values];
}
