/**
 * How engines are isolated. `full`: in bubblewrap, with a filter of their system calls. `unfiltered`: in
 * bubblewrap alone. `off`: plain child processes.
 */
export type SandboxLevel = "full" | "unfiltered" | "off";

/** What a caller reads if `subject`, such as an operation, is off because the sandbox does not work. */
export function sandboxMessage(subject: string): string {
  return `The sandbox does not work on this server, so ${subject} is off. The operator can allow it with SANDBOX=off.`;
}
