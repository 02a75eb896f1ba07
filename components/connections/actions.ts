import type { NeedsReauthentication } from "#lib/auth/next-auth/credentials.ts";
import type { BrowseConnection, ConnectionFault } from "./browse/folder-page.ts";
import type { ConnectionView } from "./connection-view.ts";

/** What the server does for the pages of connections. */

/** The fields of a request of the API. Those that are null are removed. */
export type ConnectionRequest = Readonly<Record<string, unknown>>;

export type SavedConnection =
  | { readonly connection: ConnectionView }
  | ConnectionFault
  | NeedsReauthentication;

/** Whether the connection works. If not, `error` says why, or why it could not be tested. */
export interface ConnectionTest {
  readonly ok: boolean;
  readonly error?: string;
}

export interface ConnectionActions {
  /** Creates a connection; with an id, changes that one. */
  readonly save: (request: ConnectionRequest, id?: string) => Promise<SavedConnection>;
  readonly test: (id: string) => Promise<ConnectionTest>;
  /** False if there is no such connection. */
  readonly remove: (id: string) => Promise<boolean>;
  readonly browse: BrowseConnection;
}
