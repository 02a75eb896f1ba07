import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";

const root = dirname(import.meta.dirname);
const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "*.ts", "*.tsx"], {
  cwd: root,
})
  .toString()
  .split("\n")
  .filter((file) => /^(app|components|inngest|lib)\//.test(file))
  // Deleted, and git not told yet.
  .filter((file) => existsSync(join(root, file)));

/** Which layers a layer may import from, beside itself, packages and the leaf files of `lib`. */
const mayImport: Record<string, readonly string[]> = {
  app: [
    "lib/webhooks",
    "components",
    "inngest",
    "lib/api",
    "lib/auth",
    "lib/jobs",
    "lib/operations",
    "lib/quotas",
    "lib/media",
    "lib/db",
  ],
  components: [
    "lib/api",
    "lib/auth",
    "lib/jobs",
    "lib/operations",
    "lib/quotas",
    "lib/media",
    "lib/db",
  ],
  inngest: ["lib/jobs", "lib/webhooks", "lib/queue", "lib/db"],
  "lib/api": [
    "lib/webhooks",
    "lib/jobs",
    "lib/operations",
    "lib/auth",
    "lib/db",
    "lib/media",
    "lib/net",
    "lib/quotas",
    "lib/storage",
  ],
  "lib/jobs": [
    "lib/operations",
    "lib/engines",
    "lib/db",
    "lib/media",
    "lib/net",
    "lib/queue",
    "lib/quotas",
    "lib/storage",
    "lib/webhooks",
  ],
  "lib/operations": ["lib/engines", "lib/media"],
  "lib/engines": ["lib/media", "lib/net"],
  "lib/auth": ["lib/db", "lib/mail", "lib/net", "lib/webhooks", "lib/quotas"],
  "lib/webhooks": ["lib/db", "lib/net", "lib/queue"],
  "lib/queue": ["lib/db", "lib/quotas"],
  "lib/db": ["lib/quotas", "lib/media"],
  "lib/quotas": ["lib/db"],
  "lib/storage": ["lib/db", "lib/net"],
  "lib/mail": [],
  "lib/net": [],
  "lib/media": [],
};

/** Packages that one place alone may import; a trailing slash is a folder. */
const guarded: readonly [package_: RegExp, places: readonly string[]][] = [
  [/^(drizzle-orm|postgres)($|\/)/, ["lib/db/", "lib/queue/embedded.ts"]],
  [/^(node:child_process|sharp|puppeteer(-core)?|fluent-ffmpeg)$/, ["lib/engines/"]],
  [/^inngest($|\/)/, ["inngest/", "app/api/inngest/", "lib/queue/inngest.ts"]],
  [/^fluent-ffmpeg$/, ["lib/engines/ffmpeg.ts"]],
  [/^(undici|node:https?|node:net|node:tls|node:dns.*)$/, ["lib/net/", "lib/engines/"]],
  [/^pg-boss$/, ["lib/queue/embedded.ts"]],
  [/^prom-client$/, ["lib/metrics.ts", "lib/api/metrics.ts"]],
  [/^next-auth($|\/)/, ["lib/auth/"]],
  [/^nodemailer$/, ["lib/mail/"]],
];

const importPattern =
  /(?:^|\n)\s*(?:import|export)\s[^;]*?from\s+"([^"]+)"|(?:^|[^\w.])import\(\s*"([^"]+)"\s*\)|(?:^|\n)import\s+"([^"]+)"/g;

/** Names that stand for one file each, and for a test's own in processes that tests start. */
const ownNames: Readonly<Record<string, string>> = {
  "#faults": "lib/no-faults.ts",
  "#times": "lib/times.ts",
};

function importsOf(file: string): string[] {
  const source = readFileSync(join(root, file), "utf8");
  return [...source.matchAll(importPattern)].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
}

/** The project file that `specifier` names, relative to the root; undefined for a package. */
function resolve(file: string, specifier: string): string | undefined {
  const conditional = ownNames[specifier];
  if (conditional) return conditional;
  if (specifier.startsWith("#")) return specifier.slice(1);
  if (!specifier.startsWith(".")) return undefined;
  return relative(root, join(root, dirname(file), specifier));
}

/** `lib/jobs` for a file in it; `lib` for the leaf files directly under lib. */
function layerOf(file: string): string {
  const [first = "", second = "", third] = file.split("/");
  return first === "lib" ? (third === undefined ? "lib" : `${first}/${second}`) : first;
}

describe.each(files)("%s", (file) => {
  const imports = importsOf(file);
  const layer = layerOf(file);

  it("imports from layers below it alone", () => {
    const allowed = new Set([layer, "lib", "public", ...(mayImport[layer] ?? [])]);
    const wrong = imports
      .map((specifier) => resolve(file, specifier))
      .filter((target) => target !== undefined && !allowed.has(layerOf(target)));
    expect(wrong).toEqual([]);
  });

  it("leaves guarded packages and globals to their one place", () => {
    const source = readFileSync(join(root, file), "utf8");
    const wrong = imports.filter((specifier) =>
      guarded.some(
        ([pattern, places]) =>
          pattern.test(specifier) && !places.some((place) => file.startsWith(place)),
      ),
    );
    if (/process\.env\b/.test(source) && file !== "lib/env.ts") wrong.push("process.env");
    if (/(?<![\w.])fetch\(/.test(source) && !file.startsWith("components/")) wrong.push("fetch");
    expect(wrong).toEqual([]);
  });
});

it("finds the files it is about", () => {
  expect(files.length).toBeGreaterThan(50);
});
