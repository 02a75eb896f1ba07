import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifySnippets } from "#components/webhooks/verify-snippets.ts";
import { freePort, until } from "#tests/service/stack.ts";

/** Runs the receivers of the webhooks guide without changes, and the code of the dashboard with its secret. */
const root = join(import.meta.dirname, "../..");
const secret = `whsec_${Buffer.from("a secret of twenty-four!").toString("base64")}`;
const body = JSON.stringify({ type: "job.completed", data: { name: "日本" } });

/** How a language's code is run, by the name that it has in the guide. */
const runners: Record<"typescript" | "python" | "go", Runner> = {
  typescript: { file: "receiver.ts", run: [process.execPath, "receiver.ts"] },
  python: { file: "receiver.py", run: ["python3", "receiver.py"] },
  go: {
    file: "receiver.go",
    // The first build on a machine compiles Go's own packages, which can take a minute.
    build: ["go", "build", "-o", "receiver", "receiver.go"],
    run: ["./receiver"],
  },
};

interface Runner {
  readonly file: string;
  readonly build?: readonly string[];
  readonly run: readonly string[];
}

type Language = keyof typeof runners;

const guide = await readFile(join(root, "docs/guide/webhooks.md"), "utf8");
const guideCode = (language: Language) =>
  new RegExp(`\`\`\`${language} \\|[^\\n]*\\n([^]*?)\`\`\``).exec(guide)?.[1] ?? "";
const snippets = verifySnippets(secret);
const dashboardCode = (language: Language | "bash") =>
  snippets.find((snippet) => snippet.language === language)?.code ?? "";

interface Receiver {
  readonly name: string;
  readonly language: Language;
  readonly code: string;
  /** The code reads it from the environment; null if the code has it. */
  readonly variable: string | null;
}

const fromGuide = (language: Language): Receiver => ({
  name: `the guide's receiver in ${language}`,
  language,
  code: guideCode(language),
  variable: secret,
});
const fromDashboard = (language: Language): Receiver => ({
  name: `the dashboard's receiver in ${language}`,
  language,
  code: dashboardCode(language),
  variable: null,
});

// The test setup does not install Go.
const receivers: readonly Receiver[] = [
  fromGuide("typescript"),
  fromGuide("python"),
  fromDashboard("typescript"),
  fromDashboard("python"),
  ...(hasGo() ? [fromGuide("go")] : []),
];

function hasGo(): boolean {
  try {
    execFileSync("go", ["version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

function sign(key: string, at = new Date()): Record<string, string> {
  return {
    "webhook-id": "whd_1",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(key).sign("whd_1", at, body),
  };
}

describe.each(receivers)("$name", ({ language, code, variable }) => {
  const { file, build, run } = runners[language];
  let folder = "";
  let url = "";
  let receiver: ChildProcess;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "mediamill-receiver-"));
    await writeFile(join(folder, file), code);
    await symlink(join(root, "node_modules"), join(folder, "node_modules"));
    await writeFile(join(folder, "package.json"), '{ "type": "module" }');
    const port = await freePort();
    url = `http://127.0.0.1:${port}/`;
    if (build) {
      const [compiler = "", ...options] = build;
      await promisify(execFile)(compiler, options, { cwd: folder });
    }
    const [command = "", ...args] = run;
    const { MEDIAMILL_WEBHOOK_SECRET: _own, ...others } = process.env;
    const given = variable === null ? {} : { MEDIAMILL_WEBHOOK_SECRET: variable };
    const env = { ...others, ...given, PORT: String(port) };
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

test("the dashboard's shell code accepts only what is signed with its secret", async () => {
  const folder = await mkdtemp(join(tmpdir(), "mediamill-verify-"));
  const script = join(folder, "verify.sh");
  const stored = join(folder, "body.json");
  await writeFile(script, dashboardCode("bash"));
  const verify = async (headers: Record<string, string>, text: string) => {
    await writeFile(stored, text);
    const names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
    const args = names.map((name) => headers[name] ?? "");
    return spawnSync("sh", [script, stored, ...args], { encoding: "utf8" }).stdout.trim();
  };
  const hour = 3_600_000;
  expect([
    await verify(sign(secret), body),
    await verify(sign(secret), `${body}\n`),
    await verify(sign(`whsec_${Buffer.from("another secret, as long!").toString("base64")}`), body),
    await verify(sign(secret, new Date(Date.now() - hour)), body),
  ]).toEqual(["verified", "no signature matches", "no signature matches", "too old"]);
  await rm(folder, { recursive: true });
});
