/**
 * How steps are reported to Inngest: each one in a request of its own when it ends, while the function
 * goes on. More than one would be sent in the response that ends the run, and Inngest handles these
 * concurrently: it then enqueues next steps of a run that has ended, and each of them keeps a slot for
 * 30 seconds. `maxRuntime` 0: by default, the SDK would start the steps after five minutes in another
 * request, perhaps on another runner.
 */
export const stepReporting = { bufferedSteps: 1, maxRuntime: 0 };
