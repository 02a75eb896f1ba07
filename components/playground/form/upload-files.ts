import { formatBytes } from "#components/format.ts";
import type { HostUploads } from "#lib/jobs/accept/host-uploads.ts";
import {
  findUnfinished,
  type ResumableUpload,
  resumableBytes,
  sendResumable,
} from "../send/resumable-upload.ts";
import { type OnProgress, sendBody } from "../send/send-body.ts";
import type { Source } from "./source.ts";

type PartSources = Readonly<Record<string, readonly Source[]>>;

/** The sources with the ids of uploads in the place of files, or why a file was not uploaded. */
export type UploadResult =
  | { readonly kind: "ready"; readonly sources: PartSources }
  | { readonly kind: "rejected"; readonly message: string; readonly code: string | null }
  | { readonly kind: "aborted" };

/** Whether the files are too large for one form of this host, or one of them is so large that it should be resumable. */
export function needUpload(sources: PartSources, { formBytes }: HostUploads): boolean {
  const files = filesOf(sources);
  const isOverLimit = formBytes !== null && files.reduce(addSize, 0) > formBytes;
  return isOverLimit || files.some(({ size }) => size >= resumableBytes);
}

/**
 * Uploads files, one after the other. `path` creates uploads. Files that are too large for one form go to the
 * store itself: if it takes none, this host cannot receive them in any way.
 */
export async function uploadFiles(
  path: string,
  sources: PartSources,
  { direct, formBytes }: HostUploads,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<UploadResult> {
  const total = filesOf(sources).reduce(addSize, 0);
  if (!direct && formBytes !== null && total > formBytes) {
    const limit = formatBytes(formBytes);
    const message = `This host accepts at most ${limit} per request. Choose smaller files, or enter URLs.`;
    return { kind: "rejected", message, code: "too_large" };
  }
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
      const uploaded = await uploadFile(path, source.file, direct, signal, report);
      if (typeof uploaded !== "string") return uploaded;
      list.push({ kind: "url", url: uploaded });
      done += source.file.size;
      onProgress(done, total);
    }
    ready[part] = list;
  }
  return { kind: "ready", sources: ready };
}

type NotUploaded = Exclude<UploadResult, { kind: "ready" }>;

/** The id of the file's upload. */
async function uploadFile(
  path: string,
  file: File,
  isDirect: boolean,
  signal: AbortSignal,
  onSent: (bytes: number) => void,
): Promise<string | NotUploaded> {
  const method = isDirect ? "multipart" : "tus";
  const isLarge = file.size >= resumableBytes;
  const earlier = isLarge ? findUnfinished(path, file) : undefined;
  if (earlier) {
    const sent = await sendResumable(path, file, earlier, signal, onSent);
    if (sent === "sent") return earlier.upload.id;
    if (sent !== "gone") return failureOf(sent, urlOf(earlier.upload));
  }
  const created = await createUpload(path, file, isLarge ? method : "put", signal);
  if ("kind" in created) {
    // The storage of this service takes no parts.
    const isUnknown =
      isLarge && created.kind === "rejected" && created.code === "invalid_parameter";
    return isUnknown ? uploadWhole(path, file, signal, onSent) : created;
  }
  if (!isLarge) return sendWhole(created, file, signal, onSent);
  const sent = await sendResumable(path, file, { upload: created, done: [] }, signal, onSent);
  return sent === "sent" ? created.id : failureOf(sent, urlOf(created));
}

async function uploadWhole(
  path: string,
  file: File,
  signal: AbortSignal,
  onSent: (bytes: number) => void,
): Promise<string | NotUploaded> {
  const created = await createUpload(path, file, "put", signal);
  return "kind" in created ? created : sendWhole(created, file, signal, onSent);
}

/** Sends a file by one request. */
async function sendWhole(
  { id, url = "" }: ResumableUpload,
  body: File,
  signal: AbortSignal,
  onSent: (bytes: number) => void,
): Promise<string | NotUploaded> {
  const sent = await sendBody({ method: "PUT", url, body }, signal, onSent);
  if (sent === "aborted" || sent === "lost") return failureOf(sent, url);
  if (sent.status < 300) return id;
  return rejected(`The storage refused the file with status ${sent.status}. Try again.`);
}

const urlOf = ({ url, parts }: ResumableUpload) => url ?? parts?.[0]?.url ?? location.origin;

/** For browsers, a bucket without a rule for this page is a lost connection too. */
function failureOf(sent: "aborted" | "lost" | "gone", url: string): NotUploaded {
  if (sent === "aborted") return { kind: "aborted" };
  if (sent === "gone") return rejected("The upload has expired. Run the operation again.");
  const { host, origin } = new URL(url);
  if (origin === location.origin) return rejected(connectionLost);
  return rejected(
    `${host} could not be reached. Check the connection and try again. If it never works, the bucket needs a CORS rule that allows PUT from ${location.origin}.`,
  );
}

const connectionLost =
  "The connection was lost. Check it and run the operation again: a large file goes on where it stopped.";

async function createUpload(
  path: string,
  { name, size }: File,
  method: "put" | "tus" | "multipart",
  signal: AbortSignal,
): Promise<ResumableUpload | NotUploaded> {
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ filename: name, bytes: size, method }),
      signal,
    });
    // Our own server responds with an upload or an error.
    const body = (await response.json()) as ResumableUpload | { error: string };
    if ("id" in body) return body;
    return rejected(body.error, response.headers.get("X-Error-Code"));
  } catch {
    if (signal.aborted) return { kind: "aborted" };
    return rejected("The connection was lost. Check it and run the operation again.");
  }
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
