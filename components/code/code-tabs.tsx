import { Tabs, TabsContent, TabsList, TabsTrigger } from "#components/ui/tabs.tsx";
import { CodeBlock } from "./code-block.tsx";
import type { Snippets } from "./snippets.ts";

const languages = [
  { key: "curl", label: "curl", language: "bash" },
  { key: "typescript", label: "TypeScript", language: "typescript" },
  { key: "python", label: "Python", language: "python" },
] as const;

/** One request in three languages, drawn on the server. */
export function CodeTabs({ snippets }: { snippets: Snippets }) {
  return (
    <Tabs defaultValue="curl">
      <TabsList aria-label="Language">
        {languages.map(({ key, label }) => (
          <TabsTrigger key={key} value={key}>
            {label}
          </TabsTrigger>
        ))}
      </TabsList>
      {languages.map(({ key, language }) => (
        <TabsContent key={key} value={key}>
          <CodeBlock code={snippets[key]} language={language} />
        </TabsContent>
      ))}
    </Tabs>
  );
}
