import { findOperation } from "#lib/operations/catalogue/index.ts";

/**
 * Why a visitor who opened `next`, a path of this service, has to sign in: "to run “Crop image” on your own
 * file". Undefined if there is nothing to explain.
 */
export function describeNext(next: string): string | undefined {
  const { pathname, searchParams } = new URL(next, "http://localhost");
  if (pathname !== "/dashboard/playground") return undefined;
  const title = findOperation(searchParams.get("operation") ?? "")?.title;
  return title ? `to run “${title}” on your own file` : "to run an operation on your own file";
}
