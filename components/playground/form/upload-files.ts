import { formatBytes } from "#components/format.ts";
import type { HostUploads } from "#lib/jobs/accept/host-uploads.ts";
import { type OnProgress, sendBody } from "./send-body.ts";
import type { Source } from "./source.ts";

type PartSources = Readonly<Record<string, readonly Source[]>>;

/** The sources with the ids of uploads in the place of files, or why a file was not uploaded. */
export type UploadResult =
  | { readonly kind: "ready"; readonly sources: PartSources }
  | { readonly kind: "rejected"; readonly message: string; readonly code: string | null }
  | { readonly kind: "aborted" };

/** Whether the files are too large for one form of this host. */
export function needUpload(sources: PartSources, { formBytes }: HostUploads): boolean {
  return formBytes !== null && filesOf(sources).reduce(addSize, 0) > formBytes;
}

/**
 * Uploads files that are too large for one form, one after the other. `path` creates uploads.
 * They go to the store itself: if it takes none, this host cannot receive them in any way.
 */
export async function uploadFiles(
  path: string,
  sources: PartSources,
  { direct, formBytes }: HostUploads,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<UploadResult> {
  if (!direct) {
    const limit = formatBytes(formBytes ?? 0);
    const message = `This host accepts at most ${limit} per request. Choose smaller files, or enter URLs.`;
    return { kind: "rejected", message, code: "too_large" };
  }
  const total = filesOf(sources).reduce(addSize, 0);
  let done = 0;
  const ready: Record<string, Source[]> = {};
  for (const [part, files] of Object.entries(sources)) {
    const list: Source[] = [];
    for (const source of files) {
      // The service rejects an empty file with the form.
      if (source.kind === "url" || source.file.size === 0) {
        list.push(source);
        continue;
      }
      const before = done;
      const report = (sent: number) => onProgress(before + sent, total);
      const uploaded = await uploadFile(path, source.file, signal, report);
      if (typeof uploaded !== "string") return uploaded;
      list.push({ kind: "url", url: uploaded });
      done += source.file.size;
      onProgress(done, total);
    }
    ready[part] = list;
  }
  return { kind: "ready", sources: ready };
}

/** The id of the file's upload. */
async function uploadFile(
  path: string,
  file: File,
  signal: AbortSignal,
  onSent: (bytes: number) => void,
): Promise<string | Exclude<UploadResult, { kind: "ready" }>> {
  const created = await createUpload(path, file, signal).catch(() => undefined);
  if (signal.aborted) return { kind: "aborted" };
  if (!created) return rejected("The connection was lost. Check it and run the operation again.");
  if ("kind" in created) return created;
  const { id, url } = created;
  const sent = await sendBody({ method: "PUT", url, body: file }, signal, onSent);
  if (sent === "aborted") return { kind: "aborted" };
  // For browsers, a bucket without a rule for this page is a lost connection too.
  if (sent === "lost") {
    return rejected(
      `${new URL(url).host} could not be reached. Check the connection and try again. If it never works, the bucket needs a CORS rule that allows PUT from ${location.origin}.`,
    );
  }
  if (sent.status < 300) return id;
  return rejected(`The storage refused the file with status ${sent.status}. Try again.`);
}

async function createUpload(path: string, { name, size }: File, signal: AbortSignal) {
  const response = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ filename: name, bytes: size }),
    signal,
  });
  // Our own server responds with an upload or an error.
  const body = (await response.json()) as { id: string; url: string } | { error: string };
  if ("id" in body) return body;
  return rejected(body.error, response.headers.get("X-Error-Code"));
}

function rejected(message: string, code: string | null = null) {
  return { kind: "rejected", message, code } as const;
}

function filesOf(sources: PartSources): File[] {
  return Object.values(sources).flatMap((list) =>
    list.flatMap((source) => (source.kind === "file" ? [source.file] : [])),
  );
}

const addSize = (sum: number, { size }: File) => sum + size;
