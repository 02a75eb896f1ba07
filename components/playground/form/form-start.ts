import type { FormValues } from "./form-field.ts";
import type { JobOptions } from "./job-options.ts";
import type { SavedStep } from "./saved-form.ts";

/** An input file of an earlier job. */
export interface InitialFile {
  readonly part: string;
  readonly name: string;
  /** Where the stored file is; null if it must be fetched from `sourceUrl` again. */
  readonly url: string | null;
  readonly sourceUrl: string | null;
}

/** A correction that the form starts with. */
export interface StartFix {
  readonly before: string;
  readonly after: string;
  /** The index of the step that was corrected. Default: the first. */
  readonly step?: number | undefined;
}

/** What the form shows at first. */
export interface FormStart {
  readonly operation: string;
  /** The values of an earlier job. Default: the operation's defaults. */
  readonly values?: FormValues;
  /** The further operations of a chain. */
  readonly following?: readonly SavedStep[];
  readonly files?: readonly InitialFile[];
  readonly options?: JobOptions;
  /** Whether the values are those of a link, which someone else may have made. */
  readonly isLinked?: boolean;
  /** Why the request or job with these values failed. Its field gets the focus. */
  readonly error?: { readonly message: string; readonly code: string | null };
  /** What was corrected in the values of an earlier request, as text: `widht: 800` is `width: 800` now. */
  readonly fix?: StartFix;
}
