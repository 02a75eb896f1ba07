import { headers } from "next/headers";
import { classifyOrigin } from "../origin.ts";

/** Throws if another site sent the form. For forms that work without a session. */
export async function requireSameOrigin(): Promise<void> {
  if (classifyOrigin(await headers()) === "cross-origin") {
    throw new Error("the form was sent from another site");
  }
}
