import { type RefObject, useRef, useState } from "react";
import { notLoadedMessage } from "#components/ui/use-lazy-component.ts";
import { prepareBatch } from "../batch/prepare-batch.ts";
import type { Batch } from "../batch/use-batch.ts";
import type { createTypeCheck } from "../form/check-type.ts";
import type { FormError } from "../form/form-error.ts";
import type { SentForm } from "../steps/run-request.ts";
import type { useRun } from "./use-run.ts";

// What is used only to run a job is loaded with the first run.
const loadRunRequest = () => import("../steps/run-request.ts");

interface SubmissionOptions {
  readonly form: SentForm;
  readonly run: ReturnType<typeof useRun>;
  readonly batch: Batch;
  /** Whether the form runs on each file of the batch. */
  readonly isBatch: boolean;
  /** The plan's maximum file size; null is unlimited. */
  readonly maxFileBytes: number | null;
  readonly takes: ReturnType<typeof createTypeCheck>;
  readonly setError: (error: FormError | undefined) => void;
  /** Shows an error, and its step. */
  readonly showError: (error: FormError) => void;
}

interface Submission {
  /** The form of the latest run. */
  readonly sent: SentForm | undefined;
  readonly submit: () => Promise<void>;
  /** Runs the form on all files of the batch, or again on those with the indices. */
  readonly runBatch: (again?: readonly number[]) => void;
  /** The element with the result. */
  readonly panel: RefObject<HTMLDivElement | null>;
}

/** Checks the form and sends it: as one job, or as one for each file of a batch. */
export function useSubmission(options: SubmissionOptions): Submission {
  const { form, run, batch, isBatch, maxFileBytes, takes, setError, showError } = options;
  const [sent, setSent] = useState<SentForm>();
  const panel = useRef<HTMLDivElement>(null);

  async function submit() {
    const module = await loadRunRequest().catch(() => undefined);
    if (!module) return showError({ field: "form", message: notLoadedMessage });
    if (isBatch) return runBatch();
    const prepared = module.prepareRun(form, maxFileBytes, takes);
    if ("error" in prepared) return showError(prepared.error);
    if (!prepared.request) return;
    setError(undefined);
    setSent(form);
    scrollToResult();
    void run.start(prepared.request);
  }

  function runBatch(again?: readonly number[]) {
    const prepared = prepareBatch(form, batch.files, maxFileBytes, takes);
    if ("error" in prepared) return showError(prepared.error);
    setError(undefined);
    run.reset();
    if (again) return batch.retry(again, prepared);
    batch.start(prepared);
    scrollToResult();
  }

  /** On narrow pages the result is below the form. */
  function scrollToResult() {
    const top = panel.current?.getBoundingClientRect().top ?? 0;
    if (top > window.innerHeight / 2) panel.current?.scrollIntoView({ block: "start" });
  }

  return { sent, submit, runBatch, panel };
}
