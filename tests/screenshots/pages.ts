import { readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { Page } from "@playwright/test";

const appFolder = join(import.meta.dirname, "../../app");

/**
 * The patterns of all pages, as `/dashboard/jobs/[id]`: read from the folders of the app, so that no
 * page is forgotten.
 */
export function pagePatterns(): string[] {
  return readdirSync(appFolder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name === "page.tsx")
    .map((entry) => relative(appFolder, entry.parentPath).split(sep))
    .map((segments) => segments.filter((segment) => !segment.startsWith("(")))
    .map((segments) => `/${segments.join("/")}`.replace(/\/$/, "") || "/")
    .sort();
}

/** Who looks at a page: nobody in particular, or one of the accounts that `accounts.ts` makes. */
export type Viewer = "nobody" | "busy" | "fresh" | "spare" | "first";

/** One picture of a page, or of a state of it. */
export interface Visit {
  /** Begins the name of the picture's file. */
  readonly name: string;
  /** With a slash at its beginning. */
  readonly path: string;
  readonly viewer: Viewer;
  /** What is done once the page is there, such as opening a dialog; nothing where it cannot be done. */
  readonly act?: (page: Page) => Promise<unknown>;
  /** Whether it is a page that failed: then its scripts throw. */
  readonly fails?: boolean;
  /** The window alone, for what lies over the page. */
  readonly windowOnly?: boolean;
}

/** What stands in an address for the placeholders of its pattern, and by what name. */
export type Samples = Readonly<Record<string, readonly Partial<Visit>[]>>;

/**
 * The visits that show every page: of `samples` where the pattern is one of them, else of the pattern
 * itself. Throws where a pattern with placeholders has no samples.
 */
export function planVisits(patterns: readonly string[], samples: Samples): Visit[] {
  return patterns.flatMap((pattern) => {
    const given = samples[pattern] ?? [{}];
    return given.map(
      ({ path = pattern, name = nameOf(path), viewer = viewerOf(pattern), ...rest }) => {
        if (path.includes("[")) throw new Error(`no sample says what ${pattern} may be`);
        return { name, path, viewer, ...rest };
      },
    );
  });
}

function viewerOf(pattern: string): Viewer {
  return pattern.startsWith("/dashboard") ? "busy" : "nobody";
}

function nameOf(path: string): string {
  return path.split(/[?#]/, 1)[0]?.slice(1).replaceAll("/", "-") || "home";
}
