"use client";

import { createContext } from "react";
import type { BrowseConnection } from "#components/connections/browse/folder-page.ts";

/** A connection in a list to choose from. */
export interface ConnectionChoice {
  readonly id: string;
  readonly name: string;
}

/** The connections of the account, as the form offers them. */
export interface FormConnections {
  readonly readable: readonly ConnectionChoice[];
  readonly writable: readonly ConnectionChoice[];
  readonly browse: BrowseConnection;
}

/** Undefined where a form offers none. */
export const ConnectionsContext = createContext<FormConnections | undefined>(undefined);
