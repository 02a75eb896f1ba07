"use client";

import { useEffect, useEffectEvent, useRef } from "react";
import { type JobOptions, withoutPresignedUrl } from "../form/job-options.ts";
import {
  attemptStorage,
  filesOf,
  mayHaveFiles,
  readSavedForm,
  type SavedForm,
  tabId,
  urlsOf,
  withoutSecrets,
  writeSavedForm,
} from "../form/saved-form.ts";
import type { Source, Sources } from "../form/source.ts";
import type { Step } from "../steps/step.ts";

/** The delay between the last change of the files and their copy, in milliseconds. */
const saveFilesMs = 300;

interface UseSavedFormOptions {
  readonly accountId: string;
  readonly steps: readonly Step[];
  readonly sources: Sources;
  readonly options: JobOptions;
  readonly jobId: string | null;
  /** Fills the form with what was kept. */
  readonly restore: (form: SavedForm) => void;
  /** Adds files and URLs that were kept. */
  readonly addSources: (part: string, sources: readonly Source[]) => void;
}

const loadStore = () => import("../form/saved-files.ts");

/**
 * Keeps the form in this tab, so that a reload, the Back button or a new sign-in does not lose it. Files are copied
 * into the browser's own database. A browser that forbids storage keeps nothing.
 */
export function useSavedForm(props: UseSavedFormOptions): void {
  const { accountId, steps, options, sources, jobId, restore, addSources } = props;
  const isRestored = useRef(false);
  /** Whether the browser's database may have files of this tab. */
  const hasFiles = useRef(false);
  const restoreOnce = useEffectEvent(async () => {
    hasFiles.current = attemptStorage(mayHaveFiles) ?? false;
    const form = attemptStorage(() => readSavedForm(accountId));
    if (form) {
      restore(form);
      for (const [part, urls] of Object.entries(form.urls)) {
        addSources(
          part,
          urls.map((url) => ({ kind: "url", url })),
        );
      }
      const files = await loadStore()
        .then(({ loadFiles }) => loadFiles(tabId(), accountId))
        .catch(() => ({}));
      for (const [part, list] of Object.entries(files)) {
        addSources(
          part,
          list.map((file) => ({ kind: "file", file })),
        );
      }
    }
    isRestored.current = true;
  });
  useEffect(() => void restoreOnce(), []);

  const saveForm = useEffectEvent(() => {
    if (!isRestored.current) return;
    attemptStorage(() =>
      writeSavedForm({
        accountId,
        search: window.location.search,
        steps: steps.map(({ operation, values }) => ({
          operation: operation.id,
          values: withoutSecrets(operation, values),
        })),
        options: withoutPresignedUrl(options),
        urls: urlsOf(sources),
        jobId,
      }),
    );
  });
  // Written at once: the page can be left right after a change.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the form is kept.
  useEffect(() => saveForm(), [steps, options, sources, jobId]);

  const saveFiles = useEffectEvent(async () => {
    if (!isRestored.current) return;
    const files = filesOf(sources);
    const isEmpty = Object.keys(files).length === 0;
    if (isEmpty && !hasFiles.current) return;
    hasFiles.current = true;
    await loadStore()
      .then((store) => store.saveFiles(tabId(), accountId, files))
      .catch(() => {
        // Without room, permission or a connection, the files are chosen again after a reload.
      });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the files is kept.
  useEffect(() => {
    const timer = setTimeout(saveFiles, saveFilesMs);
    return () => clearTimeout(timer);
  }, [sources]);
}
