import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { findCycles } from "./support/cycles.ts";
import { type ImportRule, importRules, subfolderOrder } from "./support/layer-rules.ts";

const root = dirname(import.meta.dirname);
const allFiles = execFileSync(
  "git",
  ["ls-files", "-co", "--exclude-standard", "*.ts", "*.tsx", "*.mjs"],
  {
    cwd: root,
  },
)
  .toString()
  .split("\n")
  // Deleted from disk, but not yet from the index.
  .filter((file) => existsSync(join(root, file)));
const files = allFiles
  // Git ignores the list of operations.
  .concat("lib/operations/catalogue/generated.ts")
  .filter((file) => /^(app|components|inngest|lib)\/|^proxy\.ts$/.test(file))
  // A test in an operation's folder imports what tests import.
  .filter((file) => !file.endsWith(".test.ts"));

const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));

/** Packages that one place alone may import; a trailing slash is a folder. */
const guarded: readonly [package_: RegExp, places: readonly string[]][] = [
  [/^(drizzle-orm|postgres)($|\/)/, ["lib/db/"]],
  [/^(sharp|puppeteer(-core)?|fluent-ffmpeg)$/, ["lib/engines/"]],
  [
    /^node:child_process$/,
    ["lib/engines/sandbox/", "lib/engines/chromium/transport.ts", "lib/setup/", "lib/supervisor/"],
  ],
  [/^inngest($|\/)/, ["inngest/", "app/api/inngest/", "lib/queue/inngest.ts"]],
  [/^fluent-ffmpeg$/, ["lib/engines/ffmpeg/ffmpeg.ts"]],
  [
    /^(undici|node:https?|node:net|node:tls|node:dns.*)$/,
    [
      "lib/net/",
      "lib/engines/",
      "lib/server/",
      "lib/supervisor/",
      // Whether the port is free, before the packages are installed.
      "lib/setup/settings.mjs",
      // The root certificates that Node.js knows.
      "lib/operations/document/verify-signatures/find-trust.ts",
    ],
  ],
  [/^prom-client$/, ["lib/metrics.ts", "lib/api/"]],
  [/^@opentelemetry\//, ["lib/tracing/"]],
  [/^next-auth($|\/)/, ["lib/auth/"]],
  [/^nodemailer$/, ["lib/mail/"]],
];

const importPattern =
  /(?:^|\n)\s*(?:import|export)\s[^;]*?from\s+"([^"]+)"|(?:^|[^\w.])import\(\s*(?:\/\*[^*]*\*\/\s*)?"([^"]+)"\s*,?\s*\)|(?:^|\n)import\s+"([^"]+)"/g;

/** A program that is started by its path: `join(folder, "lib/engines/worker/program.ts")`. */
const programPattern =
  /"((?:lib|scripts|app|components|inngest)\/[\w./-]+\.(?:ts|mjs|py))"|dirname,\s*"([\w./-]+\.(?:ts|mjs|py))"/g;

/** Names that stand for one file each, and for a test's file in processes that tests start. */
const conditionalNames: Readonly<Record<string, string>> = {
  "#faults": "lib/no-faults.ts",
  "#times": "lib/times.ts",
};

function importsOf(file: string): string[] {
  const source = sources.get(file) ?? "";
  return [...source.matchAll(importPattern)].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
}

/** The project file that `specifier` names, relative to the root; undefined for a package. */
function resolve(file: string, specifier: string): string | undefined {
  const conditional = conditionalNames[specifier];
  if (conditional) return conditional;
  if (specifier.startsWith("#")) return specifier.slice(1);
  if (!specifier.startsWith(".")) return undefined;
  return normalize(join(dirname(file), specifier));
}

/** Programs that `file` starts by path, relative to the root. */
function programsOf(file: string): string[] {
  const source = sources.get(file) ?? "";
  return [...source.matchAll(programPattern)].map(
    ([, absolute, sibling]) => absolute ?? normalize(join(dirname(file), sibling ?? "")),
  );
}

/** Project files that `file` imports or starts. */
const targets = new Map(
  files.map((file) => {
    const imported = importsOf(file).map((specifier) => resolve(file, specifier));
    return [file, [...imported.filter((target) => target !== undefined), ...programsOf(file)]];
  }),
);

/**
 * The layer of a file: `lib/jobs` for a file in it; `lib` for the leaf files directly under lib.
 */
function layerOf(file: string): string {
  const [first = "", second = "", third] = file.split("/");
  if (file === "proxy.ts") return "app";
  return first === "lib" ? (third === undefined ? "lib" : `${first}/${second}`) : first;
}

/** Every import from one file to another that breaks the rule, as "file -> target". */
function violations(breaks: (file: string, target: string) => boolean): string[] {
  return [...targets].flatMap(([file, imported]) =>
    imported.filter((target) => breaks(file, target)).map((target) => `${file} -> ${target}`),
  );
}

describe("layers", () => {
  it("import only from the layers below them", () => {
    const rules: Readonly<Record<string, ImportRule>> = importRules;
    const wrong = violations((file, target) => {
      const layer = layerOf(file);
      return ![layer, "lib", "public", ...(rules[layer] ?? [])].includes(layerOf(target));
    });
    expect(wrong).toEqual([]);
  });

  it.each(Object.entries(subfolderOrder))(
    "%s: subfolders import only earlier ones",
    (layer, order) => {
      const folderOf = (file: string) => {
        const [first = "", rest] = file.slice(layer.length + 1).split("/");
        return rest === undefined ? "." : first;
      };
      const rank = (file: string) => order.indexOf(folderOf(file));
      const isInside = (file: string) => file.startsWith(`${layer}/`);
      expect(files.filter((file) => isInside(file) && rank(file) === -1)).toEqual([]);
      const wrong = violations(
        (file, target) => isInside(file) && isInside(target) && rank(target) > rank(file),
      );
      expect(wrong).toEqual([]);
    },
  );

  it("have no cycle between folders, types included", () => {
    const edges = [...targets].flatMap(([file, imported]) =>
      imported.map((target): [string, string] => [dirname(file), dirname(target)]),
    );
    expect(findCycles(edges.filter(([from, to]) => from !== to))).toEqual([]);
  });

  it("have no cycle between files, types included", () => {
    const edges = [...targets].flatMap(([file, imported]) =>
      imported.map((target): [string, string] => [file, target]),
    );
    expect(findCycles(edges)).toEqual([]);
  });

  it("have folders of a readable size", () => {
    const counts = Map.groupBy(allFiles, dirname);
    const large = [...counts].filter(([, members]) => members.length > 20);
    expect(large.map(([folder, members]) => `${folder}: ${members.length}`)).toEqual([]);
  });
});

describe("one place only", () => {
  it("imports each guarded package", () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((specifier) =>
          guarded.some(
            ([pattern, places]) =>
              pattern.test(specifier) && !places.some((place) => file.startsWith(place)),
          ),
        )
        .map((specifier) => `${file} -> ${specifier}`),
    );
    expect(wrong).toEqual([]);
  });

  it("reads the environment: lib/env.ts, what runs before it, and the supervisor that hands it on", () => {
    const wrong = files.filter(
      (file) =>
        /process\.env\b/.test(sources.get(file) ?? "") &&
        file !== "lib/env.ts" &&
        !file.startsWith("lib/setup/") &&
        !file.startsWith("lib/supervisor/"),
    );
    expect(wrong).toEqual([]);
  });

  it("fetches a URL: lib/net, and the browser's own code", () => {
    const wrong = files.filter(
      (file) =>
        /(?<![\w.])fetch\(/.test(sources.get(file) ?? "") && !file.startsWith("components/"),
    );
    expect(wrong).toEqual([]);
  });
});

/** Files that run when `entry` is imported: without types, and without what it imports later. */
function loadedBy(entry: string): ReadonlySet<string> {
  const loaded = new Set([entry]);
  for (const file of loaded) {
    const source = sources.get(file) ?? "";
    for (const [, specifier = ""] of source.matchAll(valueImport)) {
      const target = resolve(file, specifier);
      if (target !== undefined) loaded.add(target);
    }
  }
  return loaded;
}

const valueImport = /(?:^|\n)(?:import|export)\s(?!type\s)(?:[^;"]*?from\s+)?"([^"]+)"/g;

// The operations and their engines double the memory and the start of a process.
it.each([
  ["webhook runners", "lib/jobs/runner/webhook-runner.ts"],
  ["webhook runners of Inngest", "inngest/webhook-runner.ts"],
  ["the commands for operators", "lib/operator/acts/accounts.ts"],
])("%s load no operation", (_name, entry) => {
  const catalogue = "lib/operations/catalogue/index.ts";
  expect(loadedBy(entry)).not.toContain(catalogue);
  expect(loadedBy("lib/jobs/runner/media-runner.ts")).toContain(catalogue);
});

it("undici is loaded with the first request, not with the modules that send one", () => {
  const loads = (file: string) =>
    [...(sources.get(file) ?? "").matchAll(valueImport)].some(([, name]) => name === "undici");
  expect(files.filter(loads)).toEqual([]);
});

describe("files in folders of engines", () => {
  /** Functions of node:fs that follow links, wait for pipes or write over what exists. */
  const unsafe =
    /^(?:(?:append|copy|read|write)File|open|stat)(?:Sync)?$|^create(?:Read|Write)Stream$|^openAsBlob$/;

  /** Files that need them, and why. */
  const exceptions: Readonly<Record<string, string>> = {
    "lib/engines/sandbox/": "the kernel's files",
    "lib/engines/chromium/blocking/cookie-banners.ts": "a script of a package",
    "lib/operations/shared/image/faces/weights.ts": "files of a package",
    "lib/operations/image/read-codes/read-codes.ts": "a file of a package",
    "lib/operations/document/verify-signatures/read-roots.ts": "a file of the operator",
    "lib/engines/partial/partial-file.ts": "creates a file outside of the work folder",
    "lib/formats/pdf/objects/file.ts": "runs in a worker's sandbox and seeks often",
    "lib/formats/pdf/objects/writer.ts": "runs in a worker's sandbox and writes small pieces",
  };

  const isExempt = (file: string) => Object.keys(exceptions).some((path) => file.startsWith(path));

  const importsUnsafe = (source: string) =>
    [...source.matchAll(/import (?!type )([^;]*?) from "node:fs(?:\/promises)?"/g)].some(
      ([, names = ""]) =>
        !names.startsWith("{") || names.split(/[{},\s]+/).some((name) => unsafe.test(name)),
    );

  it("are opened by lib/files/regular-files.ts", () => {
    const layers = ["lib/engines/", "lib/operations/", "lib/jobs/run/", "lib/formats/"];
    const wrong = files.filter(
      (file) =>
        layers.some((layer) => file.startsWith(layer)) &&
        !isExempt(file) &&
        (importsUnsafe(sources.get(file) ?? "") ||
          /\bzip\.addFile\(/.test(sources.get(file) ?? "")),
    );
    expect(wrong).toEqual([]);
    const paths = Object.keys(exceptions);
    expect(paths.filter((path) => !files.some((file) => file.startsWith(path)))).toEqual([]);
  });

  it("the rule finds every form of import", () => {
    expect(importsUnsafe('import { stat } from "node:fs/promises";')).toBe(true);
    expect(importsUnsafe('import {\n  rm,\n  open,\n} from "node:fs/promises";')).toBe(true);
    expect(importsUnsafe('import fs from "node:fs";')).toBe(true);
    expect(importsUnsafe('import * as fs from "node:fs";')).toBe(true);
    expect(importsUnsafe('import { rename, type FileHandle } from "node:fs/promises";')).toBe(
      false,
    );
  });
});

it("finds the files it is about", () => {
  expect(files.length).toBeGreaterThan(400);
  expect([...targets.values()].flat().length).toBeGreaterThan(1500);
  expect(programsOf("lib/engines/worker/process.ts")).toEqual(["lib/engines/worker/program.ts"]);
});
