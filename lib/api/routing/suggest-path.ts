import { suggestOperations } from "#lib/operations/catalogue/suggest.ts";
import { editDistance, maxErrors } from "#lib/typos/edit-distance.ts";
import { endpoints } from "../endpoints/index.ts";

const operationPath = "/v1/{group}/{operation}";

/** The documented paths under `/v1` by their segments. Operations are suggested by their own names. */
const known = [
  ...new Set(
    endpoints
      .filter(
        ({ path, internal }) => path.startsWith("/v1/") && !internal && path !== operationPath,
      )
      .map(({ path }) => path),
  ),
].map((path) => ({ path, segments: path.split("/") }));

/**
 * What an unknown path was probably meant to be, at most three paths with their placeholders: `/v1/jobs/{id}` for
 * `/v1/job/job_123`.
 */
export function suggestPaths(pathname: string): string[] {
  const segments = pathname.slice(0, 200).replace(/\/+$/, "").split("/");
  let least = Number.POSITIVE_INFINITY;
  let found: string[] = [];
  for (const { path, segments: wanted } of known) {
    const errors = countErrors(segments, wanted);
    if (errors > least || errors === Number.POSITIVE_INFINITY) continue;
    if (errors < least) found = [];
    least = errors;
    found.push(path);
  }
  if (found.length > 0) return found.slice(0, 3);
  const [, version, ...rest] = segments;
  return version === "v1" ? suggestOperations(rest.join("/")).map((id) => `/v1/${id}`) : [];
}

/** The errors of typing between a path and one with placeholders; Infinity if it cannot have been meant. */
function countErrors(given: readonly string[], wanted: readonly string[]): number {
  if (given.length !== wanted.length) return Number.POSITIVE_INFINITY;
  let errors = 0;
  for (const [at, segment] of wanted.entries()) {
    const own = given[at] ?? "";
    if (!segment.startsWith("{")) errors += editDistance(own, segment, maxErrors(segment));
  }
  return errors;
}
