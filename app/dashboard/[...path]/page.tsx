import { notFound } from "next/navigation";
import { requireAccount } from "#lib/auth/session.ts";

/** All other dashboard URLs: signed-in users see the dashboard's 404 page. */
export default async function UnknownPage() {
  await requireAccount();
  notFound();
}
