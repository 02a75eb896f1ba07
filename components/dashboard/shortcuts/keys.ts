/** The pages that `g` and a letter open. */
export const pageKeys = {
  o: { label: "Overview", href: "/dashboard" },
  j: { label: "Jobs", href: "/dashboard/jobs" },
  u: { label: "Usage", href: "/dashboard/usage" },
  p: { label: "Playground", href: "/dashboard/playground" },
  r: { label: "Requests", href: "/dashboard/requests" },
  k: { label: "API keys", href: "/dashboard/keys" },
  c: { label: "Connections", href: "/dashboard/connections" },
  i: { label: "Images by URL", href: "/dashboard/images" },
  w: { label: "Webhooks", href: "/dashboard/webhooks" },
  s: { label: "Settings", href: "/dashboard/settings" },
  d: { label: "Docs", href: "/docs" },
} as const;

export function isPageKey(key: string): key is keyof typeof pageKeys {
  return Object.hasOwn(pageKeys, key);
}

/** What the other keys do, for the list of shortcuts. */
export const keyHelp = [
  { keys: ["Ctrl", "K"], label: "Actions and search" },
  { keys: ["/"], label: "Search this list" },
  { keys: ["j"], label: "Next row" },
  { keys: ["k"], label: "Previous row" },
  { keys: ["Enter"], label: "Open the row" },
  { keys: ["x"], label: "Select the row" },
  { keys: ["r"], label: "Retry the job or the selected jobs" },
  { keys: ["?"], label: "Show this list" },
] as const;
