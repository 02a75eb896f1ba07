import { encodeValues } from "../fork-server/fork-request.ts";
import { listsOf, type Restrictions } from "../fork-server/restrictions.ts";

/** What a zygote starts: a copy of itself, in a sandbox that exists already. */
export interface CopyRequest extends Restrictions {
  /** The id of a process in the sandbox. */
  readonly sandbox: number;
  /** The working folder in the sandbox. */
  readonly folder: string;
  /** The arguments of the program, with its name as the first. */
  readonly args: readonly string[];
}

/** The bytes of a request as `zygote.c` reads it. `key`: 16 bytes, with which connections begin. */
export function encodeCopyRequest(id: number, key: Buffer, request: CopyRequest): Buffer {
  const { sandbox, folder, sockets, filter, args } = request;
  return encodeValues([
    String(id),
    key,
    String(sandbox),
    folder,
    String(sockets),
    filter,
    ...listsOf(request),
    ...args,
  ]);
}
