import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { projectFolder } from "#lib/setup/node24.mjs";
import { StartError } from "#lib/supervisor/start/start-error.ts";
import { buildService } from "./build-service.ts";
import { runProgram } from "./run-program.ts";

/**
 * `npm run bench` and `npm run soak`: runs all `*.bench.ts` under `tests/bench` or `*.soak.ts` under `tests/soak`, each in
 * a process of its own, one after another.
 *
 * @param filters run only files whose names contain one of these words; empty: all
 */
export async function runBenchOrSoak(
  kind: "bench" | "soak",
  filters: readonly string[],
): Promise<void> {
  const folder = join("tests", kind);
  const programs = readdirSync(join(projectFolder, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(`.${kind}.ts`))
    .filter(
      (file) => filters.length === 0 || filters.some((filter) => basename(file).includes(filter)),
    )
    .sort();
  if (programs.length === 0)
    throw new StartError(`No program in ${folder} matches ${filters.join(" or ")}`);
  await buildService();
  let failed = false;
  for (const program of programs) {
    const path = join(folder, program);
    const args =
      kind === "bench" ? [join(folder, "measure/run-bench.ts"), join(projectFolder, path)] : [path];
    failed = (await runProgram(args)) !== 0 || failed;
  }
  process.exit(failed ? 1 : 0);
}
