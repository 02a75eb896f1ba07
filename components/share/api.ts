import type { ShareEntry } from "#lib/api/endpoints/shares/share-entry.ts";

/** What a share is made with; see the endpoint. */
export interface NewShare {
  readonly days: number;
  readonly title: string | null;
  readonly filename: string | null;
  readonly with_input: boolean;
}

/** Shares the result of a job. Throws an error with the message of the service. */
export async function createShare(jobId: string, share: NewShare): Promise<ShareEntry> {
  const response = await fetch(sharesPath(jobId), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(share),
  });
  return readJson(response);
}

/** The shares of a job, newest first. */
export async function listShares(jobId: string, signal: AbortSignal): Promise<ShareEntry[]> {
  const { shares } = await readJson<{ shares: ShareEntry[] }>(
    await fetch(sharesPath(jobId), { signal }),
  );
  return shares;
}

export async function revokeShare(id: string): Promise<void> {
  const response = await fetch(`/dashboard/api/shares/${id}`, { method: "DELETE" });
  // One that has expired or was revoked in another window is gone, as wanted.
  if (!response.ok && response.status !== 404) await readJson(response);
}

const sharesPath = (jobId: string) => `/dashboard/api/jobs/${jobId}/shares`;

async function readJson<Body>(response: Response): Promise<Body> {
  const body = await response.json();
  if (!response.ok) throw new Error(body.error ?? `The service responded with ${response.status}.`);
  return body;
}
