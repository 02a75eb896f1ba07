import { z } from "zod";
import type { PageCredentials } from "#lib/engines/chromium/page/settings.ts";
import {
  findScopeFault,
  lengthOfScopes,
  maxScopeLength,
  maxScopesLength,
} from "#lib/net/url-scopes.ts";

/** What requests of a page contain in addition: user agent, headers, cookies. */

/** Headers that the connection sets, or that another parameter sets. */
const reservedHeaders: ReadonlySet<string> = new Set([
  "accept-encoding",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "cookie",
  "expect",
  "host",
  "keep-alive",
  "origin",
  "range",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "user-agent",
]);

const maxEntries = 64;

/** A token (RFC 9110, 5.6.2). */
const token = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;

const headerName = z
  .string()
  .max(100)
  .regex(token, "must be the name of a header")
  .refine(
    (name) => !reservedHeaders.has(name.toLowerCase()) && !/^(proxy|sec)-/i.test(name),
    "is a header that cannot be set; for cookies and the user agent there are parameters",
  );

const headerValue = z
  .string()
  .max(4000)
  .regex(/^[\t\x20-\x7e]*$/, "must be printable ASCII text");

/** Whether it can be compiled is checked when all headers are known. */
const scope = z.string().min(1).max(maxScopeLength);

const header = z.union(
  [headerValue, z.strictObject({ value: headerValue, scope })],
  "must be printable ASCII text, or an object with `value` and `scope`",
);

type Headers = Readonly<Record<string, z.output<typeof header>>>;

/** What is wrong with headers that are valid one by one; it follows the name of the parameter. */
function findHeadersFault(headers: Headers): string | undefined {
  const all = Object.values(headers);
  if (all.length > maxEntries) return `must have at most ${maxEntries} headers`;
  const scopes = new Set(all.flatMap((one) => (typeof one === "string" ? [] : [one.scope])));
  if (lengthOfScopes(scopes) > maxScopesLength) {
    return `must have scopes with at most ${maxScopesLength} characters in total`;
  }
  for (const one of scopes) {
    const fault = findScopeFault(one);
    if (fault) return `must have scopes that are regular expressions of RE2: ${fault}`;
  }
  return undefined;
}

const cookie = z.strictObject({
  name: z.string().min(1).max(200).regex(token, "must be the name of a cookie"),
  // cookie-octet of RFC 6265, and the characters that browsers accept in addition.
  value: z
    .string()
    .max(4000)
    .regex(/^[\x20-\x3a\x3c-\x7e]*$/, "must be printable ASCII text without semicolons"),
  domain: z
    .string()
    .max(253)
    .regex(/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i, "must be a host name such as example.com")
    .optional(),
  path: z
    .string()
    .max(500)
    .regex(/^\/[\x21-\x3a\x3c-\x7e]*$/, "must start with a slash")
    .optional(),
  secure: z.boolean().optional(),
});

export const credentialFields = {
  user_agent: z
    .string()
    .min(1)
    .max(500)
    .regex(/^[\x20-\x7e]+$/, "must be printable ASCII text")
    .optional()
    .describe("The User-Agent header of all requests. The default is that of Chromium."),
  headers: z
    .record(headerName, header)
    .superRefine((headers, context) => {
      const message = findHeadersFault(headers);
      if (message) context.addIssue({ code: "custom", message });
    })
    .optional()
    .meta({
      description:
        'Headers of the requests for the page and for resources of the same origin, such as {"Authorization": "Bearer …"}. Other servers do not get them, also after a redirect. With an object of value and scope, a header goes to all requests in whose URL the scope matches instead, of any server. The scope is a regular expression of RE2, such as "^https://cdn\\\\.example\\\\.com/", and is tried on URLs of up to 2,048 characters. All scopes have at most 2,048 characters in total.',
      control: "json",
      secret: true,
    }),
  cookies: z.array(cookie).max(maxEntries).optional().meta({
    description:
      "A list of cookies, each with name and value, and optionally domain (a host name; the default is the host of the page), path and secure. A cookie is sent to this host only, not to its subdomains. A page of another site sends it only if it is secure, thus by https.",
    control: "json",
    secret: true,
  }),
};

export interface CredentialParams {
  readonly user_agent?: string | undefined;
  readonly headers?: Record<string, z.output<typeof header>> | undefined;
  readonly cookies?: z.output<typeof cookie>[] | undefined;
}

export function toCredentials({ user_agent, headers, cookies }: CredentialParams): PageCredentials {
  return { userAgent: user_agent, headers, cookies };
}
