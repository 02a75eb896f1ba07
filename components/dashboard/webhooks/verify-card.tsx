import { CodeBlock } from "#components/code/code-block.tsx";
import { verifyWebhook } from "#components/code/verify-webhook.ts";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "#components/ui/tabs.tsx";

const languages = [
  { language: "typescript", label: "TypeScript" },
  { language: "python", label: "Python" },
  { language: "go", label: "Go" },
] as const;

/** How a receiver verifies a signature. */
export function VerifyCard() {
  return (
    <Card>
      <CardHeader>
        <div>
          <CardTitle>Verify what you receive</CardTitle>
          <CardDescription>
            Answer with any 2xx within 15 seconds. Everything else is tried again, for three days;
            the <code>webhook-id</code> stays the same.
          </CardDescription>
        </div>
      </CardHeader>
      <CardContent>
        <Tabs defaultValue="typescript">
          <TabsList>
            {languages.map(({ language, label }) => (
              <TabsTrigger key={language} value={language}>
                {label}
              </TabsTrigger>
            ))}
          </TabsList>
          {languages.map(({ language }) => (
            <TabsContent key={language} value={language}>
              <CodeBlock code={verifyWebhook[language]} language={language} />
            </TabsContent>
          ))}
        </Tabs>
      </CardContent>
    </Card>
  );
}
