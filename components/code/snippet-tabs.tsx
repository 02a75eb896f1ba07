import { CodeBlock } from "./code-block.tsx";
import { CodeTabs } from "./code-tabs.tsx";
import { type Snippets, snippetLanguages } from "./snippet-languages.ts";

interface SnippetTabsProps {
  readonly snippets: Snippets;
  /** Whether all visitors see the same code: it is highlighted once. */
  readonly isPublic?: boolean;
}

/** A request as code for each client, highlighted on the server. */
export function SnippetTabs({ snippets, isPublic = false }: SnippetTabsProps) {
  const blocks = snippetLanguages.flatMap(({ key, label, language }) => {
    const code = snippets[key];
    if (code === undefined) return [];
    return { label, code: <CodeBlock code={code} language={language} isPublic={isPublic} /> };
  });
  return <CodeTabs blocks={blocks} />;
}
