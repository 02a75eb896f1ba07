import type { PlanName } from "#lib/plans.ts";

/** For whom a runner works. */
interface LiveCaller {
  readonly accountId: string;
  readonly plan: PlanName;
}

/** What a runner is asked to preview. */
export interface PreviewTask extends LiveCaller {
  readonly kind: "preview";
  readonly operation: string;
  /** Validated; without secrets. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The stored file; null for an operation that takes none. */
  readonly source: LiveSource | null;
}

/** Files of a job of which a runner is asked how similar or how loud they are. */
export interface MeasureTask extends LiveCaller {
  readonly kind: "measure";
  readonly media: "image" | "video" | "audio";
  /** What `output` is compared with; not needed for audio. */
  readonly input: LiveSource | null;
  readonly output: LiveSource;
}

/** A stored file of which a runner is asked for a picture: an image, a frame of a video or the first page. */
export interface CardTask extends LiveCaller {
  readonly kind: "card";
  readonly source: LiveSource;
}

export type LiveTask = PreviewTask | MeasureTask | CardTask;

/** A stored file of an account. */
export interface LiveSource {
  /** The id of the upload or job. */
  readonly id: string;
  readonly key: string;
  /** The only version that is read, if the file can be replaced. */
  readonly version?: string;
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: number;
}

/** What a runner answers. */
export type LiveResult =
  | ({ readonly kind: "shown" } & LivePicture)
  | ({ readonly kind: "measured" } & LiveMeasure)
  /** The operation rejects the file or the parameters: a sentence for people. */
  | { readonly kind: "failed"; readonly code: string; readonly message: string };

export interface LivePicture {
  /** A picture that browsers show, as Base64, of at most 512 pixels a side, or 1200 of a card. */
  readonly image: string;
  readonly contentType: string;
  /** The size of the full output in pixels, as far as it can be derived; null for documents. */
  readonly width: number | null;
  readonly height: number | null;
  /** About how many bytes the full output will have; null if that cannot be estimated. */
  readonly bytes: number | null;
  /** Whether a parameter could not be scaled exactly, so that the full output looks a little different. */
  readonly isApproximate: boolean;
  /** How long the operation took, in milliseconds. */
  readonly engineMs: number;
}

export interface LiveMeasure {
  /** The structural similarity of both pictures, from 0 to 1; null if they have different sizes, and for audio. */
  readonly ssim: number | null;
  /** The integrated loudness in LUFS (EBU R 128); null for pictures and silence. */
  readonly lufs: number | null;
}
