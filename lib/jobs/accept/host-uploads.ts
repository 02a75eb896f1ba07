import { env } from "#lib/env.ts";
import { storage } from "#lib/storage/index.ts";

/** How clients send files to this host. The API and the pages announce it. */
export interface HostUploads {
  /** Whether uploads go to the store itself. If not, they pass through this host, with its limit. */
  readonly direct: boolean;
  /** The most bytes that a request with files may have; larger files are uploaded first. Null: no limit but those of plans. */
  readonly formBytes: number | null;
}

export const hostUploads: HostUploads = {
  direct: storage().direct !== undefined,
  formBytes: env.FORM_BYTES ?? null,
};
