/** Designs of documents that are made from Markdown; each is a style sheet in the folder `themes`. */
export const themeNames = ["github", "plain", "serif", "modern", "academic"] as const;

export type ThemeName = (typeof themeNames)[number];
