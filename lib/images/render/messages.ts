import { z } from "zod";
import type { PlanName } from "#lib/plans.ts";
import type { ImagePlan, InfoKind, PictureFormat } from "../plan/plan.ts";

/** What the web process asks a media runner for. */

/** The name of the call; see `lib/calls`. */
export const renderCall = "picture";

/** Where the bytes of a source are. */
export type SourceLocation =
  | { readonly kind: "url"; readonly url: string }
  /** `conn_…:path` */
  | { readonly kind: "connection"; readonly reference: string }
  | ({ readonly kind: "stored" } & StoredSource);

/** A file that the account has sent before. */
export interface StoredSource {
  readonly key: string;
  /** The only version that is read, if the file can be replaced. */
  readonly version?: string;
  readonly filename: string;
}

export interface RenderRequest {
  readonly accountId: string;
  readonly accountPlan: PlanName;
  readonly source: SourceLocation;
  /** The source as purges name it. */
  readonly sourceName: string;
  readonly plan: Partial<ImagePlan>;
  readonly preferred: readonly PictureFormat[];
  /** What is asked for as JSON, in place of a picture. */
  readonly info: InfoKind | null;
  /** Where the result is stored. */
  readonly storageKey: string;
  /** When the source was asked for, in milliseconds since the epoch. */
  readonly createdAt: number;
}

export const renderReplySchema = z.object({
  /** The size of the source in bytes. */
  sourceBytes: z.number().int().min(0),
});

export type RenderReply = z.output<typeof renderReplySchema>;
