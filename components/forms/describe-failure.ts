import { unstable_isUnrecognizedActionError, unstable_rethrow } from "next/navigation";

/**
 * What the user can do about a server action that has failed: no response, or an error of the service. Throws
 * again what belongs to Next.js, such as the redirect to sign-in when the session has ended.
 */
export function describeFailure(error: unknown): string {
  unstable_rethrow(error);
  if (unstable_isUnrecognizedActionError(error)) {
    return "This page is from an earlier version of the service. Reload it, then try again.";
  }
  // Only errors of the service have a digest, which is in its log too.
  if (error instanceof Error && "digest" in error && error.digest) {
    return `The service has failed to do this. Try again. If this happens again, send this code to the operator: ${error.digest}`;
  }
  return "The service could not be reached. Check the connection and try again.";
}
