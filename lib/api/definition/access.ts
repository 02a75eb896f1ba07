import type { BrowserToken } from "#lib/auth/browser-tokens.ts";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import type { SignedQuery } from "#lib/jobs/view/links.ts";

/** What an API key may allow its holder to do. */
export const scopes = [
  "account:read",
  "jobs:read",
  "jobs:write",
  "webhooks:read",
  "webhooks:write",
] as const;
export type Scope = (typeof scopes)[number];

/** Every API key grants all scopes: keys cannot be restricted yet. */
export const keyScopes: ReadonlySet<Scope> = new Set(scopes);

/** A caller with an account. */
export interface AccountCaller {
  readonly account: Account;
  /** The API key of the request, if it has one. */
  readonly apiKeyId?: string;
  /** The browser token of the request, if it has one in place of the key that created the token. */
  readonly token?: BrowserToken;
  /** The session of the dashboard that sent the request, if one did. */
  readonly sessionId?: string;
}

/** The holder of an API key. */
export interface KeyCaller extends AccountCaller {
  readonly apiKeyId: string;
}

/** A user of the dashboard who is signed in. */
export interface SessionCaller extends AccountCaller {
  readonly sessionId: string;
}

/** Someone who tries operations on the home page without an account. */
export interface VisitorCaller {
  /** An account of the plan `visitor`, made for this browser. */
  readonly account: Account;
}

/** What a handler knows about its caller, by the endpoint's `access`. */
export interface CallerByAccess {
  readonly apiKey: KeyCaller;
  readonly session: SessionCaller;
  readonly visitor: VisitorCaller;
  readonly signedLink: object;
  readonly public: object;
}

export type AccessKind = keyof CallerByAccess;

/** Who may call an endpoint. */
export type Access =
  | {
      readonly access: "apiKey";
      readonly scope: Scope;
      /** Whether a browser token opens it too. Its handler shows a token only what the token created. */
      readonly forTokens?: boolean;
    }
  /** The dashboard's own pages. Anything but GET must come from a page of the same origin. */
  | { readonly access: "session" }
  /** The home page. Anything but GET must come from a page of the same origin. */
  | { readonly access: "visitor" }
  | {
      readonly access: "signedLink";
      /** Whether `signature` is valid for the path's parameters as they were sent. */
      readonly verifyLink: (
        params: Readonly<Record<string, string>>,
        signature: SignedQuery,
      ) => boolean;
      /** The error for an invalid or expired link. */
      readonly linkError: () => Error;
    }
  | { readonly access: "public" };
