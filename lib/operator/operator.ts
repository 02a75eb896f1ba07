import { userInfo } from "node:os";

/** Who acts: a signed-in operator, or someone who runs the admin command. */
export interface Operator {
  /** The email address, or `command line (root)` with the name of the system's user. */
  readonly name: string;
  /** The operator's account; null for the admin command. */
  readonly accountId: string | null;
  /** The IP address; null if it is not known. */
  readonly address: string | null;
}

/** An act that is not possible; `message` says why, for the operator. */
export class OperatorError extends Error {
  override readonly name = "OperatorError";
}

/** Anyone who can run a command on the machine is an operator. */
export function commandLineOperator(): Operator {
  return { name: `command line (${systemUser()})`, accountId: null, address: null };
}

function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under an id without a name.
    return String(process.getuid?.() ?? "unknown");
  }
}
