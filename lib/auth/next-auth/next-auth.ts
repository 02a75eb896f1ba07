import { cookies } from "next/headers";
import { type NextRequest, NextResponse } from "next/server";
import NextAuth, { type Account, type NextAuthOptions, type User } from "next-auth";
import CredentialsProvider from "next-auth/providers/credentials";
import { z } from "zod";
import { db } from "#lib/db/client.ts";
import { findAccountByIdentity } from "#lib/db/queries/accounts/identities.ts";
import { deleteSession, findSession, sessionDays } from "#lib/db/queries/accounts/sessions.ts";
import { signInMethods } from "#lib/db/schema/credentials/sessions.ts";
import { env, setNextAuthUrl } from "#lib/env.ts";
import { log } from "#lib/log.ts";
import { type Caller, currentCaller } from "../caller.ts";
import { checkPassword } from "../check-password.ts";
import { browserCookie, createBrowserToken } from "../cookies/known-browser.ts";
import {
  cookieName,
  decodeSession,
  sessionCookie,
  sessionSecret,
} from "../cookies/session-token.ts";
import { safeRedirectPath } from "../origin.ts";
import { TooManyAttemptsError } from "../sign-in-limits.ts";
import { emailField, passwordField } from "./credentials.ts";
import { findOrCreateAccountByIdentity } from "./identities.ts";
import { oauthProviders, verifiedEmail } from "./providers.ts";
import { startSession } from "./start-session.ts";

setNextAuthUrl();

const credentials = z.object({ email: emailField, password: passwordField });
const method = z.enum(signInMethods);
const provider = method.exclude(["password"]);

/** Holds the page that the visitor wanted, while they sign in at a provider. */
const callbackCookie = {
  name: cookieName("callback-url"),
  options: sessionCookie.options,
};

const signInPath = "/sign-in";

/** One request to NextAuth: its caller, and the account whose session it started. */
interface SignInRequest {
  readonly caller: Caller;
  signedInAccountId?: string;
}

/** NextAuth's options for one request. Sessions live in the database; the JWT only carries an id. */
function createOptions(signInRequest: SignInRequest): NextAuthOptions {
  return {
    secret: sessionSecret(),
    session: { strategy: "jwt", maxAge: sessionDays * 86_400 },
    jwt: { decode: ({ token }) => decodeSession(token) },
    useSecureCookies: sessionCookie.options.secure,
    cookies: { sessionToken: sessionCookie, callbackUrl: callbackCookie },
    pages: { signIn: signInPath, signOut: signInPath, error: signInPath },
    providers: [
      CredentialsProvider({
        credentials: { email: {}, password: {} },
        authorize: (input) =>
          hideErrorDetails(() => authorizeByPassword(input, signInRequest.caller)),
      }),
      ...oauthProviders(),
    ],
    callbacks: {
      signIn: ({ account, profile }) =>
        account?.type === "oauth"
          ? hideErrorDetails(() => authorizeByProvider(account, profile, signInRequest.caller))
          : true,
      redirect: ({ url, baseUrl }) => baseUrl + safeRedirectPath(url),
      // `user` is set only at a sign-in; NextAuth's types do not say so.
      async jwt({ token, user, account }: { token: object; user?: User; account: Account | null }) {
        if (!user || !account) return { ...token };
        const accountId = await findAccountId(user, account);
        const usedMethod =
          account.type === "credentials" ? "password" : method.parse(account.provider);
        const sid = await startSession(accountId, usedMethod, signInRequest.caller);
        signInRequest.signedInAccountId = accountId;
        return { sub: accountId, sid };
      },
      async session({ session, token }) {
        const found = typeof token.sid === "string" && (await findSession(db(), token.sid));
        if (!found) throw new Error("the session has ended");
        return { expires: session.expires, user: { email: found.account.email } };
      },
    },
    events: {
      async signOut({ token }) {
        if (typeof token?.sid === "string") await deleteSession(db(), token.sid);
      },
    },
    logger: {
      // A foreign or expired cookie is not an error of the service.
      error(code, detail) {
        const err = detail instanceof Error ? detail : detail.error;
        log[code === "JWT_SESSION_ERROR" ? "debug" : "error"]({ code, err }, "NextAuth error");
      },
      warn: (code) => log.debug({ code }, "NextAuth warning"),
      debug: () => {},
    },
  };
}

/**
 * Passes a request to NextAuth. After a sign-in, also sets the known-browser cookie. Needs the
 * current request's headers and cookies, so it works in routes and server actions.
 *
 * @param segments the path after `/api/auth/`
 */
export async function callNextAuth(
  request: NextRequest,
  segments: readonly string[],
): Promise<NextResponse> {
  const signInRequest: SignInRequest = { caller: await currentCaller() };
  const context = { params: Promise.resolve({ nextauth: [...segments] }) };
  const sent: Response = await NextAuth(request, context, createOptions(signInRequest));
  const response = new NextResponse(sent.body, sent);
  await addNextPage(response);
  if (signInRequest.signedInAccountId) {
    const value = createBrowserToken(signInRequest.signedInAccountId);
    response.cookies.set({ name: browserCookie.name, value, ...browserCookie.options });
  }
  return response;
}

/** Adds the page that the visitor wanted to a redirect that shows why the sign-in failed: NextAuth drops it. */
async function addNextPage({ headers }: NextResponse): Promise<void> {
  const location = new URL(headers.get("location") ?? "/", env.APP_URL);
  const { pathname, searchParams } = location;
  if (pathname !== signInPath || !searchParams.has("error")) return;
  if (searchParams.has("callbackUrl")) return;
  const kept = (await cookies()).get(callbackCookie.name)?.value;
  if (kept === undefined) return;
  searchParams.set("next", safeRedirectPath(kept));
  headers.set("location", pathname + location.search);
}

async function authorizeByPassword(input: unknown, caller: Caller): Promise<User | null> {
  const parsed = credentials.safeParse(input);
  if (!parsed.success) return null;
  const account = await checkPassword(parsed.data.email, parsed.data.password, caller);
  if (account?.suspendedAt) throw new SuspendedError();
  return account ? { id: account.id } : null;
}

/** The account is suspended. The message is the code of `sign-in-errors.ts`. */
class SuspendedError extends Error {
  override readonly name = "SuspendedError";

  constructor() {
    super("AccountSuspended");
  }
}

/**
 * Checks a sign-in by a provider. Returns true, or the path of the page that shows the rejection.
 */
async function authorizeByProvider(
  account: Account,
  profile: unknown,
  { address }: Caller,
): Promise<true | string> {
  const identity = {
    provider: provider.parse(account.provider),
    subject: account.providerAccountId,
  };
  const email = verifiedEmail(account.provider, profile);
  const result = await findOrCreateAccountByIdentity(identity, email, address);
  return typeof result === "string" ? `${signInPath}?error=${result}` : true;
}

/** The id of our account for NextAuth's user. */
async function findAccountId(user: User, account: Account): Promise<string> {
  if (account.type === "credentials") return user.id;
  const subject = account.providerAccountId;
  const found = await findAccountByIdentity(db(), {
    provider: provider.parse(account.provider),
    subject,
  });
  if (!found) throw new Error("the account was deleted during its sign-in");
  return found.id;
}

/** NextAuth writes an error's message into a URL, so only messages made for that may leave `work`. */
async function hideErrorDetails<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TooManyAttemptsError || error instanceof SuspendedError) throw error;
    log.error({ err: error }, "sign-in failed");
    throw new Error("Unavailable", { cause: error });
  }
}
