import { type NextRequest, NextResponse } from "next/server";
import NextAuth, { type Account, type NextAuthOptions, type User } from "next-auth";
import CredentialsProvider from "next-auth/providers/credentials";
import { z } from "zod";
import { db } from "#lib/db/client.ts";
import { findAccountByIdentity } from "#lib/db/queries/accounts/identities.ts";
import { deleteSession, findSession, sessionDays } from "#lib/db/queries/accounts/sessions.ts";
import { signInMethods } from "#lib/db/schema/sessions.ts";
import { tellNextAuth } from "#lib/env.ts";
import { log } from "#lib/log.ts";
import { type Caller, currentCaller } from "./caller.ts";
import { checkPassword } from "./check-password.ts";
import { emailField, passwordField } from "./credentials.ts";
import { admitIdentity } from "./identities.ts";
import { browserCookie, makeBrowserToken } from "./known-browser.ts";
import { ownPath } from "./origin.ts";
import { outsideProviders, verifiedEmail } from "./providers.ts";
import { sessionCookie, sessionSecret } from "./session-token.ts";
import { TooManyAttemptsError } from "./sign-in-limits.ts";
import { startSession } from "./start-session.ts";

tellNextAuth();

const credentials = z.object({ email: emailField, password: passwordField });
const method = z.enum(signInMethods);
const provider = method.exclude(["password"]);

/** One request to NextAuth: who sends it, and whose session it has started. */
interface Exchange {
  readonly caller: Caller;
  signedInAs?: string;
}

/** NextAuth's options for one request. The database decides about sessions; the JWT only carries an id. */
function optionsFor(exchange: Exchange): NextAuthOptions {
  return {
    secret: sessionSecret(),
    session: { strategy: "jwt", maxAge: sessionDays * 86_400 },
    useSecureCookies: sessionCookie.options.secure,
    cookies: { sessionToken: sessionCookie },
    pages: { signIn: "/sign-in", signOut: "/sign-in", error: "/sign-in" },
    providers: [
      CredentialsProvider({
        credentials: { email: {}, password: {} },
        authorize: (given) => guarded(() => openByPassword(given, exchange.caller)),
      }),
      ...outsideProviders(),
    ],
    callbacks: {
      signIn: ({ account, profile }) =>
        account?.type === "oauth" ? guarded(() => admitByProvider(account, profile)) : true,
      redirect: ({ url, baseUrl }) => baseUrl + ownPath(url),
      // `user` is there at a sign-in alone; NextAuth's types do not say so.
      async jwt({ token, user, account }: { token: object; user?: User; account: Account | null }) {
        if (!user || !account) return { ...token };
        const accountId = await accountOf(user, account);
        const how = account.type === "credentials" ? "password" : method.parse(account.provider);
        const sid = await startSession(accountId, how, exchange.caller);
        exchange.signedInAs = accountId;
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
      // Cookies that are not ours, or not any more, are no errors of ours.
      error(code, detail) {
        const err = detail instanceof Error ? detail : detail.error;
        log[code === "JWT_SESSION_ERROR" ? "debug" : "error"]({ code, err }, "sign-in");
      },
      warn: (code) => log.debug({ code }, "sign-in"),
      debug: () => {},
    },
  };
}

/**
 * Hands a request to NextAuth, and gives a browser that is signed in by it what it is known by from
 * then on. Needs the present request's headers and cookies, so it works in routes and server actions.
 *
 * @param segments the path after `/api/auth/`
 */
export async function callNextAuth(
  request: NextRequest,
  segments: readonly string[],
): Promise<NextResponse> {
  const exchange: Exchange = { caller: await currentCaller() };
  const context = { params: Promise.resolve({ nextauth: [...segments] }) };
  const answer: Response = await NextAuth(request, context, optionsFor(exchange));
  const response = new NextResponse(answer.body, answer);
  if (exchange.signedInAs) {
    const value = makeBrowserToken(exchange.signedInAs);
    response.cookies.set({ name: browserCookie.name, value, ...browserCookie.options });
  }
  return response;
}

async function openByPassword(given: unknown, caller: Caller): Promise<User | null> {
  const parsed = credentials.safeParse(given);
  if (!parsed.success) return null;
  const account = await checkPassword(parsed.data.email, parsed.data.password, caller);
  return account ? { id: account.id } : null;
}

/** True, or the page that says why not. */
async function admitByProvider(account: Account, profile: unknown): Promise<true | string> {
  const identity = {
    provider: provider.parse(account.provider),
    subject: account.providerAccountId,
  };
  const admitted = await admitIdentity(identity, verifiedEmail(account.provider, profile));
  return typeof admitted === "string" ? `/sign-in?error=${admitted}` : true;
}

/** The id of our account that NextAuth's user is. */
async function accountOf(user: User, account: Account): Promise<string> {
  if (account.type === "credentials") return user.id;
  const subject = account.providerAccountId;
  const found = await findAccountByIdentity(db(), {
    provider: provider.parse(account.provider),
    subject,
  });
  if (!found) throw new Error("the account was deleted while it was signed in to");
  return found.id;
}

/** NextAuth writes an error's message into an address; so none leaves but those made for it. */
async function guarded<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TooManyAttemptsError) throw error;
    log.error({ err: error }, "sign-in failed");
    throw new Error("Unavailable", { cause: error });
  }
}
