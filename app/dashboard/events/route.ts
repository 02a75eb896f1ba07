import { answerAccountEvents } from "#lib/api/account-events.ts";
import { currentAccount } from "#lib/auth/session.ts";

/** Server-Sent Events of the signed-in account's jobs. */
export async function GET(request: Request): Promise<Response> {
  const account = await currentAccount();
  if (!account || account.mustSetPassword) return new Response(null, { status: 401 });
  return answerAccountEvents(account, request);
}
