import { RequestError } from "#lib/errors.ts";

/** The error for a link on a page of the dashboard that is invalid or has expired. */
export function staleLink(): RequestError {
  const message = "This link is not valid or has expired. Load the page of the job again.";
  return new RequestError("forbidden", message);
}
