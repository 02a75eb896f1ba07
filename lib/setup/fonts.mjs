import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
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
const systemCache = "/var/cache/fontconfig";
const stampFile = join(folder, "written-for");

const drawText = `require("sharp")({ text: { text: "a" } }).raw().toBuffer()`;

/** Whether there is nothing to do. Fonts that are installed later only lack a cache. */
export function fontsAreCached() {
  if (process.platform !== "linux" || !existsSync("/etc/fonts/fonts.conf")) return true;
  return existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp();
}

/** Needs the packages. If it fails, the service runs without the cache. */
export async function cacheFonts() {
  const config = join(folder, "fonts.conf");
  try {
    mkdirSync(folder, { recursive: true });
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
      env: { ...process.env, FONTCONFIG_FILE: config },
    });
    writeFileSync(stampFile, stamp());
  } catch (error) {
    printLine(`text is drawn slower: ${/** @type {Error} */ (error).message}`);
  }
}

/** Each version of sharp may bring another fontconfig. */
function stamp() {
  return JSON.parse(readFileSync(join(projectFolder, "node_modules/sharp/package.json"), "utf8"))
    .version;
}
