import { notFound } from "next/navigation";
import { requireAccount } from "#lib/auth/session.ts";

/** Every address of the dashboard that no page has: said inside the dashboard, to who is signed in. */
export default async function UnknownPage() {
  await requireAccount();
  notFound();
}
