import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";

/** Builds the command as one file, `dist/mediamill.js`, that needs no other package. */
const outfile = join(import.meta.dirname, "dist/mediamill.js");
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
