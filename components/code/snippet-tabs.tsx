import { CodeBlock } from "./code-block.tsx";
import { CodeTabs } from "./code-tabs.tsx";
import { type Snippets, snippetLanguages } from "./snippet-languages.ts";

/** A request as code for each client, highlighted on the server. */
export function SnippetTabs({ snippets }: { snippets: Snippets }) {
  const blocks = snippetLanguages.flatMap(({ key, label, language }) => {
    const code = snippets[key];
    return code === undefined ? [] : { label, code: <CodeBlock code={code} language={language} /> };
  });
  return <CodeTabs blocks={blocks} />;
}
