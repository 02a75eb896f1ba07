import type { NextAuthOptions } from "next-auth";
import GitHubProvider, { type GithubProfile } from "next-auth/providers/github";
import GoogleProvider from "next-auth/providers/google";
import { z } from "zod";
import { env } from "#lib/env.ts";

/** The sign-in providers that are configured, with the names to show. */
export const providerNames = {
  ...(env.GITHUB_ID && env.GITHUB_SECRET ? { github: "GitHub" } : {}),
  ...(env.GOOGLE_ID && env.GOOGLE_SECRET ? { google: "Google" } : {}),
} as const satisfies Readonly<Record<string, string>>;

/** Whether `name` is a configured provider. */
export function isProvider(name: unknown): name is keyof typeof providerNames {
  return typeof name === "string" && Object.hasOwn(providerNames, name);
}

const gitHub = env.GITHUB_URL.replace(/\/+$/, "");

/** A GitHub Enterprise Server has its API under its own host. */
const gitHubApi = gitHub === "https://github.com" ? "https://api.github.com" : `${gitHub}/api/v3`;

/** GitHub's response to `GET /user/emails`. */
const gitHubEmails = z.array(
  z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }),
);

/** NextAuth's configuration of the configured providers. */
export function oauthProviders(): NextAuthOptions["providers"] {
  const providers: NextAuthOptions["providers"] = [];
  if (env.GITHUB_ID && env.GITHUB_SECRET) {
    providers.push(
      GitHubProvider({
        clientId: env.GITHUB_ID,
        clientSecret: env.GITHUB_SECRET,
        issuer: `${gitHub}/login/oauth`,
        authorization: { url: `${gitHub}/login/oauth/authorize`, params: { scope: "user:email" } },
        token: `${gitHub}/login/oauth/access_token`,
        userinfo: {
          url: `${gitHubApi}/user`,
          // The profile's email address may be unverified, so the list of addresses is read instead.
          async request({ client, tokens }) {
            const token = tokens.access_token ?? "";
            const profile = await client.userinfo<GithubProfile>(token);
            const { body } = await client.requestResource(`${gitHubApi}/user/emails`, token);
            const emails = gitHubEmails.parse(JSON.parse(String(body)));
            const verified = emails.find((entry) => entry.primary && entry.verified);
            return { ...profile, email: verified?.email ?? "" };
          },
        },
      }),
    );
  }
  if (env.GOOGLE_ID && env.GOOGLE_SECRET) {
    providers.push(GoogleProvider({ clientId: env.GOOGLE_ID, clientSecret: env.GOOGLE_SECRET }));
  }
  return providers;
}

/** The fields of both providers' profiles that are used. GitHub's email address is set above. */
const profileShape = z.object({
  email: z.string().nullish(),
  email_verified: z.boolean().nullish(),
});

/** The email address in a provider's profile; undefined if the provider has not verified it. */
export function verifiedEmail(provider: string, profile: unknown): string | undefined {
  const { data } = profileShape.safeParse(profile);
  const isVerified = provider === "github" || data?.email_verified === true;
  return isVerified ? data?.email || undefined : undefined;
}
