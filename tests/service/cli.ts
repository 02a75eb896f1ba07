import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

const packageFolder = join(import.meta.dirname, "../../packages/cli");

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command `mediamill`, built, with an empty home and a work folder. */
export class Cli {
  readonly folder = mkdtempSync(join(tmpdir(), "mediamill-cli-"));
  readonly program = join(this.folder, "bin/mediamill");
  readonly environment: NodeJS.ProcessEnv & Record<string, string>;

  constructor(variables: Readonly<Record<string, string>>) {
    execFileSync(process.execPath, [join(packageFolder, "build.mjs"), this.program]);
    this.environment = {
      NODE_ENV: "production",
      PATH: `${join(this.folder, "bin")}:${join(process.execPath, "..")}:/usr/bin:/bin`,
      HOME: this.folder,
      XDG_CONFIG_HOME: join(this.folder, "config"),
      XDG_CACHE_HOME: join(this.folder, "cache"),
      XDG_STATE_HOME: join(this.folder, "state"),
      BROWSER: "none",
      ...variables,
    };
  }

  start(args: readonly string[], variables: Readonly<Record<string, string>> = {}): ChildProcess {
    return spawn(process.execPath, [this.program, ...args], {
      cwd: this.folder,
      env: { ...this.environment, ...variables },
    });
  }

  async run(
    args: readonly string[],
    {
      input = "",
      variables = {},
    }: { input?: string | Uint8Array; variables?: Record<string, string> } = {},
  ): Promise<CliResult> {
    const child = this.start(args, variables);
    const { stdin, stdout, stderr } = child;
    if (!stdin || !stdout || !stderr) throw new Error("no pipes");
    stdin.on("error", () => {});
    stdin.end(input);
    const exit = new Promise<number | null>((resolve) => child.once("close", resolve));
    const [out, err] = await Promise.all([text(stdout), text(stderr)]);
    return { code: await exit, stdout: out, stderr: err };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

export function linesOf(output: string): string[] {
  return output.split("\n").filter(Boolean);
}
