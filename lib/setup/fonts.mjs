import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runQuietly } from "./command.mjs";
import { isModern, node24, projectFolder } from "./node24.mjs";
import { printLine } from "./progress.mjs";

/**
 * Writes a cache of the system's fonts where sandboxes can read it. Without it, each process of an engine that draws
 * text reads all font files first, in half a second. sharp has a fontconfig of its own, whose caches Debian does not
 * write. Caches of folders whose fonts have changed are ignored.
 */

const folder = join(projectFolder, "node_modules/.cache/mediamill/fonts");
const roots = ["/usr/share/fonts", "/usr/local/share/fonts"];
const systemCache = "/var/cache/fontconfig";

/** It is there while the cache is complete: engines look for it, too. */
const stampFile = join(folder, "written-for");

const drawText = `require("sharp")({ text: { text: "a" } }).raw().toBuffer()`;

/** Whether there is nothing to do. */
export function fontsAreCached() {
  if (process.platform !== "linux" || !existsSync("/etc/fonts/fonts.conf")) return true;
  try {
    return readFileSync(stampFile, "utf8") === stamp();
  } catch {
    return false;
  }
}

/**
 * Needs the packages. If it fails, the service runs without the cache. Files are replaced in the same folder, because
 * sandboxes of a running service see it.
 */
export async function cacheFonts() {
  const config = join(folder, "fonts.conf");
  const home = mkdtempSync(join(tmpdir(), "mediamill-fonts-"));
  try {
    const written = stamp();
    mkdirSync(folder, { recursive: true });
    rmSync(stampFile, { force: true });
    if (existsSync(systemCache)) cpSync(systemCache, folder, { recursive: true });
    // The first folder that can be written to gets what is missing.
    const lines = [
      '<?xml version="1.0"?>',
      '<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">',
      `<fontconfig><cachedir>${folder}</cachedir><include>/etc/fonts/fonts.conf</include></fontconfig>`,
    ];
    writeFileSync(config, `${lines.join("\n")}\n`);
    await runQuietly(isModern() ? process.execPath : node24, ["-e", drawText], {
      cwd: projectFolder,
      // No engine has to know the fonts of a person.
      env: { PATH: process.env.PATH, HOME: home, FONTCONFIG_FILE: config },
    });
    writeFileSync(stampFile, written);
  } catch (error) {
    // The packages of an image belong to another user.
    const { code = "", message } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === "EACCES" || code === "EROFS") return;
    printLine(`text is drawn slower: ${message.split("\n", 1)[0]}`);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Each version of sharp may bring another fontconfig, and a cache is of its folder at one time. */
function stamp() {
  const sharp = readFileSync(join(projectFolder, "node_modules/sharp/package.json"), "utf8");
  const times = listFontFolders().map(({ changedAt }) => changedAt);
  return `${JSON.parse(sharp).version} ${Math.max(0, ...times)}`;
}

/** The folders of the system's fonts, with the times of their last change in milliseconds. */
export function listFontFolders() {
  return roots.filter(existsSync).flatMap((root) =>
    ["", ...listNames(root)].flatMap((name) => {
      const path = join(root, name);
      const entry = statIfPossible(path);
      return entry?.isDirectory() ? [{ path, changedAt: entry.mtimeMs }] : [];
    }),
  );
}

/** @param {string} root */
function listNames(root) {
  try {
    return readdirSync(root, { recursive: true }).map(String);
  } catch {
    return []; // it has a folder that this user may not read
  }
}

/** @param {string} path */
function statIfPossible(path) {
  try {
    return statSync(path);
  } catch {
    return undefined; // a link to nothing, or to itself
  }
}
