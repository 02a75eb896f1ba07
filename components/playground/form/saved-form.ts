import type { FormOperation, FormValues } from "./form-field.ts";
import type { JobOptions } from "./job-options.ts";
import type { Sources } from "./source.ts";

/** A form as this tab keeps it, apart from its files. Secrets are not kept. */
export interface SavedForm {
  readonly accountId: string;
  /** The query of the page's URL, which the form belongs to. */
  readonly search: string;
  /** The operations in order: several for a chain. */
  readonly steps: readonly SavedStep[];
  /** The options of the job; absent in a form that an earlier version of the page kept. */
  readonly options?: JobOptions;
  /** URLs of inputs by part. */
  readonly urls: Readonly<Record<string, readonly string[]>>;
  /** The job of the last run. */
  readonly jobId: string | null;
}

export interface SavedStep {
  readonly operation: string;
  readonly values: FormValues;
}

const formKey = "mediamill-playground-form";
const tabKey = "mediamill-playground-tab";

/** The ID of this tab, under which its files are kept. */
export function tabId(): string {
  const id = sessionStorage.getItem(tabKey) ?? `${Date.now()}-${Math.random()}`;
  sessionStorage.setItem(tabKey, id);
  return id;
}

export function writeSavedForm(form: SavedForm): void {
  sessionStorage.setItem(formKey, JSON.stringify(form));
}

/** The form that was kept for this account and this URL. */
export function readSavedForm(accountId: string): SavedForm | undefined {
  const text = sessionStorage.getItem(formKey);
  // Written by `writeSavedForm`.
  const form = text === null ? undefined : (JSON.parse(text) as SavedForm);
  const isSame =
    form?.accountId === accountId &&
    form.search === window.location.search &&
    Array.isArray(form.steps);
  return isSame ? form : undefined;
}

/** Whether this tab may have kept files, also of another account or operation. */
export function mayHaveFiles(): boolean {
  return sessionStorage.getItem(tabKey) !== null;
}

/** The values without those of secret fields. */
export function withoutSecrets({ fields }: FormOperation, values: FormValues): FormValues {
  const secret = new Set(fields.filter((field) => field.secret).map(({ name }) => name));
  return Object.fromEntries(Object.entries(values).filter(([name]) => !secret.has(name)));
}

/** The URLs of the sources by part. */
export function urlsOf(sources: Sources): SavedForm["urls"] {
  return mapSources(sources, (source) => (source.kind === "url" ? source.url : undefined));
}

/** The files of the sources by part. */
export function filesOf(sources: Sources): Readonly<Record<string, readonly File[]>> {
  return mapSources(sources, (source) => (source.kind === "file" ? source.file : undefined));
}

function mapSources<Item>(
  sources: Sources,
  pick: (source: NonNullable<Sources[string]>[number]) => Item | undefined,
): Record<string, Item[]> {
  const items = Object.entries(sources).map(
    ([part, list = []]) => [part, list.flatMap((source) => pick(source) ?? [])] as const,
  );
  return Object.fromEntries(items.filter(([, list]) => list.length > 0));
}

/** Whether this tab keeps a form of this account for this URL. */
export function isFormSaved(accountId: string): boolean {
  return attemptStorage(() => readSavedForm(accountId)) !== undefined;
}

/** Runs `work`. Returns undefined if the browser forbids the storage, or it is full. */
export function attemptStorage<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
