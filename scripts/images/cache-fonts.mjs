import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { cacheFonts } from "../../lib/setup/fonts.mjs";

/** Writes the cache of fonts of an image with engines. */

const seconds = Math.floor(Date.now() / 1000);
for (const folder of ["/usr/share/fonts", "/usr/local/share/fonts"].filter(existsSync)) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory());
  for (const path of [folder, ...folders.map(({ parentPath, name }) => join(parentPath, name))]) {
    // Caches hold the time to the nanosecond, but an image keeps seconds.
    utimesSync(path, seconds, seconds);
  }
}
// The caches that Debian wrote are of another time now.
execFileSync("fc-cache");
await cacheFonts();
