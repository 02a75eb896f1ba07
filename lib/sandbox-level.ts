/**
 * How engines are isolated. `full`: in bubblewrap, with namespaces of their own. `strict`: by Landlock, which needs no
 * privileges, and by more rules. Both filter their system calls. `off`: plain child processes.
 */
export type SandboxLevel = "full" | "strict" | "off";

/** What a caller reads if `subject`, such as an operation, is off because the sandbox does not work. */
export function sandboxMessage(subject: string): string {
  return `The sandbox does not work on this server, so ${subject} is off. The operator can allow it with SANDBOX=off.`;
}
