import { cookies } from "next/headers";
import { createVisitorToken, visitorCookie } from "#lib/auth/cookies/visitor-token.ts";
import { limitVisitor } from "#lib/auth/limit-attempts.ts";
import { attemptsFromAddress } from "#lib/auth/sign-in-limits.ts";
import { createVisitor, findVisitor, isTryItOn } from "#lib/auth/visitors.ts";
import { RequestError } from "#lib/errors.ts";
import { addressIn } from "#lib/net/caller-address.ts";
import type { VisitorCaller } from "../../definition/access.ts";
import { requireOwnPage } from "./session.ts";

/**
 * The visitor of the request's cookie. A write makes a new visitor if there is none, and counts for the network
 * address, so that no one gets more runs by dropping the cookie. Throws `not_found` if trying is turned off or a
 * read has no visitor, `forbidden` for a write that did not come from a page of this service, and `rate_limited`.
 */
export async function requireVisitor(request: Request): Promise<VisitorCaller> {
  if (!(await isTryItOn())) {
    throw new RequestError("not_found", "Running without an account is turned off.");
  }
  requireOwnPage(request);
  const jar = await cookies();
  const isWrite = request.method === "POST";
  if (isWrite) {
    await limitVisitor(attemptsFromAddress("visitorAddress", addressIn(request.headers)));
  }
  const found = await findVisitor(jar.get(visitorCookie.name)?.value);
  if (found) return { account: found };
  if (!isWrite) throw new RequestError("not_found", "There is no such job.");
  const account = await createVisitor();
  jar.set(visitorCookie.name, createVisitorToken(account.id), visitorCookie.options);
  return { account };
}
