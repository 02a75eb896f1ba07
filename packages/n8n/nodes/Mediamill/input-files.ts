import { randomUUID } from "node:crypto";
import { type IBinaryData, type IExecuteFunctions, NodeOperationError } from "n8n-workflow";
import { request, type ServiceResponse, serviceError } from "./service.ts";

/** Binary fields of items as inputs of jobs. They are uploaded first, so that they can have any size. */

interface Upload {
  readonly id: string;
  readonly url: string;
  readonly method: "PUT";
  readonly headers: Record<string, string>;
}

/** Uploads a binary field; returns the ID that a job takes as its input. */
export async function uploadBinary(
  context: IExecuteFunctions,
  itemIndex: number,
  field: string,
): Promise<string> {
  const binary = context.helpers.assertBinaryData(itemIndex, field);
  const { content, bytes } = await openBinary(context, binary);
  const upload = await request<Upload>(context, itemIndex, {
    method: "POST",
    url: "/v1/uploads",
    headers: { "Idempotency-Key": randomUUID() },
    body: { filename: binary.fileName ?? field, bytes },
  });
  // The URL is signed and may be that of an object store, which must not get the API key.
  const sent = (await context.helpers.httpRequest({
    url: upload.url,
    method: upload.method,
    headers: {
      "Content-Type": "application/octet-stream",
      ...upload.headers,
      "Content-Length": `${bytes}`,
    },
    body: content,
    returnFullResponse: true,
    ignoreHttpStatusErrors: true,
  })) as ServiceResponse;
  if (sent.statusCode >= 400) throw serviceError(context, itemIndex, sent);
  return upload.id;
}

/** Binary data is in memory, as Base64, or in a store, from which it is streamed. */
async function openBinary({ helpers }: IExecuteFunctions, { id, data }: IBinaryData) {
  if (id === undefined) {
    const content = Buffer.from(data, "base64");
    return { content, bytes: content.length };
  }
  const { fileSize } = await helpers.getBinaryMetadata(id);
  return { content: await helpers.getBinaryStream(id), bytes: fileSize };
}

/** The names of binary fields in `list`, which is separated by commas or `*` for all of the item. */
export function listFields(context: IExecuteFunctions, itemIndex: number, list: string): string[] {
  if (list.trim() === "*") return Object.keys(context.getInputData()[itemIndex]?.binary ?? {});
  const names = list.split(",").map((name) => name.trim());
  return names.filter((name) => name !== "");
}

/** A file that is named by a URL, the ID of an upload, or a binary field. */
export function resolveFile(
  context: IExecuteFunctions,
  itemIndex: number,
  value: string,
): Promise<string> | string {
  const isRemote = /^https?:\/\//i.test(value) || value.startsWith("upload_");
  return isRemote ? value : uploadBinary(context, itemIndex, value);
}

/** The URLs of the field, without empty ones. */
export function requireFiles(
  context: IExecuteFunctions,
  itemIndex: number,
  files: string[],
): string[] {
  const given = files.filter((file) => file !== "");
  if (given.length > 0) return given;
  const message = "There is no input file. Name a binary field that the item has, or a URL.";
  throw new NodeOperationError(context.getNode(), message, { itemIndex });
}
