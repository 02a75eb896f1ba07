"use client";

import { useEffect, useRef, useState } from "react";
import type { JobActionHandlers } from "#components/jobs/job-actions.tsx";
import { toast } from "#components/ui/toast/toast.ts";
import { notLoadedMessage } from "#components/ui/use-lazy-component.ts";
import type { HostUploads } from "#lib/jobs/accept/host-uploads.ts";
import type { DroppedFile } from "../form/dropped-files.ts";
import type { BatchItem, ItemState } from "./batch.ts";
import type { PreparedBatch } from "./prepare-batch.ts";
import type { BatchPause } from "./run-batch.ts";

/** Files that one form is run on, and what became of each. */
export interface Batch {
  /** The chosen files; none if the form is for a single one. */
  readonly files: readonly DroppedFile[];
  /** Chooses other files. While a run goes on, shows a message instead and returns false. */
  readonly choose: (files: readonly DroppedFile[]) => boolean;
  /** The run; undefined before it starts. */
  readonly run: BatchRun | undefined;
  readonly start: (prepared: PreparedBatch) => void;
  /** Runs files again that have failed or were cancelled. */
  readonly retry: (indices: readonly number[], prepared: PreparedBatch) => void;
  readonly cancel: () => void;
}

export interface BatchRun {
  readonly id: string;
  readonly items: readonly BatchItem[];
  readonly pause: BatchPause | undefined;
  /** Milliseconds since 1970; `endedAt` is undefined while files are open. */
  readonly startedAt: number;
  readonly endedAt: number | undefined;
}

// Most visits of a page send no batch.
const load = () => import("./process-batch.ts").then(({ processBatch }) => processBatch);

/** Runs a form on many files. */
export function useBatch(uploads: HostUploads, cancelJob: JobActionHandlers["cancel"]): Batch {
  const [files, setFiles] = useState<readonly DroppedFile[]>([]);
  const [run, setRun] = useState<BatchRun>();
  /** Of the run that goes on. */
  const controller = useRef<AbortController>(undefined);
  const attempts = useRef(0);
  const isOpen = run !== undefined && run.endedAt === undefined;
  useEffect(() => () => controller.current?.abort(), []);
  // What is not sent yet would be lost with the page.
  useEffect(() => {
    if (!isOpen) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [isOpen]);

  function choose(next: readonly DroppedFile[]): boolean {
    // A run that was cancelled may still be ending.
    if (controller.current && !controller.current.signal.aborted) {
      toast.error("The files of a batch are being processed. Cancel the batch first.");
      return false;
    }
    setFiles(next);
    setRun(undefined);
    return true;
  }

  function setState(index: number, state: ItemState) {
    setRun((before) => {
      if (!before) return before;
      const items = before.items.map((one) => (one.index === index ? { ...one, state } : one));
      return { ...before, items };
    });
  }

  async function process(run: BatchRun, indices: readonly number[], prepared: PreparedBatch) {
    const started = new AbortController();
    controller.current = started;
    const { signal } = started;
    const attempt = ++attempts.current;
    const processBatch = await load().catch(() => undefined);
    if (processBatch) {
      const onState = (index: number, state: ItemState) => {
        if (controller.current?.signal === signal) setState(index, state);
      };
      const onPause = (pause: BatchRun["pause"]) =>
        setRun((before) => before && { ...before, pause });
      await processBatch(
        { run, indices, prepared, attempt, uploads, cancelJob, onState, onPause },
        signal,
      );
    } else {
      toast.error(notLoadedMessage);
    }
    end(signal);
  }

  /** Records that the run with `signal` has ended, unless another one has begun. */
  function end(signal: AbortSignal) {
    if (controller.current?.signal !== signal) return;
    controller.current = undefined;
    setRun((before) => before && { ...before, endedAt: Date.now() });
  }

  /** Starts the files for which nothing is wrong; the others have failed at once. */
  function begin(before: BatchRun, indices: readonly number[], prepared: PreparedBatch) {
    const chosen = new Set(indices);
    const items = before.items.map((item): BatchItem => {
      if (!chosen.has(item.index)) return item;
      const error = prepared.problemOf(item);
      return { ...item, state: error ? { kind: "failed", error } : { kind: "waiting" } };
    });
    const next = { ...before, items, endedAt: undefined };
    setRun(next);
    const open = items.filter(({ index, state }) => chosen.has(index) && state.kind === "waiting");
    void process(
      next,
      open.map(({ index }) => index),
      prepared,
    );
  }

  return {
    files,
    choose,
    run,
    start(prepared) {
      controller.current?.abort();
      const waiting = { kind: "waiting" } as const;
      const items = files.map((one, index) => ({ ...one, index, state: waiting }));
      const id = `batch-${crypto.randomUUID()}`;
      const fresh = { id, items, pause: undefined, startedAt: Date.now(), endedAt: undefined };
      begin(
        fresh,
        items.map(({ index }) => index),
        prepared,
      );
    },
    retry(indices, prepared) {
      if (run && run.endedAt !== undefined)
        begin({ ...run, startedAt: Date.now() }, indices, prepared);
    },
    cancel: () => controller.current?.abort(),
  };
}
