"use server";

import { revalidatePath } from "next/cache";
import { filterQuery } from "#components/jobs/list/filters.ts";
import { requireAccount } from "#lib/auth/session.ts";
import { db } from "#lib/db/client.ts";
import { deleteSavedView, maxSavedViews, saveView } from "#lib/db/queries/accounts/saved-views.ts";
import { parseFilters } from "#lib/jobs/view/job-filters.ts";

/** The longest name of a view, in characters. */
const maxName = 40;

/** Saves the filters of `query` under a name. Returns why that is not possible, or undefined. */
export async function saveJobView(name: string, query: string): Promise<string | undefined> {
  const account = await requireAccount();
  const cleaned = String(name).replaceAll("\0", "").trim().slice(0, maxName);
  if (cleaned === "") return "Enter a name.";
  const filters = parseFilters(Object.fromEntries(new URLSearchParams(String(query))));
  const view = { name: cleaned, query: filterQuery(filters).toString() };
  if (view.query === "") return "Set a filter first.";
  const isSaved = await saveView(db(), account.id, view);
  if (!isSaved) return `You can save ${maxSavedViews} views. Delete one first.`;
  revalidatePath("/dashboard/jobs", "page");
  return undefined;
}

export async function deleteJobView(name: string): Promise<void> {
  const account = await requireAccount();
  await deleteSavedView(db(), account.id, String(name));
  revalidatePath("/dashboard/jobs", "page");
}
