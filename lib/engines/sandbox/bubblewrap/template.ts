import { statSync } from "node:fs";
import { readableEtc, type SandboxedCommand, type SandboxView } from "../view/sandbox-view.ts";
import { sandboxFolder, sandboxUid, systemOptions, viewOptions } from "./arguments.ts";

/**
 * Templates of sandboxes: what all sandboxes with the same view have in common. `native/sandboxes.c` makes sandboxes of
 * them, each with its own /proc, /tmp, /dev/shm and folder.
 */

/** The devices of every sandbox. There are no terminals: all sandboxes would share them. */
const devices = ["null", "zero", "full", "random", "urandom", "tty"];

const streams = [
  ["/proc/self/fd", "/dev/fd"],
  ["/proc/self/fd/0", "/dev/stdin"],
  ["/proc/self/fd/1", "/dev/stdout"],
  ["/proc/self/fd/2", "/dev/stderr"],
] as const;

/** Says that the template is complete, and keeps it until its input ends. It runs no code of a job. */
const keeper = { command: "sh", args: ["-c", "echo; read -r _"] } as const;

/** The path in a sandbox of the socket to which a relay leads. */
export const relaySocket = "/relay.sock";

/**
 * The bubblewrap command of a template for `view`. The root folder of the machine is in the place of the job's folder,
 * which replaces it in each sandbox. `info`: see `SandboxDescriptors`.
 */
export function makeTemplateCommand(view: SandboxView, info: number): SandboxedCommand {
  const args = ["--unshare-all", "--uid", sandboxUid, "--gid", sandboxUid];
  args.push("--die-with-parent", "--new-session", "--clearenv", "--info-fd", `${info}`);
  args.push("--dir", "/proc", "--dir", "/tmp", ...systemOptions(), "--tmpfs", "/dev");
  for (const name of devices) args.push("--dev-bind", `/dev/${name}`, `/dev/${name}`);
  for (const [target, path] of streams) args.push("--symlink", target, path);
  args.push("--dir", "/dev/shm", ...viewOptions(view), "--bind", "/", sandboxFolder);
  if (hasRelay(view)) args.push("--ro-bind", "/dev/null", relaySocket);
  args.push("--remount-ro", "/dev", "--remount-ro", "/");
  return { command: "bwrap", args: [...args, "--", keeper.command, ...keeper.args] };
}

/** What each sandbox has of its own. */
const ownFolders = ["/proc/", "/tmp/", "/dev/"];

/** Whether a relay starts the command, which leads to a socket that only this run has. */
export function hasRelay({ connection }: SandboxView): boolean {
  return (connection?.relay ?? []).length > 0;
}

/** What the template of `view` shows: all but the socket of a relay. */
export function viewOfTemplate<View extends SandboxView>(view: View): View {
  if (!hasRelay(view)) return view;
  return { ...view, readable: view.readable?.filter((path) => path !== view.connection?.socket) };
}

/**
 * Whether a sandbox can be a copy of a template: not if it creates user namespaces, which needs a /proc that it can
 * write, and not with a file in a folder of which each sandbox has its own.
 */
export function canHaveTemplate(view: SandboxView): boolean {
  const { createsUserNamespaces, readable = [], hidden = [] } = viewOfTemplate(view);
  if (createsUserNamespaces) return false;
  return ![...readable, ...hidden].some((path) => ownFolders.some((own) => path.startsWith(own)));
}

/**
 * The same for all views that can have the same template. A file that is replaced on the machine, as an update does,
 * makes another template: a mount shows what was there when it was made.
 */
export function templateKey(view: SandboxView): string {
  const { readable = [], hidden = [], devices: own = [] } = view;
  const system = ["/usr", ...readableEtc.map((name) => `/etc/${name}`)];
  const files = [...system, ...readable, ...hidden, ...own].map((path) => identify(path) ?? "none");
  return JSON.stringify([readable, hidden, own, files, hasRelay(view)]);
}

/** The device and the number of a file, as "DEVICE:NUMBER"; undefined if there is none. */
export function identify(path: string): string | undefined {
  const found = statSync(/* turbopackIgnore: true */ path, { throwIfNoEntry: false, bigint: true });
  return found && `${found.dev}:${found.ino}`;
}
