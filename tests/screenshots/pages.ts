import { readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { Page } from "@playwright/test";

const appFolder = join(import.meta.dirname, "../../app");

/**
 * The path patterns of all pages, such as `/dashboard/jobs/[id]`. They are read from the folders of the app,
 * so the list is always complete.
 */
export function listPagePatterns(): string[] {
  return readdirSync(appFolder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name === "page.tsx")
    .map((entry) => relative(appFolder, entry.parentPath).split(sep))
    .map((segments) => segments.filter((segment) => !segment.startsWith("(")))
    .map((segments) => `/${segments.join("/")}`.replace(/\/$/, "") || "/")
    .sort();
}

/** Who opens a page: a visitor who is not signed in, or one of the accounts that `accounts.ts` creates. */
export type Viewer = "visitor" | "busy" | "fresh" | "spare" | "first" | "operator";

/** One screenshot of a page or of one of its states. */
export interface Visit {
  /** Prefix of the screenshot's file name. */
  readonly name: string;
  /** Starts with a slash. */
  readonly path: string;
  readonly viewer: Viewer;
  /** Runs after the page has loaded, for example to open a dialog; does nothing if the page has no such state. */
  readonly act?: (page: Page) => Promise<unknown>;
  /** The page shows an error; its scripts are expected to throw. */
  readonly fails?: boolean;
  /** Whether only the visible window is taken, for dialogs that cover the page. */
  readonly windowOnly?: boolean;
}

/** Visits by page pattern. Fields that are missing have defaults. */
export type Samples = Readonly<Record<string, readonly Partial<Visit>[]>>;

/**
 * The visits that show every page: those of `samples` if it has the pattern, else the pattern itself.
 * Throws if a pattern with placeholders has no samples.
 */
export function planVisits(patterns: readonly string[], samples: Samples): Visit[] {
  return patterns.flatMap((pattern) => {
    const given = samples[pattern] ?? [{}];
    return given.map(
      ({ path = pattern, name = defaultName(path), viewer = defaultViewer(pattern), ...rest }) => {
        if (path.includes("[")) throw new Error(`no sample for the placeholders of ${pattern}`);
        return { name, path, viewer, ...rest };
      },
    );
  });
}

function defaultViewer(pattern: string): Viewer {
  if (pattern.startsWith("/dashboard/operator")) return "operator";
  return pattern.startsWith("/dashboard") ? "busy" : "visitor";
}

function defaultName(path: string): string {
  return path.split(/[?#]/, 1)[0]?.slice(1).replaceAll("/", "-") || "home";
}
