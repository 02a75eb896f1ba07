/**
 * How steps are reported to Inngest. They only describe what this process does and are not needed to
 * continue, so several are sent at once, at the latest with the end of the run: a request for each
 * would cost Inngest more than the run itself. `maxRuntime` 0: by default, the SDK would start the steps
 * after five minutes in another request, perhaps on another runner.
 */
export const stepReporting = { bufferedSteps: 30, maxRuntime: 0 };
