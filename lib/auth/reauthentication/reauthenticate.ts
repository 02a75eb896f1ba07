import { createHash, randomInt } from "node:crypto";
import { db } from "#lib/db/client.ts";
import { findAccount } from "#lib/db/queries/accounts/accounts.ts";
import { listProviders } from "#lib/db/queries/accounts/identities.ts";
import {
  isSessionRecent,
  setSessionAuthenticated,
  setSessionCode,
  takeActPermission,
  takeSessionCode,
} from "#lib/db/queries/accounts/sessions.ts";
import { env } from "#lib/env.ts";
import { canSendMail, sendMail } from "#lib/mail/send.ts";
import { currentCaller } from "../caller.ts";
import { checkPassword } from "../check-password.ts";
import type { FormState, NeedsReauthentication } from "../next-auth/credentials.ts";
import type { SessionAccount } from "../session.ts";
import { signInErrorMessage } from "../sign-in-errors.ts";
import { TooManyAttemptsError, tryAttempt } from "../sign-in-limits.ts";

/**
 * Before a sensitive action the user shows again who they are, so that an unattended browser or a stolen cookie
 * is not enough for it: with the password, with a code from an email, or by another sign-in with the provider.
 */

/**
 * How long a user who has shown who they are is not asked again, in minutes. A sign-in counts too.
 */
const recentMinutes = 15;

/** How long a code from an email is valid. */
const codeMinutes = 10;

/**
 * How the user shows who they are: `password` if the account has one, else `code` if this
 * installation sends email, else `provider`.
 */
export type ReauthenticationMethod = "password" | "code" | "provider";

type Session = Pick<SessionAccount, "id" | "email" | "sessionId">;

const needed: NeedsReauthentication = { needsReauthentication: true };

/** Returns undefined if the user has shown recently who they are; else what the action returns. */
export async function requireRecentAuthentication({
  sessionId,
}: Pick<Session, "sessionId">): Promise<NeedsReauthentication | undefined> {
  return (await isSessionRecent(db(), sessionId, recentMinutes)) ? undefined : needed;
}

/** The same for an operator's act on another account: each act asks again, however recent a sign-in is. */
export async function requireActPermission({
  sessionId,
}: Pick<Session, "sessionId">): Promise<NeedsReauthentication | undefined> {
  return (await takeActPermission(db(), sessionId)) ? undefined : needed;
}

/** How the account shows who it is, and the providers that it signs in with. */
export async function readReauthenticationMethod({ id }: Pick<Session, "id">) {
  const account = await findAccount(db(), id);
  const providers = await listProviders(db(), id);
  const other: ReauthenticationMethod = canSendMail ? "code" : "provider";
  const method: ReauthenticationMethod = account?.passwordHash ? "password" : other;
  return { method, providers } as const;
}

/** Sends a code to the account's email address. Resolves with a message for the user if there were too many. */
export async function sendCode({ id, email, sessionId }: Session): Promise<string | undefined> {
  const limited = await tryAttempt({ kind: "codeMail", subject: id });
  if (limited) return limited;
  const code = String(randomInt(1_000_000)).padStart(6, "0");
  await setSessionCode(db(), sessionId, hashCode(sessionId, code), codeMinutes);
  await sendMail({
    to: email,
    subject: "Your Mediamill code",
    text: [
      "Enter this code to confirm that it is you:",
      "",
      code,
      "",
      `It is valid for ${codeMinutes} minutes, in the browser that asked for it, at`,
      env.APP_URL,
      "",
      "If it was not you, end your sessions and change how you sign in: someone is signed in to your account.",
      "",
    ].join("\n"),
  });
  return undefined;
}

/** Verifies the password or the code in `current`. Returns undefined on success, else the errors to show. */
export async function confirmIdentity(
  session: Session,
  current: string,
): Promise<FormState | undefined> {
  const { method } = await readReauthenticationMethod(session);
  const rejection =
    method === "password"
      ? await verifyPasswordOf(session, current)
      : await verifyCode(session, current);
  if (rejection) return rejection;
  await setSessionAuthenticated(db(), session.sessionId);
  return undefined;
}

/**
 * Verifies the owner of the account for an action whose form asks itself: the field `current` must hold the
 * password or, for an account without one, its email address, and the user must have shown recently who they are.
 */
export async function reauthenticate(
  session: Session,
  form: FormData,
): Promise<FormState | undefined> {
  const current = String(form.get("current") ?? "").slice(0, 254);
  const { method } = await readReauthenticationMethod(session);
  if (method === "password") return verifyPasswordOf(session, current);
  if (current.trim().toLowerCase() !== session.email) {
    return { errors: { current: "That is not the account's email address." } };
  }
  return requireRecentAuthentication(session);
}

async function verifyPasswordOf(
  { email }: Session,
  current: string,
): Promise<FormState | undefined> {
  try {
    if (await checkPassword(email, current, await currentCaller())) return undefined;
    return { errors: { current: "That is not your current password." } };
  } catch (error) {
    if (!(error instanceof TooManyAttemptsError)) throw error;
    return { errors: { current: signInErrorMessage(error.message) ?? "" } };
  }
}

async function verifyCode(
  { id, sessionId }: Session,
  current: string,
): Promise<FormState | undefined> {
  const limited = await tryAttempt({ kind: "code", subject: id });
  if (limited) return { errors: { current: limited } };
  const hash = hashCode(sessionId, current.replaceAll(/\D/g, ""));
  if (await takeSessionCode(db(), sessionId, hash)) return undefined;
  return { errors: { current: "This code is wrong or no longer valid." } };
}

function hashCode(sessionId: string, code: string): string {
  return createHash("sha256").update(`${sessionId}\n${code}`).digest("hex");
}
