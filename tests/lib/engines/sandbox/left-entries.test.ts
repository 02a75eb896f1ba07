import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { currentSandbox } from "#lib/engines/sandbox/current-sandbox.ts";
import { type EngineCommand, runEngine } from "#lib/engines/sandbox/run-engine.ts";
import { dataPath } from "#lib/env.ts";
import { temporaryWorkFolder } from "#tests/support/operation.ts";

/** What is in a work folder after an engine has ended, however it ended. */

const secret = "a file outside of the sandbox";

function outsideFile(): string {
  mkdirSync(dataPath(), { recursive: true });
  const path = dataPath("outside");
  writeFileSync(path, secret);
  return path;
}

/** Runs a shell script as an engine that may write. */
function runScript(script: string, request: Partial<EngineCommand> = {}) {
  const work = temporaryWorkFolder();
  writeFileSync(work.input("txt").path, "input");
  const command = { engine: "ffprobe", command: "sh", args: ["-c", script] } as const;
  return { work, running: runEngine({ ...command, ...work.view, ...request }) };
}

const entries: Record<string, string> = {
  "a link to a file": `ln -s ${dataPath("outside")} out/0.mp3`,
  "a link to a folder": `ln -s ${dataPath()} tmp/0`,
  "a link that leads nowhere": "ln -s /nowhere/else out/0.mp3",
  "a pipe": "mkfifo tmp/0.txt",
  "a folder": "mkdir -p out/0.mp3/a/b; ln -s / out/0.mp3/a/link; echo 1 > out/0.mp3/a/b/c",
  "a socket": `python3 -c 'import socket; socket.socket(1).bind("out/0.mp3")'`,
};

/** At the level `strict`, Landlock lets an engine create files and folders only. */
const { level } = await currentSandbox();
const canLeave = (name: string) => level !== "strict" || name === "a folder";

describe.each(Object.entries(entries))("an engine that leaves %s", (name, script) => {
  it("fails the job if it succeeded, and keeps its error if it failed", async () => {
    outsideFile();
    const succeeded = runScript(`${script}; echo ok > out/1.txt`);
    if (canLeave(name)) {
      await expect(succeeded.running).rejects.toMatchObject({ code: "engine_crashed" });
    } else {
      await succeeded.running;
    }
    expect(readdirSync(join(succeeded.work.root, "out"))).toEqual(["1.txt"]);
    expect(readdirSync(join(succeeded.work.root, "tmp"))).toEqual([]);
    const failed = runScript(`${script}; exit 3`);
    await expect(failed.running).rejects.toMatchObject({ exitCode: 3 });
    expect(readdirSync(join(failed.work.root, "out"))).toEqual([]);
    expect(readdirSync(join(failed.work.root, "tmp"))).toEqual([]);
    expect(readFileSync(dataPath("outside"), "utf8")).toBe(secret);
  });
});

it("links are removed if the engine times out, is stopped or writes too much", async () => {
  const script = "ln -s /etc/passwd out/0.mp3; while :; do echo 0123456789; done";
  const stopped = AbortSignal.timeout(200);
  const cases = [
    [{ limits: { timeoutMs: 200, outputBytes: 2 ** 40 }, onLine: () => {} }, { timedOut: true }],
    [{ signal: stopped, limits: { outputBytes: 2 ** 40 }, onLine: () => {} }, { aborted: true }],
    [{ limits: { outputBytes: 1000 } }, { outputTooLarge: true }],
  ] as const;
  for (const [request, failure] of cases) {
    const { work, running } = runScript(script, request);
    await expect(running).rejects.toMatchObject(failure);
    expect(readdirSync(join(work.root, "out"))).toEqual([]);
  }
});

it("an engine that writes a line without an end is stopped", async () => {
  const lines: string[] = [];
  const limits = { outputBytes: 2 ** 40, timeoutMs: 20_000 };
  const onLine = (line: string) => void lines.push(line);
  const { running } = runScript("echo first; yes | tr -d '\\n'", { limits, onLine });
  await expect(running).rejects.toMatchObject({ outputTooLarge: true });
  expect(lines).toEqual(["first"]);
});

it("no process is left that could replace a file after the check", async () => {
  const loop = "while :; do ln -sf /etc/passwd out/0.mp3; rm out/0.mp3; echo 1 > out/0.mp3; done";
  for (const end of ["sleep 0.05", "sleep 0.05; kill -9 $$", "sleep 100"]) {
    const script = `(${loop}) >/dev/null 2>&1 & (setsid sh -c 'sleep 100' &) >/dev/null 2>&1; ${end}`;
    const { work, running } = runScript(script, { limits: { timeoutMs: 300 } });
    await running.catch(() => undefined);
    const names = () =>
      readdirSync(join(work.root, "out"), { withFileTypes: true }).map(
        (entry) => `${entry.name} ${entry.isFile()}`,
      );
    const before = names();
    expect(before.filter((name) => name.endsWith("false"))).toEqual([]);
    await delay(30);
    expect(names()).toEqual(before);
  }
});

it("an engine cannot replace the subfolders, nor write inputs or next to them", async () => {
  if (level === "off") return;
  const attempts = [
    "mv out other && echo moved",
    "rmdir tmp && echo removed",
    "ln -s / link && echo linked",
    "echo 1 > file && echo written",
    "echo 1 > in/0.txt && echo overwritten",
    "ln in/0.txt out/hard && echo hard-linked",
    "chmod 777 in/0.txt && echo changed",
    "echo 1 > out/0.txt && echo output",
  ];
  const { running } = runScript(attempts.map((attempt) => `(${attempt})`).join("; "));
  expect((await running).stdout.toString()).toBe("output\n");
});

it("an engine that only reads cannot write into the work folder", async () => {
  if (level === "off") return;
  const work = temporaryWorkFolder();
  const args = ["-c", "echo 1 > out/0.mp3; ln -s / tmp/0.txt; mkfifo tmp/1.txt; exit 0"];
  await runEngine({ engine: "ffprobe", command: "sh", args, ...work.readOnlyView });
  expect(existsSync(join(work.root, "out", "0.mp3"))).toBe(false);
  expect(readdirSync(join(work.root, "tmp"))).toEqual([]);
});
