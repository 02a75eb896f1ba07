import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort, until } from "#tests/service/stack.ts";

/** Runs the receivers of the webhooks guide without changes. */
const root = join(import.meta.dirname, "../..");
const secret = `whsec_${Buffer.from("a secret of twenty-four!").toString("base64")}`;
const body = JSON.stringify({ type: "job.completed", data: { name: "日本" } });

const receivers = [
  { language: "typescript", file: "receiver.ts", run: (file: string) => [process.execPath, file] },
  { language: "python", file: "receiver.py", run: (file: string) => ["python3", file] },
  ...(hasGo()
    ? [{ language: "go", file: "receiver.go", run: (file: string) => ["go", "run", file] }]
    : []),
];

function hasGo(): boolean {
  try {
    execFileSync("go", ["version"], { stdio: "ignore" });
    return true;
  } catch {
    return false; // The test setup does not install Go.
  }
}

describe.each(receivers)("the guide's receiver in $language", ({ language, file, run }) => {
  let folder = "";
  let url = "";
  let receiver: ChildProcess;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "mediamill-receiver-"));
    const guide = await readFile(join(root, "docs/guide/webhooks.md"), "utf8");
    const code = new RegExp(`\`\`\`${language} \\|[^\\n]*\\n([^]*?)\`\`\``).exec(guide)?.[1] ?? "";
    await writeFile(join(folder, file), code);
    await symlink(join(root, "node_modules"), join(folder, "node_modules"));
    await writeFile(join(folder, "package.json"), '{ "type": "module" }');
    const port = await freePort();
    url = `http://127.0.0.1:${port}/`;
    const [command = "", ...args] = run(join(folder, file));
    const env = { ...process.env, MEDIAMILL_WEBHOOK_SECRET: secret, PORT: String(port) };
    receiver = spawn(command, args, { cwd: folder, env, stdio: "ignore", detached: true });
    await until(async () => (await send({})) !== undefined, 60_000);
  });

  afterAll(async () => {
    if (receiver.pid && receiver.exitCode === null) {
      process.kill(-receiver.pid, "SIGKILL");
      await once(receiver, "exit");
    }
    await rm(folder, { recursive: true, force: true });
  });

  /** The receiver's status; undefined until it listens. */
  async function send(headers: Record<string, string>, text = body): Promise<number | undefined> {
    try {
      const response = await fetch(url, { method: "POST", headers, body: text });
      return response.status;
    } catch {
      return undefined;
    }
  }

  function sign(key: string, at = new Date()): Record<string, string> {
    return {
      "webhook-id": "whd_1",
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      "webhook-signature": new Webhook(key).sign("whd_1", at, body),
    };
  }

  test("accepts a webhook that is signed with its secret", async () => {
    expect(await send(sign(secret))).toBe(204);
  });

  test("accepts a webhook with two signatures, as after a rotation", async () => {
    const other = sign(`whsec_${Buffer.from("the secret before this!!").toString("base64")}`);
    const current = sign(secret);
    const both = `${other["webhook-signature"]} ${current["webhook-signature"]}`;
    expect(await send({ ...current, "webhook-signature": both })).toBe(204);
  });

  test.each([
    [
      "another secret",
      () => sign(`whsec_${Buffer.from("not the secret at all!!!").toString("base64")}`),
      body,
    ],
    ["an altered body", () => sign(secret), body.replace("completed", "failed")],
    ["an old timestamp", () => sign(secret, new Date(Date.now() - 3_600_000)), body],
  ])("rejects %s", async (_, headers, text) => {
    expect(await send(headers(), text)).toBe(400);
  });
});
