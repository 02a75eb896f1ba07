import { fileURLToPath } from "node:url";
import { setUp } from "../lib/setup/index.mjs";
import { continueOnNode24, isModern, keepCompiledCode } from "../lib/setup/node24.mjs";

/**
 * Starts the service for `npm start` and, with `--dev`, for `npm run dev`. Runs on Node.js 20 until
 * the packages are installed.
 */

const dev = process.argv.includes("--dev");
const settings = "lib/supervisor/start/check-settings.ts";
await setUp({ engines: true, settings, ...(dev ? {} : { webApp: "scripts/build.ts" }) });
if (isModern()) {
  keepCompiledCode();
  await import("../lib/setup/fast-modules.mjs");
  const { start } = await import("../lib/supervisor/supervisor.ts");
  await start({
    dev,
    programs: {
      web: "scripts/web.ts",
      runner: "scripts/runner.ts",
      packages: "scripts/build-packages.ts",
    },
  });
} else {
  continueOnNode24(fileURLToPath(import.meta.url));
}
