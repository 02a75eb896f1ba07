"use client";

import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { BrowseConnection, FolderPage } from "./folder-page.ts";

/** A folder as far as it is loaded. */
export interface LoadedFolder extends FolderPage {
  readonly path: string;
}

interface FolderState {
  /** Undefined until its first page is loaded. */
  readonly folder: LoadedFolder | undefined;
  readonly error: string | undefined;
  readonly isLoading: boolean;
}

const notLoaded = { error: "The folder could not be loaded. Try again." };

/** Loads the folders of a connection, page by page, beginning with its root. */
export function useFolder(connectionId: string, browse: BrowseConnection) {
  const [path, setPath] = useState("");
  const [state, setState] = useState<FolderState>(loading);
  const latest = useRef(0);

  async function load(next: string, before?: LoadedFolder) {
    latest.current += 1;
    const request = latest.current;
    setPath(next);
    setState({ ...loading, folder: before });
    const cursor = before?.nextCursor ?? undefined;
    const page = await browse(connectionId, next, cursor).catch(() => notLoaded);
    // Another folder was opened meanwhile.
    if (latest.current !== request) return;
    if ("error" in page) {
      setState({ folder: before, error: page.error, isLoading: false });
      return;
    }
    const folder = {
      path: next,
      folders: [...(before?.folders ?? []), ...page.folders],
      files: [...(before?.files ?? []), ...page.files],
      nextCursor: page.nextCursor,
    };
    setState({ folder, error: undefined, isLoading: false });
  }

  const loadRoot = useEffectEvent(() => void load(""));
  // biome-ignore lint/correctness/useExhaustiveDependencies: another connection has another root.
  useEffect(() => loadRoot(), [connectionId]);
  return {
    ...state,
    path,
    open: (next: string) => void load(next),
    loadMore: () => void load(path, state.folder),
    retry: () => void load(path, state.folder),
  };
}

const loading: FolderState = { folder: undefined, error: undefined, isLoading: true };
