import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { imageName, run } from "#scripts/images/build-image.ts";

/**
 * Runs images without a container runtime: in mount and process namespaces of their own, as the user of the image,
 * without capabilities and without new privileges. The network is that of the machine.
 */

interface ImageConfig {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[] | null;
  readonly WorkingDir: string;
  readonly Labels: Readonly<Record<string, string>>;
  readonly Healthcheck?: { readonly Test: readonly string[] };
}

export interface ContainerOptions {
  /** A folder of this machine that the user of the image may write: `/data` in the container. */
  readonly volume: string;
  readonly variables: Readonly<Record<string, string>>;
  /** What runs in place of the entry point and the command of the image. */
  readonly words?: readonly string[];
  /** What runs in place of the command of the image. */
  readonly command?: readonly string[];
  /** Whether the root file system is read-only, as in a pod of the chart. */
  readonly readOnly?: boolean;
}

export interface Container {
  readonly output: () => string;
  readonly hasEnded: () => boolean;
  /** Sends SIGTERM to the first process, waits for its end, and returns its exit code. */
  stop(): Promise<number | null>;
}

/** The arguments after it: the root, the volume, `ro` or `rw`, the user, the group, and `env -i` with its own. */
const enter = `
set -e
root=$1 volume=$2 mode=$3 user=$4 group=$5
shift 5
touch "$root/etc/hosts"
mount --rbind /dev "$root/dev"
mount --rbind /sys "$root/sys"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount --bind /etc/hosts "$root/etc/hosts"
mount --bind "$volume" "$root/data"
mount -o "remount,bind,$mode" "$root"
cd "$root"
pivot_root . .
umount -l .
exec setpriv --reuid="$user" --regid="$group" --clear-groups --no-new-privs \\
  --bounding-set=-all --inh-caps=-all --ambient-caps=-all "$@"
`;

/** The files of an image, mounted until `close`. */
export class OpenImage {
  readonly config: ImageConfig;
  readonly #container: string;
  readonly #root: string;

  constructor(target: string) {
    const name = imageName(target);
    this.config = JSON.parse(run("buildah", ["inspect", "--type", "image", name])).Docker.config;
    this.#container = run("buildah", ["from", "--pull-never", name]);
    this.#root = run("buildah", ["mount", this.#container]);
  }

  /** The text of a file of the image. */
  read(path: string): string {
    return readFileSync(join(this.#root, path), "utf8");
  }

  /** Starts its command; `logFile` gets what it prints. */
  start(logFile: string, options: ContainerOptions): Container {
    const log = openSync(logFile, "a");
    const child = spawn("unshare", this.#arguments(options), { stdio: ["ignore", log, log] });
    closeSync(log);
    return {
      output: () => (existsSync(logFile) ? readFileSync(logFile, "utf8") : ""),
      hasEnded: () => hasEnded(child),
      async stop() {
        if (!hasEnded(child)) {
          const exit = once(child, "exit");
          process.kill(firstProcessIn(child), "SIGTERM");
          await exit;
        }
        return child.exitCode;
      },
    };
  }

  /** Runs a command to its end, and returns what it printed. Throws if it fails. */
  run(options: ContainerOptions): string {
    return run("unshare", this.#arguments(options));
  }

  close(): void {
    run("buildah", ["rm", this.#container]);
  }

  #arguments({ volume, variables, words, command, readOnly = true }: ContainerOptions): string[] {
    const { User, Env, Entrypoint, Cmd, WorkingDir } = this.config;
    const [user = "", group = ""] = User.split(":");
    const all = words ?? [...Entrypoint, ...(command ?? Cmd ?? [])];
    const settings = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
    return [
      "--mount",
      "--pid",
      "--ipc",
      "--uts",
      "--fork",
      "--kill-child",
      "sh",
      "-c",
      enter,
      "sh",
      this.#root,
      volume,
      readOnly ? "ro" : "rw",
      user,
      group,
      "env",
      "--ignore-environment",
      `--chdir=${WorkingDir}`,
      ...Env,
      ...settings,
      ...all,
    ];
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** The first process of the namespace, which `unshare` has started. */
function firstProcessIn({ pid = 0 }: ChildProcess): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8"));
}
