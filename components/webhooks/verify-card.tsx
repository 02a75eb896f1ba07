import { highlightPublic } from "#components/code/highlight.ts";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { VerifyCode, type VerifyCodeProps } from "./verify-code.tsx";
import { maskedSecret, verifySnippets } from "./verify-snippets.ts";

/** Code that verifies a webhook's signature. `reveal` loads the account's secret. */
export async function VerifyCard({ reveal }: { readonly reveal: VerifyCodeProps["reveal"] }) {
  const snippets = await Promise.all(
    verifySnippets(maskedSecret).map(async ({ language, label, code }) => ({
      label,
      code,
      html: await highlightPublic(code, language),
    })),
  );
  return (
    <Card aria-label="Verify signatures">
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
        <VerifyCode snippets={snippets} masked={maskedSecret} reveal={reveal} />
      </CardContent>
    </Card>
  );
}
