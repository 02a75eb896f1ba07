import { existsSync } from "node:fs";
import { join } from "node:path";

/** Where fontconfig looks for caches by default. */
export const defaultFontCache = "/var/cache/fontconfig";

/** The cache of the system's fonts that the set-up writes; see lib/setup/fonts.mjs. */
function ownFontCache(): string {
  const path = "../../../../node_modules/.cache/mediamill/fonts";
  return join(/* turbopackIgnore: true */ import.meta.dirname, path);
}

/** The folder of caches that an engine may read; undefined if there is none. */
export function findFontCache(): string | undefined {
  return [ownFontCache(), defaultFontCache].find((path) =>
    existsSync(/* turbopackIgnore: true */ path),
  );
}

/** The variables with which fontconfig finds the caches where no other path leads to them. */
export function fontVariables(): Readonly<Record<string, string>> {
  const config = join(ownFontCache(), "fonts.conf");
  return existsSync(/* turbopackIgnore: true */ config) ? { FONTCONFIG_FILE: config } : {};
}
