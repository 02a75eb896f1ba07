import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";

/**
 * Builds the command as one file that needs no other package: `dist/mediamill.js`, or the path that the
 * first argument names.
 */
const outfile = process.argv[2] ?? join(import.meta.dirname, "dist/mediamill.js");
await build({
  entryPoints: [join(import.meta.dirname, "src/main.ts")],
  outfile,
  bundle: true,
  minify: true,
  format: "esm",
  platform: "node",
  target: "node20",
  legalComments: "none",
  // Commander is a CommonJS module.
  banner: {
    js: '#!/usr/bin/env node\nimport{createRequire}from"node:module";const require=createRequire(import.meta.url);',
  },
});
await chmod(outfile, 0o755);
