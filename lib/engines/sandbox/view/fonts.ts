import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";

/** Where fontconfig looks for caches by default. */
export const defaultFontCache = "/var/cache/fontconfig";

/** The cache of the system's fonts, if the set-up has written all of it; see lib/setup/fonts.mjs. */
function findOwnFontCache(): string | undefined {
  const path = "../../../../node_modules/.cache/mediamill/fonts";
  const folder = join(/* turbopackIgnore: true */ import.meta.dirname, path);
  return existsSync(join(/* turbopackIgnore: true */ folder, "written-for")) ? folder : undefined;
}

/** The folder of caches that an engine may read, without links in its path; undefined if there is none. */
export function findFontCache(): string | undefined {
  try {
    return realpathSync(findOwnFontCache() ?? defaultFontCache);
  } catch {
    return undefined;
  }
}

/** The variables with which fontconfig finds the caches where no other path leads to them. */
export function fontVariables(): Readonly<Record<string, string>> {
  const folder = findOwnFontCache();
  return folder === undefined ? {} : { FONTCONFIG_FILE: join(folder, "fonts.conf") };
}
