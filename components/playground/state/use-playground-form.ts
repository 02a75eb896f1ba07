"use client";

import {
  type FormEvent,
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from "react";
import type { CatalogueEntry } from "#components/catalogue/entry.ts";
import type { JobActionHandlers } from "#components/jobs/job-actions.tsx";
import type { UnavailableOperation } from "#lib/api/job-creation/unavailable-operations.ts";
import type { HostUploads } from "#lib/jobs/accept/host-uploads.ts";
import type { JobDetails } from "#lib/jobs/view/details.ts";
import { useBatch } from "../batch/use-batch.ts";
import type { FormConnections } from "../connections/context.ts";
import { createTypeCheck, findWrongType } from "../form/check-type.ts";
import { assignChainError, type FormError } from "../form/form-error.ts";
import type { FormOperation } from "../form/form-field.ts";
import type { FormStart } from "../form/form-start.ts";
import { takeHandedFiles } from "../form/handed-files.ts";
import { noOptions } from "../form/job-options.ts";
import { useFormError } from "../form/use-form-error.ts";
import { findWrongValue } from "../form/validate-form.ts";
import { carryValues } from "../form/values.ts";
import type { SentForm } from "../steps/run-request.ts";
import { createStep, findBroken, restoreSteps } from "../steps/step.ts";
import { useSteps } from "../steps/use-steps.ts";
import { useDroppedFiles } from "./use-dropped-files.ts";
import { useRun } from "./use-run.ts";
import { useSavedForm } from "./use-saved-form.ts";
import { useSources } from "./use-sources.ts";
import { useSubmission } from "./use-submission.ts";

export type PlaygroundForm = NonNullable<ReturnType<typeof usePlaygroundForm>>;

export interface PlaygroundProps {
  readonly operations: readonly FormOperation[];
  /** The operations as they are searched. */
  readonly entries: readonly CatalogueEntry[];
  readonly start: FormStart;
  /** The plan's maximum file size; null is unlimited. */
  readonly maxFileBytes: number | null;
  /** How files are sent to this host. */
  readonly uploads: HostUploads;
  readonly baseUrl: string;
  readonly connections: FormConnections;
  /** The account to which a form that this tab keeps belongs. */
  readonly accountId: string;
  readonly cancel: JobActionHandlers["cancel"];
  /** The operations that this installation cannot run. */
  readonly unavailable: readonly UnavailableOperation[];
  /** Whether the account may change the settings of the service. */
  readonly isOperator: boolean;
}

/**
 * The playground's form: its steps, files and options, its errors, and the job that was sent. Undefined if there is no
 * operation.
 */
export function usePlaygroundForm(props: PlaygroundProps) {
  const { operations, start, maxFileBytes, uploads, accountId, cancel, unavailable } = props;
  const find = (id: string) => operations.find((operation) => operation.id === id);
  const steps = useSteps(() => {
    const first = find(start.operation) ?? operations[0];
    if (!first) return [];
    return [createStep(first, start.values), ...restoreSteps(start.following ?? [], operations)];
  }, start.fix?.step);
  const [first] = steps.list;
  const step = steps.list[steps.active] ?? first;
  const isChain = steps.list.length > 1;
  const takes = useMemo(() => createTypeCheck(operations), [operations]);
  const form = useRef<HTMLFormElement>(null);
  const shownError = useFormError(form, () => {
    const chosen = steps.list.map(({ operation }) => operation);
    return first && start.error
      ? assignChainError(chosen, start.error.message, start.error.code)
      : undefined;
  });
  const { error, set: setError, clear: clearError } = shownError;
  const [options, setOptions] = useState(start.options ?? noOptions);
  const [details, setDetails] = useState<JobDetails>();
  const files = useSources({ initialFiles: start.files ?? [], accountId, onChange: clearError });
  const { sources, loading } = files;
  const batch = useBatch(uploads, cancel);
  const takeDropped = useDroppedFiles(first?.operation, files, batch);
  const setValue = (name: string, value: string) => {
    steps.change((before) => ({ ...before, values: { ...before.values, [name]: value } }));
    clearError(name);
  };
  const run = useRun(uploads, (message, code) => {
    const chosen = steps.list.map(({ operation }) => operation);
    showError(assignChainError(chosen, message, code));
  });
  useSavedForm({
    accountId,
    steps: steps.list,
    options,
    sources,
    jobId: run.state.kind === "accepted" ? run.state.jobId : null,
    restore(form) {
      const saved = restoreSteps(form.steps, operations);
      if (saved.length === 0) return;
      steps.replace(saved);
      if (form.options) setOptions(form.options);
      if (form.jobId !== null) run.resume(form.jobId);
    },
    addSources: (part, added) => files.change(part, (before) => [...before, ...added]),
  });
  const takeHanded = useEffectEvent(() => {
    const handed = takeHandedFiles();
    if (handed.length > 0) void takeDropped(handed);
  });
  useEffect(() => takeHanded(), []);
  // A file of another type is named as soon as it is chosen.
  const checkFiles = useEffectEvent(() => {
    const wrong = first && findWrongType(first.operation, sources, takes);
    if (wrong) setError({ ...wrong, keepsFocus: true });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other files are checked.
  useEffect(() => checkFiles(), [sources]);
  const count = first?.operation.files.some(({ count }) => count.max === 1)
    ? batch.files.length
    : 0;
  const current: SentForm = { steps: steps.list, sources, options };
  const { sent, submit, runBatch, panel } = useSubmission({
    form: current,
    run,
    batch,
    isBatch: count > 0,
    maxFileBytes,
    takes,
    setError,
    showError,
  });
  if (!first || !step) return undefined;
  const { operation, values } = step;
  const broken = findBroken(steps.list);
  const notSetUp = unavailable.find(({ id }) =>
    steps.list.some(({ operation }) => operation.id === id),
  );
  const isOpen = batch.run !== undefined && batch.run.endedAt === undefined;
  const isBusy = run.state.kind === "sending" || loading || isOpen;
  const isBlocked = notSetUp !== undefined || broken !== undefined || isBusy;

  function showError(next: FormError) {
    setError(next);
    steps.activate(next.step ?? 0);
  }

  /** Names a value that is not allowed when its field is left, without taking the focus back. */
  function checkValue(name: string) {
    const wrong = findWrongValue(operation, values, name);
    if (wrong && !error) setError({ ...wrong, step: steps.active, keepsFocus: true });
  }

  function choose(id: string, format?: string) {
    const next = find(id);
    const named = format === undefined ? undefined : { format };
    if (!next || (next === operation && !named)) return;
    steps.change((before) => ({
      ...before,
      operation: next,
      values: { ...carryValues(before.values, before.operation, next), ...named },
    }));
    setError(steps.active === 0 ? findWrongType(next, sources, takes) : undefined);
    run.reset();
    if (!isChain) {
      window.history.replaceState(null, "", `/dashboard/playground?operation=${id}`);
    }
  }

  function add(id: string, format?: string, at?: number) {
    const added = find(id);
    if (added) steps.add(added, format === undefined ? {} : { format }, at);
    setError(undefined);
    run.reset();
  }

  function submitForm(event?: FormEvent) {
    event?.preventDefault();
    if (!isBlocked) void submit();
  }

  function submitByKey(event: KeyboardEvent) {
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) submitForm();
  }

  return {
    /** The form's element. */
    element: form,
    steps,
    first,
    /** The step that is shown. */
    step,
    isChain,
    /** Whether one job of one operation is run: neither a chain nor a batch. */
    isSingle: count === 0 && !isChain,
    takes,
    files,
    takeDropped,
    batch,
    /** How many files the operation runs on, each in a job of its own; 0 without a batch. */
    batchCount: count,
    options,
    setOptions,
    setValue,
    checkValue,
    choose,
    add,
    /** What is sent now. */
    current,
    broken,
    notSetUp,
    shownError,
    isBlocked,
    submit: submitForm,
    submitByKey,
    run,
    runBatch,
    /** The form that was sent last, unless as a batch; undefined before. */
    sent,
    panel,
    details,
    setDetails,
  };
}
