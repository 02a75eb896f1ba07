import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";

/**
 * exiftool for tests, outside of any sandbox: the tests write and check metadata with it. One process
 * serves all test files of a worker, because each start of Perl uses as much time as thirty requests.
 */

/** When this process ends, `cat` does too, and exiftool gets its last command. */
const program =
  "(cat; printf '%s\\n' -stay_open False) | exiftool -stay_open True -@ - 2>/dev/null";

type Exiftool = ChildProcessByStdio<Writable, Readable, null>;

let started: Exiftool | undefined;
let last: Promise<unknown> = Promise.resolve();
let requests = 0;

function start(): Exiftool {
  const child = spawn("sh", ["-c", program], { stdio: ["pipe", "pipe", "ignore"] });
  child.stdout.setEncoding("utf8");
  child.on("exit", () => {
    started = undefined;
  });
  return child;
}

/** It must not keep the process alive between requests. */
function keepAlive(child: Exiftool, isNeeded: boolean): void {
  const stdout = child.stdout as Readable & { ref(): void; unref(): void }; // it is a pipe
  for (const handle of [child, stdout]) isNeeded ? handle.ref() : handle.unref();
}

/**
 * Runs exiftool and resolves with what it prints. Rejects if it could not read or write a file. No
 * argument may contain a line break.
 */
export function exiftool(...args: readonly string[]): Promise<string> {
  const output = last.then(() => request(args));
  last = output.catch(() => {});
  return output;
}

function request(args: readonly string[]): Promise<string> {
  started ??= start();
  const child = started;
  const number = ++requests;
  const status = new RegExp(`\\{status${number} (\\d+)\\}\n`);
  const ready = `{ready${number}}\n`;
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let printed = "";
  const onData = (text: string) => {
    printed += text;
    if (!printed.endsWith(ready)) return;
    const found = status.exec(printed);
    if (found?.[1] === "0") resolve(printed.slice(0, found.index));
    else reject(new Error(`exiftool ${args.join(" ")} failed: ${printed}`));
  };
  const onExit = () => reject(new Error("exiftool has ended"));
  child.stdout.on("data", onData);
  child.once("exit", onExit);
  keepAlive(child, true);
  const echo = ["-echo3", `{status${number} \${status}}`, `-execute${number}`];
  child.stdin.write(`${[...args, ...echo].join("\n")}\n`);
  return promise.finally(() => {
    child.stdout.off("data", onData);
    child.off("exit", onExit);
    keepAlive(child, false);
  });
}
