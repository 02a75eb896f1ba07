import { CodeFrame } from "./code-frame.tsx";
import { CodeTabs } from "./code-tabs.tsx";
import { type Snippets, snippetLanguages } from "./snippet-languages.ts";

interface CodeTextsProps {
  readonly snippets: Snippets;
  readonly onCopied?: () => void;
}

/** Code for each client as tabs, without highlighting, for Client Components. */
export function CodeTexts({ snippets, onCopied }: CodeTextsProps) {
  const blocks = snippetLanguages.flatMap(({ key, label }) => {
    const text = snippets[key];
    if (text === undefined) return [];
    const code = (
      <CodeFrame
        key={key}
        code={text}
        wrap={label === "curl"}
        className="max-w-full"
        onCopied={onCopied}
      >
        <code>{text}</code>
      </CodeFrame>
    );
    return { label, code };
  });
  return <CodeTabs blocks={blocks} />;
}
