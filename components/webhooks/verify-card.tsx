import { CodeBlock } from "#components/code/code-block.tsx";
import { CodeTabs } from "#components/code/code-tabs.tsx";
import { verifyWebhook } from "#components/code/verify-webhook.ts";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "#components/ui/card.tsx";

const languages = [
  { language: "typescript", label: "TypeScript" },
  { language: "python", label: "Python" },
  { language: "go", label: "Go" },
] as const;

/** Code that verifies a webhook's signature. */
export function VerifyCard() {
  const blocks = languages.map(({ language, label }) => ({
    label,
    code: <CodeBlock code={verifyWebhook[language]} language={language} />,
  }));
  return (
    <Card>
      <CardHeader>
        <div>
          <CardTitle>Verify signatures</CardTitle>
          <CardDescription>
            Return a 2xx status within 15 seconds. Otherwise the webhook is retried for three days
            with the same <code>webhook-id</code>.
          </CardDescription>
        </div>
      </CardHeader>
      <CardContent>
        <CodeTabs blocks={blocks} />
      </CardContent>
    </Card>
  );
}
