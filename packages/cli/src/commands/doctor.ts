import { stat } from "node:fs/promises";
import { loadCatalogue } from "../catalogue/catalogue.ts";
import { describeFailure } from "../errors.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import type { Session } from "../session.ts";
import { createClient } from "../settings/client.ts";
import { userFilePath } from "../settings/files.ts";
import type { Settings } from "../settings/settings.ts";
import { printLine, style } from "../terminal/print.ts";
import type { AccountData } from "./account.ts";

/** Signatures of webhooks are valid for five minutes. */
const maxClockSkewMs = 60_000;

interface Check {
  readonly name: string;
  /** Resolves with what is in order. Throws what is not. */
  readonly run: (settings: Settings) => Promise<string>;
}

const checks: readonly Check[] = [
  { name: "Settings", run: checkSettings },
  { name: "Service", run: checkService },
  { name: "Operations", run: checkOperations },
  { name: "API key", run: checkKey },
];

/**
 * Runs `mediamill doctor`, which prints one line a check. Resolves with the exit code of the first
 * that fails.
 */
export async function runDoctor(session: Session): Promise<ExitCode> {
  printLine(`${mark(true)} Node ${process.versions.node} on ${process.platform}`);
  const settings = await session.settings();
  let code: ExitCode = exitCodes.ok;
  for (const { name, run } of checks) {
    try {
      printLine(`${mark(true)} ${name}: ${await run(settings)}`);
    } catch (error) {
      const { message, exitCode } = describeFailure(error);
      printLine(`${mark(false)} ${name}: ${message}`);
      if (code === exitCodes.ok) code = exitCode;
    }
  }
  return code;
}

function mark(isGood: boolean): string {
  return isGood ? style("green", "✓", process.stdout) : style("red", "✗", process.stdout);
}

async function checkSettings({ profile, projectPath }: Settings): Promise<string> {
  const path = userFilePath();
  const found = await stat(path).catch(() => undefined);
  if (found && process.platform !== "win32" && (found.mode & 0o077) !== 0) {
    throw new Error(`Others can read ${path}, which has your key. Run \`chmod 600 ${path}\`.`);
  }
  const project = projectPath ? `, and ${projectPath}` : "";
  return `profile ${profile}${found ? ` of ${path}` : ""}${project}`;
}

async function checkService({ baseUrl, baseUrlSource }: Settings): Promise<string> {
  const startedAt = Date.now();
  const response = await fetch(`${baseUrl}/healthz`, { signal: AbortSignal.timeout(10_000) }).catch(
    (error: Error) => {
      const reason = error.cause instanceof Error ? error.cause.message : error.message;
      throw new Error(
        `${baseUrl} (from the ${baseUrlSource}) could not be reached: ${reason || "no connection"}.`,
      );
    },
  );
  await response.body?.cancel();
  if (!response.ok) throw new Error(`${baseUrl}/healthz responded with ${response.status}.`);
  const skew = Date.now() - Date.parse(response.headers.get("date") ?? "");
  if (Math.abs(skew) > maxClockSkewMs) {
    throw new Error(`Your clock differs by ${Math.round(skew / 1000)} s. Set it right.`);
  }
  return `${baseUrl} responds in ${Date.now() - startedAt} ms`;
}

async function checkOperations({ baseUrl }: Settings): Promise<string> {
  const operations = await loadCatalogue(baseUrl, { isNewest: true });
  return `${operations.length}`;
}

async function checkKey(settings: Settings): Promise<string> {
  const response = await createClient(settings).request("/v1/account");
  const { email, plan, api_key } = (await response.json()) as AccountData;
  const end = api_key.expires_at ? `, until ${api_key.expires_at.slice(0, 10)}` : "";
  return `${api_key.name} of ${email} (plan ${plan})${end}`;
}
