import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { cacheFonts, fontsAreCached } from "../../lib/setup/fonts.mjs";

/** Writes the cache of fonts of an image with engines. */

const seconds = Math.floor(Date.now() / 1000);
for (const root of ["/usr/share/fonts", "/usr/local/share/fonts"].filter(existsSync)) {
  const names = readdirSync(root, { recursive: true, encoding: "utf8" });
  for (const path of [root, ...names.map((name) => join(root, name))]) {
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory();
    // Caches hold the time to the nanosecond, but an image keeps seconds.
    if (isFolder) utimesSync(path, seconds, seconds);
  }
}
// The caches that Debian wrote are of another time now.
execFileSync("fc-cache");
await cacheFonts();
if (!fontsAreCached()) process.exit(1);
