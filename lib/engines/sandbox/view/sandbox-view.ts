import type { ConnectingFamily } from "#lib/formats/seccomp/strict-rules.ts";

/** What a sandboxed process runs and can access, at every level of the sandbox. */

export interface SandboxedCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** The UNIX socket outside of the sandbox to which all connections of a process lead. */
export interface Connection {
  /** The family of the sockets with which the process connects. */
  readonly family: ConnectingFamily;
  /** The absolute path of the socket. */
  readonly socket: string;
  /**
   * The program that starts the command and relays its connections, with its arguments. The level `strict`
   * needs none, because its launcher connects the sockets of the process.
   */
  readonly relay: readonly string[];
}

/** Arguments that begin with it get the address of the relay, if there is one. */
export const relayAddress = "http://127.0.0.1:9/";

/** What a sandboxed process can access in addition to `/usr`. */
export interface SandboxView {
  /**
   * The absolute path of the work folder. It is the working directory; at the level `full`, it is
   * `/job` in the sandbox.
   */
  readonly folder: string;
  /**
   * Existing subfolders of `folder` that are writable, while the rest of it is read-only. Each is a
   * mount, so that a process cannot replace it. If absent, all of `folder` is writable.
   */
  readonly writable?: readonly string[];
  /** Absolute paths that are readable in the sandbox under the same name. */
  readonly readable?: readonly string[];
  /** Absolute paths of folders for temporary files, where the sandbox has no /tmp of its own. */
  readonly scratch?: readonly string[];
  /** Absolute paths of files of the system that are empty or missing in the sandbox. */
  readonly hidden?: readonly string[];
  /** Absolute paths of devices that it may use, as far as they exist. */
  readonly devices?: readonly string[];
  /** Environment variables in addition to `PATH`, `HOME` and `LANG`. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Whether it creates user namespaces itself, as Chromium's built-in sandbox does. */
  readonly createsUserNamespaces?: boolean;
  /** Whether its processes connect to each other over the loopback interface of the sandbox. */
  readonly usesLoopback?: boolean;
  readonly connection?: Connection;
}

/** Entries of /etc that engines need: fonts, the linker cache, alternatives and settings. */
export const readableEtc = [
  "fonts",
  "alternatives",
  "ld.so.cache",
  "libreoffice",
  "localtime",
  "ssl/openssl.cnf",
];
