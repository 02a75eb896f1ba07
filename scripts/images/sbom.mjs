import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Prints what an image contains: the npm packages in `/app/node_modules` and the packages of Debian, as
 * CycloneDX 1.6. `npm sbom` fails here, because an image has only some of the packages of the lock file.
 */

const folder = process.argv[2] ?? "node_modules";
const { name, version } = readJson("package.json");

/** @type {Map<string, object>} */
const components = new Map();
for (const component of [...npmComponents(folder), ...debianComponents()]) {
  components.set(component.purl, component);
}
const document = {
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  version: 1,
  metadata: { component: { type: "application", name, version } },
  components: [...components.values()],
};
process.stdout.write(`${JSON.stringify(document)}\n`);

/** @param {string} path */
function readJson(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}

/**
 * @param {string} modules
 * @returns {{ type: string, name: string, version: string, purl: string, licenses?: object[] }[]}
 */
function npmComponents(modules) {
  return packageFolders(modules).flatMap((path) => {
    const { name, version, license } = readManifest(path);
    const inner = readdirSync(path).includes("node_modules")
      ? npmComponents(join(path, "node_modules"))
      : [];
    if (!name || !version) return inner;
    const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
    const licenses = typeof license === "string" ? { licenses: [{ expression: license }] } : {};
    return [{ type: "library", name, version, purl, ...licenses }, ...inner];
  });
}

/** @param {string} path */
function readManifest(path) {
  return readdirSync(path).includes("package.json") ? readJson(join(path, "package.json")) : {};
}

/**
 * @param {string} modules
 * @returns {string[]}
 */
function packageFolders(modules) {
  return readdirSync(modules, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .flatMap(({ name }) =>
      name.startsWith("@")
        ? readdirSync(join(modules, name)).map((scoped) => join(modules, name, scoped))
        : join(modules, name),
    );
}

function debianComponents() {
  const fields = ["Package", "Version", "Architecture"].map((name) => `\${${name}}`);
  const format = `${fields.join(" ")}\\n`;
  const { stdout } = spawnSync("dpkg-query", ["--show", `--showformat=${format}`], {
    encoding: "utf8",
  });
  const lines = (stdout ?? "").trim().split("\n").filter(Boolean);
  return lines.map((line) => {
    const [name = "", version = "", architecture = ""] = line.split(" ");
    const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}`;
    return { type: "library", name, version, purl };
  });
}
