import type { SearchTarget } from "#components/docs/search/search-target.ts";
import { dashboardPages, operatorPage } from "./pages.ts";

type Row = readonly [title: string, href: string, text: string, words?: string];

function targetsOf(
  kind: "action" | "page",
  section: string,
  rows: readonly Row[],
): readonly SearchTarget[] {
  return rows.map(([title, href, text, words = ""]) => ({
    kind,
    section,
    title,
    href,
    text,
    words,
    names: [title.replace(/^Show /, "")],
  }));
}

/** Words that people use for pages. */
const wordsOfPages: Readonly<Record<string, string>> = {
  "/dashboard": "home start dashboard",
  "/dashboard/jobs": "history list results runs",
  "/dashboard/usage": "statistics stats quota bill billing data charts",
  "/dashboard/playground": "try test run form",
  "/dashboard/requests": "calls errors api",
  "/dashboard/keys": "token secret credentials",
  "/dashboard/connections": "bucket storage s3 gcs azure sftp webdav nextcloud minio export input",
  "/dashboard/images": "imgproxy thumbor pictures cache purge signature",
  "/dashboard/webhooks": "deliveries events signing secret callback receiver",
  "/dashboard/settings": "account profile password plan limits sessions email preferences",
};

const namesOfPages: Readonly<Record<string, readonly string[]>> = {
  "/dashboard": ["Dashboard"],
  "/dashboard/requests": ["Request log", "Logs"],
  "/dashboard/settings": ["Account", "Profile"],
};

const pages = dashboardPages.map(
  ({ href, label, about }): SearchTarget => ({
    kind: "page",
    section: "Dashboard",
    title: label,
    href,
    text: about,
    words: wordsOfPages[href] ?? "",
    names: namesOfPages[href] ?? [],
  }),
);

/** Lists that are often needed, and forms. */
const actions = targetsOf("action", "Action", [
  ["Show failed jobs", "/dashboard/jobs?status=failed", "Jobs that ended with an error.", "errors"],
  [
    "Show running jobs",
    "/dashboard/jobs?status=processing",
    "Jobs that a runner works on.",
    "processing active current",
  ],
  [
    "Show rejected requests",
    "/dashboard/requests?status=4xx",
    "API requests with an error.",
    "failed wrong invalid 400",
  ],
  ["Run an operation", "/dashboard/playground", "On your own file or on a sample.", "new job"],
  [
    "Create an API key",
    "/dashboard/keys?create",
    "For development or production.",
    "new add generate token",
  ],
  [
    "Change the password",
    "/dashboard/settings",
    "In the settings of your account.",
    "new credentials",
  ],
]);

/** The pages of operators. */
const operatorPages = targetsOf("page", "Operator", [
  ["Accounts", operatorPage.href, "Plans, roles, suspended accounts.", "users tenants customers"],
  ["Queue", "/dashboard/operator/queue", "Jobs that wait and run, and the oldest of them."],
  ["Runners", "/dashboard/operator/runners", "Engines with their versions, and the sandbox."],
  ["Operations", "/dashboard/operator/operations", "Slow and failing operations."],
  [
    "Storage and settings",
    "/dashboard/operator/storage",
    "Bytes, retention, what is in force.",
    "environment variables configuration",
  ],
  [
    "Audit log",
    "/dashboard/operator/acts",
    "What operators have changed, and when.",
    "record acts history",
  ],
]);

/** What some actions do. */
export interface ActionHandlers {
  readonly setTheme: (name: string) => void;
  readonly openLastFailed: () => Promise<void>;
}

const themes = [
  ["dark", "Dark colors.", "night mode black appearance color scheme"],
  ["light", "Light colors.", "day mode white appearance color scheme"],
  ["system", "The colors that your device is set to.", "mode auto appearance color scheme"],
] as const;

/** The pages and actions of the dashboard that the search finds. */
export function dashboardTargets(
  isOperator: boolean,
  { setTheme, openLastFailed }: ActionHandlers,
): readonly SearchTarget[] {
  const lastFailed: SearchTarget = {
    kind: "action",
    title: "Open the last failed job",
    section: "Action",
    text: "The newest job that ended with an error.",
    words: "latest newest recent error wrong",
    run: openLastFailed,
  };
  const themeActions = themes.map(
    ([name, text, words]): SearchTarget => ({
      kind: "action",
      title: `Use the ${name} theme`,
      section: "Action",
      text,
      words,
      names: [name],
      run: () => setTheme(name),
    }),
  );
  return [...pages, ...actions, lastFailed, ...themeActions, ...(isOperator ? operatorPages : [])];
}
