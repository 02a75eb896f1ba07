import type { CallToolResult } from "@modelcontextprotocol/server";
import { ApiError, MediamillError } from "../../sdk/src/errors.ts";
import type { Job } from "../../sdk/src/job.ts";

/** Larger pictures are linked only. */
const maxPreviewBytes = 256 * 1024;

const previewTypes = new Set(["image/jpeg", "image/png", "image/webp", "image/gif"]);

/** The call's result as text that a model can read, and as data. */
export function dataResult(data: Record<string, unknown>): CallToolResult {
  return {
    content: [{ type: "text", text: JSON.stringify(data, null, 2) }],
    structuredContent: data,
  };
}

/** A job: its data, a link to each output, and the first picture if it is small. */
export async function jobResult(job: Job): Promise<CallToolResult> {
  const { id, status, operation, progress, result, warnings, error, error_code } = job.data;
  const outputs = job.outputs.map(({ data }) => data);
  const shown = {
    id,
    status,
    operation,
    progress,
    outputs,
    result,
    warnings,
    ...(error ? { error, error_code } : {}),
    ...(job.isFinal ? {} : { next: `Call get_job with the id ${id} to wait for the end.` }),
  };
  const links = job.outputs.map((output) => ({
    type: "resource_link" as const,
    uri: output.url,
    name: output.filename,
    mimeType: output.contentType,
    size: output.bytes,
  }));
  const picture = await previewOf(job);
  return {
    content: [
      { type: "text", text: JSON.stringify(shown, null, 2) },
      ...links,
      ...(picture ? [picture] : []),
    ],
    structuredContent: shown,
    ...(status === "failed" ? { isError: true } : {}),
  };
}

async function previewOf(job: Job) {
  const small = job.outputs.find(
    ({ contentType, bytes }) => previewTypes.has(contentType) && bytes <= maxPreviewBytes,
  );
  if (!small) return undefined;
  try {
    const bytes = new Uint8Array(await (await small.blob()).arrayBuffer());
    return { type: "image" as const, data: toBase64(bytes), mimeType: small.contentType };
  } catch {
    return undefined; // the link is enough
  }
}

function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let start = 0; start < bytes.length; start += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
  }
  return btoa(text);
}

/** Turns an error of the API into a result that says what to do, so that a model can correct its call. */
export async function explainErrors(
  work: () => Promise<CallToolResult>,
  hint?: string,
): Promise<CallToolResult> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MediamillError)) throw error;
    const code = error instanceof ApiError ? ` (${error.code})` : "";
    const advice = hint && error instanceof ApiError && error.status === 400 ? ` ${hint}` : "";
    return {
      content: [{ type: "text", text: `${error.message}${code}${advice}` }],
      isError: true,
    };
  }
}
