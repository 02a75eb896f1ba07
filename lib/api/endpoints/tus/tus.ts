import { db } from "#lib/db/client.ts";
import { findUnexpiredUpload, type UploadRow } from "#lib/db/queries/files/uploads.ts";
import { RequestError } from "#lib/errors.ts";
import { checksumAlgorithms } from "#lib/jobs/uploads/append-upload.ts";
import { isUploadLink } from "#lib/jobs/view/links.ts";
import type { RequestContext } from "../../definition/endpoint.ts";
import { respondToAnyOrigin } from "../uploads/cross-origin-uploads.ts";

/** What the endpoints of tus 1.0 (https://tus.io/protocols/resumable-upload) have in common. */

export const tusVersion = "1.0.0";

/** What the service announces to `OPTIONS`. */
export const tusCapabilities = {
  "Tus-Resumable": tusVersion,
  "Tus-Version": tusVersion,
  "Tus-Extension": "creation,expiration,checksum,termination",
  "Tus-Checksum-Algorithm": checksumAlgorithms.join(),
};

/**
 * A signed link whose uploads may have expired: then the response is 410. Clients that can only send POST name the
 * method in a header.
 */
export const tusLink = {
  access: "signedLink",
  takesMethodOverride: true,
  verifyLink: ({ id = "" }: Readonly<Record<string, string>>, signature) =>
    isUploadLink(id, signature),
  linkError: () =>
    new RequestError("forbidden", "This upload URL is not valid. Create a new upload."),
} as const satisfies {
  access: "signedLink";
  takesMethodOverride: true;
  verifyLink: (
    params: Readonly<Record<string, string>>,
    signature: Parameters<typeof isUploadLink>[1],
  ) => boolean;
  linkError: () => Error;
};

/** Responds to a request of tus. `respond` gets the upload. */
export function respondToTus(
  context: RequestContext,
  id: string,
  respond: (upload: UploadRow) => Promise<Response>,
): Promise<Response> {
  const checked = async () => {
    requireVersion(context.request);
    return respond(await requireTusUpload(id));
  };
  return respondToAnyOrigin(context, checked, { "Tus-Resumable": tusVersion });
}

/** Throws `precondition_failed` unless the request is one of the version that the service speaks. */
export function requireVersion({ headers }: Request): void {
  if (headers.get("tus-resumable") === tusVersion) return;
  const message = `\`Tus-Resumable\` must be ${tusVersion}.`;
  const supported = { "Tus-Version": tusVersion };
  throw new RequestError("precondition_failed", message, { headers: supported });
}

/** Headers that say how long an upload can be sent. */
export function expiryHeader({ expiresAt }: UploadRow): Record<string, string> {
  return { "Upload-Expires": expiresAt.toUTCString() };
}

async function requireTusUpload(id: string): Promise<UploadRow> {
  const upload = await findUnexpiredUpload(db(), id);
  if (!upload) {
    throw new RequestError("gone", "This upload has expired or was deleted. Create a new one.");
  }
  if (upload.method === "tus") return upload;
  throw new RequestError("not_found", "This upload was not created with the method tus.");
}
