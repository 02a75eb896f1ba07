import { suiteBudgets, suiteOf } from "./suite-costs.ts";

/**
 * Which tests to run for changed files, in addition to those that import a changed file. Imports do not
 * show what a test starts by its path, calls over HTTP or reads as a file.
 */
interface ChangeRule {
  /** A folder with a trailing slash, or a file, relative to the project folder. */
  readonly changed: string;
  /** Files or folders of tests. */
  readonly tests: readonly string[];
}

const api = "tests/api";
const browser = "tests/e2e";
const database = ["tests/lib/auth", "tests/lib/jobs", "tests/lib/storage", "tests/lib/webhooks"];
const engines = ["tests/lib/engines", "lib/operations", "tests/operations"];
const faults = "tests/faults";
const supervisor = "tests/lib/supervisor";

/** Every rule whose folder contains a changed file applies. */
export const changeRules: readonly ChangeRule[] = [
  { changed: "app/", tests: [api, browser] },
  { changed: "components/", tests: [browser] },
  { changed: "deploy/", tests: ["tests/deploy.test.ts", "tests/api/settings/metrics.test.ts"] },
  { changed: "docs/", tests: ["tests/components", "tests/lib/limits", browser] },
  { changed: "drizzle/", tests: [...database, "tests/inngest", api, faults] },
  { changed: "inngest/", tests: ["tests/inngest", "tests/api/settings/inngest.test.ts"] },
  { changed: "public/", tests: [browser] },
  {
    changed: "packages/",
    tests: ["tests/api/packages.test.ts", "tests/api/clients/installed-packages.test.ts"],
  },
  {
    changed: "scripts/commands/clients/",
    tests: ["tests/api/packages.test.ts", "tests/api/clients/installed-packages.test.ts"],
  },
  { changed: "scripts/", tests: ["tests/scripts", supervisor] },
  { changed: "scripts/runner.ts", tests: [api, faults] },
  { changed: "scripts/web.ts", tests: [api, faults] },
  { changed: "lib/api/", tests: [api] },
  { changed: "lib/auth/", tests: [api, "tests/e2e/sign-in.spec.ts"] },
  { changed: "lib/db/", tests: [api, faults] },
  { changed: "lib/engines/", tests: engines },
  {
    changed: "lib/formats/",
    tests: ["tests/lib/formats", "tests/lib/operations", "lib/operations", "tests/operations"],
  },
  { changed: "lib/gotenberg/", tests: ["tests/api/gotenberg.test.ts"] },
  { changed: "lib/hosts/", tests: ["tests/lib/hosts", "tests/api/settings/hosts.test.ts"] },
  { changed: "lib/connections/", tests: ["tests/lib/connections", "tests/lib/jobs/connections"] },
  { changed: "lib/images/", tests: ["tests/lib/images", "tests/api/images.test.ts"] },
  { changed: "lib/calls/", tests: ["tests/api/images.test.ts"] },
  { changed: "lib/jobs/", tests: [api, faults] },
  { changed: "lib/limits/", tests: ["tests/operations", api] },
  { changed: "lib/mail/", tests: ["tests/api/accounts/sign-in-settings.test.ts"] },
  { changed: "lib/media/", tests: engines },
  { changed: "lib/files/", tests: ["tests/lib/files", "tests/lib/engines/sandbox", api] },
  {
    changed: "lib/net/",
    tests: ["tests/api/bad-requests/bad-urls.test.ts", "tests/api/jobs/webhooks.test.ts"],
  },
  {
    changed: "lib/operations/",
    tests: [
      "tests/api/catalogue.test.ts",
      "tests/api/openapi.test.ts",
      "tests/api/operations.test.ts",
    ],
  },
  {
    changed: "lib/operations/shared/",
    tests: ["tests/lib/operations", "lib/operations", "tests/operations"],
  },
  { changed: "lib/operator/", tests: ["tests/lib/auth/operator", "tests/e2e/operator.spec.ts"] },
  { changed: "lib/queue/", tests: [api, faults] },
  { changed: "lib/quotas/", tests: ["tests/api/quotas.test.ts", "tests/api/limits.test.ts"] },
  { changed: "lib/server/", tests: [api] },
  { changed: "lib/setup/", tests: ["tests/lib/setup", "tests/scripts", supervisor] },
  { changed: "lib/storage/", tests: [api, faults] },
  { changed: "lib/supervisor/", tests: [supervisor, "tests/scripts", faults] },
  {
    changed: "lib/tracing/",
    tests: [
      "tests/lib/tracing",
      "tests/api/settings/tracing.test.ts",
      "tests/inngest/tracing.test.ts",
    ],
  },
  {
    changed: "lib/typos/",
    tests: ["tests/lib/typos", "tests/components/search", "tests/api/bad-requests/errors.test.ts"],
  },
  { changed: "lib/webhooks/", tests: ["tests/api/jobs/webhooks.test.ts", faults] },
  { changed: "tests/e2e/support/", tests: [browser] },
  { changed: "tests/service/", tests: [supervisor, "tests/lib/jobs"] },
  { changed: "tests/support/chromium.ts", tests: [browser] },
  { changed: "Dockerfile", tests: ["tests/containers.test.ts", "tests/supply-chain.test.ts"] },
  { changed: "README.md", tests: ["tests/scripts/admin.test.ts"] },
  { changed: "compose.yaml", tests: ["tests/containers.test.ts", "tests/supply-chain.test.ts"] },
  { changed: "next.config.ts", tests: [api, browser] },
  { changed: "package-lock.json", tests: [browser] },
  { changed: "playwright.config.ts", tests: [browser] },
  { changed: "proxy.ts", tests: [api, browser] },
  { changed: "vercel.json", tests: ["tests/containers.test.ts"] },
];

/** Modules directly in `lib` are used everywhere. */
const sharedModule = /^lib\/[^/]+\.ts$/;

/** These tests read the text of all files. */
const textTests = ["tests/layers.test.ts", "tests/vocabulary.test.ts"];

export interface SelectedTests {
  /** A file or folder of tests. */
  readonly tests: string;
  /** The changed files that select it, or the reason. */
  readonly because: readonly string[];
}

/** The tests that the rules select for these changed files, sorted by path. */
export function selectByRules(changedFiles: readonly string[]): SelectedTests[] {
  const reasons = new Map<string, string[]>();
  const add = (tests: string, file: string) => {
    reasons.set(tests, [...(reasons.get(tests) ?? []), file]);
  };
  for (const file of changedFiles) {
    if (file.endsWith(".spec.ts")) add(file, file);
    if (isTest(file)) continue;
    for (const tests of new Set(testsFor(file))) add(tests, file);
  }
  if (changedFiles.length > 0) for (const tests of textTests) reasons.set(tests, ["any change"]);
  return [...reasons]
    .map(([tests, because]) => ({ tests, because }))
    .sort((a, b) => a.tests.localeCompare(b.tests));
}

function testsFor(file: string): string[] {
  if (sharedModule.test(file)) return [api];
  return changeRules.flatMap(({ changed, tests }) =>
    file === changed || (changed.endsWith("/") && file.startsWith(changed)) ? tests : [],
  );
}

/** A changed test selects itself: Vitest finds it among the changed files. */
function isTest(file: string): boolean {
  return /\.(test|spec)\.tsx?$/.test(file);
}

/** Returns the tests without files and folders that another selected folder contains. */
export function removeNested(tests: readonly string[]): string[] {
  const distinct = [...new Set(tests)];
  return distinct.filter(
    (path) => !distinct.some((other) => other !== path && path.startsWith(`${other}/`)),
  );
}

/**
 * What a selection leaves out, one line a suite of the test files `all`; undefined if it leaves out nothing.
 * `selected`: files and folders.
 */
export function describeLeftOut(
  all: readonly string[],
  selected: readonly string[],
): string | undefined {
  const isSelected = (file: string) =>
    selected.some((path) => file === path || file.startsWith(`${path}/`));
  const lines = suiteBudgets.flatMap(({ suite }) => {
    const files = all.filter((file) => suiteOf(file) === suite);
    const left = files.filter((file) => !isSelected(file));
    return left.length > 0 ? [`  ${suite}: ${left.length} of ${files.length} test files`] : [];
  });
  if (lines.length === 0) return undefined;
  return ["Left out, because no rule and no import leads to them:", ...lines].join("\n");
}
