import { headers } from "next/headers";
import { provenanceOf } from "../origin.ts";

/** Throws where a form was not sent by one of our own pages. For forms that need nobody signed in. */
export async function requireOwnPage(): Promise<void> {
  if (provenanceOf(await headers()) === "foreign") {
    throw new Error("a form was sent from another site");
  }
}
