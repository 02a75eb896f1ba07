import { relative } from "node:path";
import { z } from "zod";

/**
 * What each suite of `npm test` may cost, in seconds of one test worker: a twentieth more than in a quiet run. Five workers
 * run at a time on two cores, one of them in the browser. A second of a worker is longer than one of work, because the
 * workers wait for cores.
 */
export const suiteBudgets = [
  { suite: "operations", folders: ["lib/operations"], seconds: 1020 },
  { suite: "bad inputs", folders: ["tests/operations"], seconds: 545 },
  {
    suite: "engines",
    folders: ["tests/lib/engines", "tests/lib/formats", "tests/lib/operations"],
    seconds: 250,
  },
  {
    suite: "database",
    folders: ["tests/lib/auth", "tests/lib/jobs", "tests/lib/storage", "tests/lib/webhooks"],
    seconds: 455,
  },
  { suite: "inngest", folders: ["tests/inngest"], seconds: 150 },
  { suite: "api", folders: ["tests/api"], seconds: 2090 },
  { suite: "faults", folders: ["tests/faults"], seconds: 80 },
  { suite: "browser", folders: ["tests/e2e"], seconds: 930 },
  { suite: "unit", folders: [""], seconds: 370 },
] as const satisfies readonly SuiteBudget[];

/** The first suite that holds a file's folder has the file. */
interface SuiteBudget {
  readonly suite: string;
  readonly folders: readonly string[];
  readonly seconds: number;
}

/** How long a worker was busy with one file: with its modules, its set-up and its tests. */
export interface FileCost {
  /** The path relative to the project folder. */
  readonly file: string;
  readonly tests: number;
  readonly seconds: number;
}

export interface SuiteCost {
  readonly suite: string;
  readonly files: number;
  readonly tests: number;
  readonly seconds: number;
  readonly budgetSeconds: number;
}

const fileCosts = z.array(
  z.object({ file: z.string(), tests: z.number(), seconds: z.number() }),
) satisfies z.ZodType<FileCost[]>;

/** Reads the costs from the report of `file-costs-reporter.ts`; `root` is the project folder. */
export function costsOfVitest(report: unknown, root: string): FileCost[] {
  return fileCosts.parse(report).map((one) => ({ ...one, file: relative(root, one.file) }));
}

const playwrightSuite = z.object({
  file: z.string(),
  get suites() {
    return z.array(playwrightSuite).optional();
  },
  specs: z
    .array(
      z.object({
        tests: z.array(z.object({ results: z.array(z.object({ duration: z.number() })) })),
      }),
    )
    .optional(),
});

type PlaywrightSuite = z.output<typeof playwrightSuite>;

/** Reads the costs from Playwright's JSON report, whose files are relative to `folder`. */
export function costsOfPlaywright(report: unknown, folder: string): FileCost[] {
  const { suites } = z.object({ suites: z.array(playwrightSuite) }).parse(report);
  return suites.map((suite) => {
    const durations = durationsOf(suite);
    const total = durations.reduce((sum, duration) => sum + duration, 0);
    return { file: `${folder}/${suite.file}`, tests: durations.length, seconds: total / 1000 };
  });
}

function durationsOf({ specs = [], suites = [] }: PlaywrightSuite): number[] {
  const own = specs.flatMap(({ tests }) =>
    tests.flatMap(({ results }) => results.map(({ duration }) => duration)),
  );
  return [...own, ...suites.flatMap(durationsOf)];
}

/** The files' costs summed by suite; suites without a file are left out. */
export function costsBySuite(files: readonly FileCost[]): SuiteCost[] {
  return suiteBudgets.flatMap((budget) => {
    const members = files.filter(({ file }) => suiteOf(file) === budget.suite);
    if (members.length === 0) return [];
    const sum = (value: (file: FileCost) => number) =>
      members.reduce((total, file) => total + value(file), 0);
    return {
      suite: budget.suite,
      files: members.length,
      tests: sum(({ tests }) => tests),
      seconds: sum(({ seconds }) => seconds),
      budgetSeconds: budget.seconds,
    };
  });
}

/** The suite that has a test file; `file` is relative to the project folder. */
export function suiteOf(file: string): string | undefined {
  return suiteBudgets.find(({ folders }) =>
    folders.some((folder) => folder === "" || file.startsWith(`${folder}/`)),
  )?.suite;
}

/** A table of the costs, one line a suite, those over their budget marked. */
export function renderCosts(costs: readonly SuiteCost[]): string {
  const rows = costs.map(({ suite, files, tests, seconds, budgetSeconds }) =>
    [
      suite.padEnd(12),
      String(files).padStart(5),
      String(tests).padStart(6),
      seconds.toFixed(0).padStart(8),
      String(budgetSeconds).padStart(7),
      seconds > budgetSeconds ? "  over budget" : "",
    ].join(" "),
  );
  const heading = `${"suite".padEnd(12)} files  tests  seconds  budget`;
  return [heading, ...rows].join("\n");
}

/** How many files `renderSlowest` lists. */
const slowestFiles = 10;

/** The slowest files, one line a file. */
export function renderSlowest(files: readonly FileCost[]): string {
  const lines = files
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, slowestFiles)
    .map(({ file, seconds }) => `${seconds.toFixed(0).padStart(6)} s  ${file}`);
  return ["The slowest files:", ...lines].join("\n");
}
