import { readGuide } from "#components/docs/guides.ts";

/** A secret that stands for the account's own in code. */
export const maskedSecret = `whsec_${"•".repeat(16)}`;

/** The code of the webhooks guide, and how each language reads the secret there. */
const sources = [
  { language: "typescript", secret: /[\w.]+\.MEDIAMILL_WEBHOOK_SECRET \?\? ""/ },
  { language: "python", secret: /os\.environ\["MEDIAMILL_WEBHOOK_SECRET"\]/ },
  { language: "go", secret: /os\.Getenv\("MEDIAMILL_WEBHOOK_SECRET"\)/ },
  { language: "bash", secret: /"\$MEDIAMILL_WEBHOOK_SECRET"/ },
] as const;

export interface VerifySnippet {
  readonly language: (typeof sources)[number]["language"];
  readonly label: string;
  readonly code: string;
}

/**
 * Code that verifies webhooks with this secret: the examples of the webhooks guide, in which the secret is a text
 * instead of a variable of the environment.
 */
export function verifySnippets(secret: string): VerifySnippet[] {
  const guide = readGuide("webhooks")?.text ?? "";
  return sources.map(({ language, secret: variable }) => {
    const block = new RegExp(`\`\`\`${language} \\| ([^\\n]*)\\n([^]*?)\`\`\``).exec(guide);
    const [, label = "", code = ""] = block ?? [];
    if (!variable.test(code)) throw new Error(`the guide has no ${language} with a secret`);
    return { language, label, code: code.replace(variable, () => JSON.stringify(secret)) };
  });
}
