/** Names of the status checks. In a separate file, because pages use them without the table. */

export const checkedEngines = ["image", "ffmpeg", "chromium", "libreoffice", "pdf"] as const;
export type CheckedEngine = (typeof checkedEngines)[number];

/** How a check ended. */
export const checkResults = ["operational", "slow", "failing"] as const;
export type CheckResult = (typeof checkResults)[number];
