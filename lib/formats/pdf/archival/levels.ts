/** The levels of PDF/A (ISO 19005-1, -2 and -3) that files are converted to. */
export const archivalLevels = ["1b", "2b", "3b"] as const;

export type ArchivalLevel = (typeof archivalLevels)[number];
