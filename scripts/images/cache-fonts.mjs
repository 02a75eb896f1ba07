import { execFileSync } from "node:child_process";
import { utimesSync } from "node:fs";
import { cacheFonts, fontsAreCached, listFontFolders } from "../../lib/setup/fonts.mjs";

/** Writes the cache of fonts of an image with engines. */

const seconds = Math.floor(Date.now() / 1000);
// Caches hold the time to the nanosecond, but an image keeps seconds.
for (const { path } of listFontFolders()) utimesSync(path, seconds, seconds);
// The caches that Debian wrote are of another time now.
execFileSync("fc-cache");
await cacheFonts();
if (!fontsAreCached()) process.exit(1);
