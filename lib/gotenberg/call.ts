import type { RequestContext } from "#lib/api/definition/endpoint.ts";
import type { EntryPort } from "./authenticate.ts";
import type { GotenbergSettings } from "./base/settings.ts";

/** A request on its way through the API. */
export interface GotenbergCall {
  readonly context: RequestContext;
  readonly port: EntryPort;
  readonly settings: GotenbergSettings;
  readonly trace: string;
  readonly startedAt: number;
  readonly onJob: (id: string) => void;
}
