import { spawnSync } from "node:child_process";
import { z } from "zod";
import { projectFolder } from "#lib/setup/node24.mjs";
import { StartError } from "#lib/supervisor/start/start-error.ts";

/** What `npm audit --json` prints: the report, or why there is none. */
const reportSchema = z.union([
  z.object({ metadata: z.object({ vulnerabilities: z.record(z.string(), z.number()) }) }),
  z.object({ message: z.string() }),
]);

export interface Audit {
  /** One line for the terminal. */
  readonly text: string;
  /** Whether a package that runs in production has a high or critical vulnerability. */
  readonly failed: boolean;
}

/** Reads what `npm audit --json` has printed. Not every registry, and none offline, has advisories. */
export function readAudit(printed: string): Audit {
  const report = parseReport(printed);
  if (!report || "message" in report) {
    const reason = report?.message.split("\n")[0] ?? "npm printed no report";
    return {
      text: `audit: not checked, because the registry gave no advisories: ${reason}`,
      failed: false,
    };
  }
  const { high = 0, critical = 0, total = 0 } = report.metadata.vulnerabilities;
  const text = `audit: ${total} vulnerabilities in production packages, ${high} high, ${critical} critical`;
  return { text, failed: high + critical > 0 };
}

/** Lists known vulnerabilities of the packages that run in production, for `npm run audit`. */
export async function auditPackages(): Promise<void> {
  const args = ["audit", "--json", "--omit=dev"];
  const { stdout } = spawnSync("npm", args, { cwd: projectFolder, encoding: "utf8" });
  const { text, failed } = readAudit(stdout ?? "");
  if (failed) throw new StartError(`${text}; npm audit shows them`);
  process.stdout.write(`${text}\n`);
}

function parseReport(printed: string): z.output<typeof reportSchema> | undefined {
  try {
    return reportSchema.safeParse(JSON.parse(printed)).data;
  } catch {
    return undefined; // npm failed before it wrote JSON
  }
}
