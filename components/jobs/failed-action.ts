import { describeFailure } from "#components/forms/describe-failure.ts";

/** The result of a server action of a job that has failed. */
export const toFailedAction = (
  error: unknown,
): { readonly error: string; readonly jobId?: string } => ({
  error: describeFailure(error),
});
