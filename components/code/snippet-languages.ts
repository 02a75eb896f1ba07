/** How each kind of snippet is called and highlighted, in the order of the tabs. */
export const snippetLanguages = [
  { key: "curl", label: "curl", language: "bash" },
  { key: "typescript", label: "TypeScript", language: "typescript" },
  { key: "python", label: "Python", language: "python" },
  { key: "cli", label: "CLI", language: "bash" },
] as const;

export type SnippetKey = (typeof snippetLanguages)[number]["key"];

/** The code of an example by language. */
export type Snippets = Readonly<Record<SnippetKey, string>>;
