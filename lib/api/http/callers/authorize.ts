import { isEmailUnconfirmed, unconfirmedMessage } from "#lib/auth/emails/email-confirmation.ts";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import { RequestError } from "#lib/errors.ts";
import type { KeyCaller, Scope, SessionCaller, VisitorCaller } from "../../definition/access.ts";
import type { Endpoint, RequestContext } from "../../definition/endpoint.ts";
import { readSignature } from "./signed-link.ts";

/** Finds the caller of a request. Each throws `unauthorized` if there is none. */
export interface Authorizers {
  readonly apiKey: (
    request: Request,
  ) => Promise<KeyCaller & { readonly scopes: ReadonlySet<Scope> }>;
  readonly session: (request: Request) => Promise<SessionCaller>;
  readonly visitor: (request: Request) => Promise<VisitorCaller>;
  /** Whether pages of the origin may have a browser token. */
  readonly isTokenOrigin: (origin: string) => Promise<boolean>;
}

/** The caller of an endpoint. Throws if the caller may not call it. */
export async function authorize(
  endpoint: Endpoint,
  { request, url, record }: RequestContext,
  pathParams: Readonly<Record<string, string>>,
  authorizers: Authorizers,
): Promise<KeyCaller | SessionCaller | VisitorCaller | object> {
  switch (endpoint.access) {
    case "apiKey": {
      const { scopes, ...caller } = await authorizers.apiKey(request);
      record.caller = caller;
      if (caller.token && !endpoint.forTokens) throw notForTokens();
      if (scopes.has(endpoint.scope)) return caller;
      const message = `This API key does not have the scope \`${endpoint.scope}\`.`;
      throw new RequestError("forbidden", message);
    }
    case "session":
      return authorizers.session(request);
    case "visitor":
      return authorizers.visitor(request);
    case "signedLink":
      if (endpoint.verifyLink(pathParams, readSignature(url))) return {};
      throw endpoint.linkError();
    case "public":
      return {};
  }
}

function notForTokens(): RequestError {
  const message =
    "A browser token cannot do this. Call it from your backend, with an API key, or see the guide on browser tokens.";
  return new RequestError("forbidden", message);
}

/** Throws `forbidden` if the account must confirm its email address before it may have jobs. */
export function requireConfirmedEmail(account: Account): void {
  if (isEmailUnconfirmed(account)) throw new RequestError("forbidden", unconfirmedMessage);
}
