import { EventEmitter } from "node:events";

/** Reports, while jobs run, that an engine could not be started: it is missing, or a warm process failed to start. */
const failures = new EventEmitter<{ failure: [engine: string] }>();

/** Adds a listener, which is called with the name of an engine, or of a pool of warm processes. */
export function onEngineFailure(listener: (engine: string) => void): () => void {
  failures.on("failure", listener);
  return () => failures.off("failure", listener);
}

export function reportEngineFailure(engine: string): void {
  failures.emit("failure", engine);
}
