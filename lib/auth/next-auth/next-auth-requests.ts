import { cookies } from "next/headers";
import { NextRequest, type NextResponse } from "next/server";
import { z } from "zod";
import { env } from "#lib/env.ts";
import { callNextAuth } from "./next-auth.ts";

/**
 * Signs in from server actions: sends NextAuth, within this process, the requests that its own forms
 * send. So NextAuth creates every session, and our forms work without JavaScript.
 */

const csrfResponse = z.object({ csrfToken: z.string() });

/** Signs in by password. Returns undefined on success, else an error code of `sign-in-errors.ts`. */
export async function signInByPassword(fields: {
  email: string;
  password: string;
}): Promise<string | undefined> {
  const location = await post("callback/credentials", { ...fields, callbackUrl: "/dashboard" });
  if (location.pathname !== "/api/auth/error") return undefined;
  return location.searchParams.get("error") ?? "CredentialsSignin";
}

/** The URL of a provider's consent page. */
export async function startProviderSignIn(provider: string, next: string): Promise<string> {
  return (await post(`signin/${provider}`, { callbackUrl: next })).href;
}

async function post(path: string, fields: Record<string, string>): Promise<URL> {
  const { csrfToken } = csrfResponse.parse(await (await sendToNextAuth("csrf")).json());
  const body = new URLSearchParams({ ...fields, csrfToken });
  const response = await sendToNextAuth(path, { method: "POST", body });
  return new URL(response.headers.get("location") ?? "/", env.APP_URL);
}

/** Sends one request and copies the cookies that NextAuth sets into the action's response. */
async function sendToNextAuth(path: string, init?: { method: string; body: URLSearchParams }) {
  const request = new NextRequest(`${env.APP_URL}/api/auth/${path}`, init);
  const response: NextResponse = await callNextAuth(request, path.split("/"));
  const jar = await cookies();
  for (const cookie of response.cookies.getAll()) jar.set(cookie);
  return response;
}
