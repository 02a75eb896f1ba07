import { z } from "zod";
import { createBrowserToken, matchesOperation } from "#lib/auth/browser-tokens.ts";
import { limitAttempts } from "#lib/auth/limit-attempts.ts";
import { operations as catalogue } from "#lib/operations/catalogue/index.ts";
import { suggestOperations } from "#lib/operations/catalogue/suggest.ts";
import { didYouMean } from "#lib/typos/suggest.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";

const maxSeconds = 3600;
const defaultSeconds = 600;

const operationPattern = z
  .string("must be a text")
  .refine((pattern) => catalogue.some(({ id }) => matchesOperation(pattern, id)), {
    error: ({ input }) => {
      const suggestion = didYouMean(suggestOperations(String(input).slice(0, 100)));
      return `\`operations\` has an operation that does not exist.${suggestion} It must have ids of operations, such as image/sharpen, and patterns of them: image/* or *.`;
    },
  });

const body = z.strictObject({
  operations: z
    .array(operationPattern, "must be a list of ids of operations")
    .min(1, "must have at least one operation")
    .max(200, "must have at most 200 operations")
    .describe("The operations that it may run: ids, and patterns such as image/*."),
  max_bytes: z
    .int()
    .min(1)
    .optional()
    .describe("The most bytes of one file. By default, the limit of the plan."),
  max_jobs: z.int().min(1).max(10_000).default(10).describe("How many jobs it may create."),
  ttl: z
    .int()
    .min(1)
    .max(maxSeconds)
    .default(defaultSeconds)
    .describe("For how many seconds it is valid."),
  origin: z
    .string("must be a text")
    .refine(
      isOrigin,
      "must be an origin without a path, such as https://example.com or http://localhost:3000",
    )
    .optional()
    .describe(
      "The origin of the pages that use it. Only they can, and CORS is allowed for them. Without it, the token is for apps that are no pages.",
    ),
});

export const createToken = defineEndpoint({
  method: "POST",
  path: "/v1/tokens",
  operationId: "createToken",
  tag: "Account",
  summary: "Create a browser token: a short-lived key for a page or an app of your users.",
  description:
    "Create it on your backend and give it to the page, which sends it like an API key. It creates uploads and jobs of the operations that you name, and sees only its own. It cannot use connections or set `webhook_url`. It ends after `ttl` seconds, and with the API key that created it. An account creates 600 tokens at once, then five a second.",
  access: "apiKey",
  scope: "jobs:write",
  body: {
    kind: "json",
    schema: body,
    example: {
      operations: ["image/*"],
      max_bytes: 20_000_000,
      max_jobs: 5,
      ttl: 600,
      origin: "https://example.com",
    },
  },
  responses: {
    201: {
      description: "The token. It is shown only once.",
      body: z
        .strictObject({
          token: z.string().regex(/^mm_token_[0-9A-Za-z]{36}$/),
          expires_at: z.iso.datetime().describe("RFC 3339, UTC."),
        })
        .meta({ id: "BrowserToken", description: "A short-lived key for pages and apps." }),
    },
  },
  errors: ["rate_limited"],
  async handler({ body: { operations, max_bytes, max_jobs, ttl, origin }, ...owner }) {
    const rights = {
      operations,
      maxBytes: max_bytes ?? null,
      maxJobs: max_jobs,
      ttlSeconds: ttl,
      origin: origin ?? null,
    };
    const limit = { kind: "browserToken", subject: owner.account.id } as const;
    await limitAttempts([limit], tooManyTokens);
    const { token, expiresAt } = await createBrowserToken(owner, rights);
    return { token, expires_at: expiresAt.toISOString() };
  },
});

function tooManyTokens(seconds: number): string {
  return `There were too many new browser tokens. Use each one until it ends, or try again in ${seconds} s.`;
}

/** Whether a text is an origin of the web as browsers send it. */
function isOrigin(text: string): boolean {
  const { protocol, origin } = URL.parse(text) ?? {};
  return /^https?:$/.test(protocol ?? "") && origin === text;
}
