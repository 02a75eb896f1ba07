/** What the fork server starts. */
export interface ForkRequest {
  readonly command: string;
  readonly args: readonly string[];
  /** Its working folder; absolute. */
  readonly folder: string;
  /** Its whole environment. */
  readonly variables: Readonly<Record<string, string>>;
  /** The number of its descriptors that are connected to this process, from 0 on; at least 3. */
  readonly sockets: number;
  /** What it reads from the descriptor after them; at most 64 KiB. */
  readonly filter?: Buffer | undefined;
  /** Files of control groups that it joins before it executes the command. */
  readonly groups?: readonly string[];
}

/** The bytes of a request as `fork-server.pl` reads it. `key`: 16 bytes, with which connections begin. */
export function encodeRequest(id: number, key: Buffer, request: ForkRequest): Buffer {
  const { command, args, folder, variables, sockets, filter, groups = [] } = request;
  const settings = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  const values = [
    String(id),
    key,
    folder,
    String(sockets),
    filter ?? "",
    String(groups.length),
    ...groups,
    String(settings.length),
    ...settings,
    command,
    ...args,
  ];
  return encodeValues(values);
}

/** A list of values, each after its length, after the length of the list. */
export function encodeValues(values: readonly (string | Buffer)[]): Buffer {
  return withLength(Buffer.concat(values.map((value) => withLength(Buffer.from(value)))));
}

function withLength(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
