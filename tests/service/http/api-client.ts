import type { Job } from "#lib/jobs/view/job.ts";

export interface UploadPart {
  readonly bytes: Uint8Array | string;
  readonly filename: string;
  readonly contentType?: string;
}

/** A field of a form: text or a file. */
export type FormValue = string | UploadPart;

/** A client of a running service, with one account's key. */
export class ApiClient {
  readonly key: string;
  readonly #url: string;

  /** The constructor takes the service's URL, without a trailing slash. */
  constructor(url: string, key: string) {
    this.#url = url;
    this.key = key;
  }

  /** Sends a request with the key; `path` starts with a slash. */
  request(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (!headers.has("x-api-key")) headers.set("x-api-key", this.key);
    return fetch(`${this.#url}${path}`, { ...init, headers, redirect: "manual" });
  }

  postJson(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return this.request(path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  }

  postForm(
    path: string,
    fields: Record<string, FormValue | readonly FormValue[]>,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const form = new FormData();
    for (const [name, values] of Object.entries(fields)) {
      for (const value of [values].flat()) {
        if (typeof value === "string") form.append(name, value);
        else form.append(name, toFile(value));
      }
    }
    return this.request(path, { method: "POST", body: form, headers });
  }

  /** Uploads a file, or several in order, to an operation and waits until the job ends. */
  async run(
    operation: string,
    file: UploadPart | readonly UploadPart[],
    params: Record<string, FormValue> = {},
  ): Promise<Job> {
    const response = await this.postForm(`/v1/${operation}`, { ...params, file });
    return this.finish(response);
  }

  /** Runs an operation with a URL as input and waits until the job ends. */
  async runUrl(
    operation: string,
    input: string,
    params: Record<string, unknown> = {},
  ): Promise<Job> {
    return this.finish(await this.postJson(`/v1/${operation}`, { input, ...params }));
  }

  async finish(accepted: Response): Promise<Job> {
    if (accepted.status !== 202) throw new Error(`${accepted.status}: ${await accepted.text()}`);
    // The response of our API; the tests of the OpenAPI document check it against the schema.
    let job = (await accepted.json()) as Job;
    while (job.status === "pending" || job.status === "processing") {
      const response = await this.request(`/v1/jobs/${job.id}?wait=60`);
      job = (await response.json()) as Job;
    }
    return job;
  }

  async download(job: Job, index = 0): Promise<Buffer> {
    const response = await this.request(`/v1/jobs/${job.id}/outputs/${index}`);
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    return Buffer.from(await response.arrayBuffer());
  }
}

function toFile({ bytes, filename, contentType }: UploadPart): File {
  const part = typeof bytes === "string" ? bytes : new Uint8Array(bytes);
  return new File([part], filename, { type: contentType ?? "application/octet-stream" });
}
