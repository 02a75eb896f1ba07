import { CodeBlock } from "./code-block.tsx";
import { CodeTabs } from "./code-tabs.tsx";
import type { Snippets } from "./snippets.ts";

const languages = [
  { key: "curl", label: "curl", language: "bash" },
  { key: "typescript", label: "TypeScript", language: "typescript" },
  { key: "python", label: "Python", language: "python" },
] as const;

/** A request as code in three languages, highlighted on the server. */
export function SnippetTabs({ snippets }: { snippets: Snippets }) {
  const blocks = languages.map(({ key, label, language }) => ({
    label,
    code: <CodeBlock code={snippets[key]} language={language} />,
  }));
  return <CodeTabs blocks={blocks} />;
}
