import type { LoadPlan } from "./load.ts";

/** A multipart request that creates a job with `file` as its input and waits for its end. */
export function uploadAndWait(
  { url, apiKey }: { readonly url: string; readonly apiKey: string },
  operation: string,
  file: { readonly name: string; readonly bytes: Uint8Array },
  fields: Readonly<Record<string, string>> = {},
): Omit<LoadPlan, "clients"> {
  const boundary = "----mediamill-bench-boundary";
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = `${parts.join("")}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${file.name}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  const body = Buffer.concat([
    Buffer.from(head),
    file.bytes,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return {
    url: `${url}/v1/${operation}`,
    method: "POST",
    headers: {
      "x-api-key": apiKey,
      prefer: "wait=60",
      "content-type": `multipart/form-data; boundary=${boundary}`,
    },
    body: body.toString("base64"),
    status: 200,
    contains: '"status":"completed"',
  };
}

/** A JSON request that creates a job with the file at `input`, and does not wait. */
export function createFromUrl(
  { url, apiKey }: { readonly url: string; readonly apiKey: string },
  operation: string,
  input: string,
): Omit<LoadPlan, "clients"> {
  return {
    url: `${url}/v1/${operation}`,
    method: "POST",
    headers: { "x-api-key": apiKey, "content-type": "application/json" },
    body: Buffer.from(JSON.stringify({ input })).toString("base64"),
    status: 202,
  };
}
