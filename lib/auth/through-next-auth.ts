import { cookies } from "next/headers";
import { NextRequest, type NextResponse } from "next/server";
import { z } from "zod";
import { env } from "#lib/env.ts";
import { callNextAuth } from "./next-auth.ts";

/**
 * For server actions: signs in by sending NextAuth, within this process, what its own forms would
 * send. So sessions are made in one place alone, and forms work without JavaScript.
 */

const csrfAnswer = z.object({ csrfToken: z.string() });

/** Signs in by password. Undefined, or the code of what is wrong, as in `sign-in-errors.ts`. */
export async function signInByPassword(fields: {
  email: string;
  password: string;
}): Promise<string | undefined> {
  const location = await post("callback/credentials", { ...fields, callbackUrl: "/dashboard" });
  if (location.pathname !== "/api/auth/error") return undefined;
  return location.searchParams.get("error") ?? "CredentialsSignin";
}

/** Where a provider asks people whether it may tell us who they are. */
export async function startAtProvider(provider: string, next: string): Promise<string> {
  return (await post(`signin/${provider}`, { callbackUrl: next })).href;
}

async function post(path: string, fields: Record<string, string>): Promise<URL> {
  const { csrfToken } = csrfAnswer.parse(await (await ask("csrf")).json());
  const body = new URLSearchParams({ ...fields, csrfToken });
  const answer = await ask(path, { method: "POST", body });
  return new URL(answer.headers.get("location") ?? "/", env.APP_URL);
}

/** One request; the cookies that NextAuth sets are taken over into the action's answer. */
async function ask(path: string, init?: { method: string; body: URLSearchParams }) {
  const request = new NextRequest(`${env.APP_URL}/api/auth/${path}`, init);
  const answer: NextResponse = await callNextAuth(request, path.split("/"));
  const jar = await cookies();
  for (const cookie of answer.cookies.getAll()) jar.set(cookie);
  return answer;
}
