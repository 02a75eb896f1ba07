/** How a process in a sandbox is restricted, for the programs that read it by `native/requests.h`. */
export interface Restrictions {
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
}

/** The lists of groups, limits and variables in a request. */
export function listsOf({ groups, limits, variables }: Restrictions): string[] {
  const bounds = [...limits].map(([number, value]) => `${number}=${value}`);
  const settings = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  return [...listOf(groups), ...listOf(bounds), ...listOf(settings)];
}

/** A list in a request: after the number of its values. */
export function listOf(values: readonly string[]): string[] {
  return [String(values.length), ...values];
}
