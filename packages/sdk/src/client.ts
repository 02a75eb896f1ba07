import { type Chain, type ChainStep, createChain } from "./chain.ts";
import { type EventOptions, followEvents } from "./events.ts";
import { resolveFile } from "./files.ts";
import { ApiPromise, type ClientOptions, Http, jsonBody, randomKey, readJson } from "./http.ts";
import { Job } from "./job.ts";
import type { OperationId, OutputTarget, ResultOf, RunParams } from "./params.ts";
import { createJob, type RunOptions, runJob, type WaitOptions, waitForJob } from "./run.ts";
import type {
  BrowserToken,
  BrowserTokenFields,
  Connection,
  ConnectionFields,
  ConnectionFiles,
  FileInput,
  JobData,
  JobEvent,
  JobListQuery,
  JobStepData,
  OperationData,
  Upload,
  Usage,
  UsageReport,
  UsageReportQuery,
} from "./types.ts";
import { upload } from "./uploads.ts";
import { createWebhookEndpoints, type WebhookEndpoints } from "./webhook-endpoints.ts";
import { unwrapWebhook } from "./webhooks.ts";

interface Signal {
  readonly signal?: AbortSignal;
}

/** What a chain does at its end. */
interface ChainEnd {
  /** Creates the job and waits until it has ended. Throws `JobFailedError`. */
  run(options?: RunOptions & ChainFields): Promise<Job>;
  /** Creates the job and does not wait. */
  create(options?: RunOptions & ChainFields): Promise<Job>;
}

interface ChainFields {
  readonly webhook_url?: string;
  readonly metadata?: Record<string, string>;
  /** Where the outputs are sent. */
  readonly output?: OutputTarget;
  /** Whether outputs that are sent to `output` are kept by the service as well. */
  readonly keep?: boolean;
  /** Keeps the file that each operation hands to the next one; `jobs.steps` has them. */
  readonly keep_steps?: boolean;
}

/** A client of one account. It knows no operations; `Mediamill` does. */
export class Client {
  readonly #http: Http;
  readonly #groupsByName: Readonly<Record<string, readonly string[]>>;

  constructor(
    options: ClientOptions = {},
    groupsByName: Readonly<Record<string, readonly string[]>> = {},
  ) {
    this.#http = new Http(options);
    this.#groupsByName = groupsByName;
    this.webhookEndpoints = createWebhookEndpoints(this.#http);
  }

  /**
   * Runs an operation and waits until its job has ended. Throws `JobFailedError` if the job failed, and
   * `ApiError` if the service refused the request.
   */
  async run<Id extends OperationId>(
    operation: Id,
    params: RunParams<Id>,
    options: RunOptions = {},
  ): Promise<Job<ResultOf<Id>>> {
    const fields = params as Record<string, unknown>;
    const data = await runJob(this.#http, `/v1/${operation}`, fields, options);
    return new Job(data as JobData<ResultOf<Id>>, this.#http);
  }

  /** Creates a job and does not wait for it. Its `result` is null until it is completed. */
  create<Id extends OperationId>(
    operation: Id,
    params: RunParams<Id>,
    options: RunOptions = {},
  ): ApiPromise<Job<ResultOf<Id> | null>> {
    const fields = params as Record<string, unknown>;
    const sent = createJob(this.#http, `/v1/${operation}`, fields, options);
    return this.#job<ResultOf<Id> | null>(sent.then(({ response }) => response));
  }

  /** Several operations on one file, as one job: `chain(file).resize({…}).convert({…}).run()`. */
  chain(input: FileInput): Chain<ChainEnd> {
    const fieldsOf = (steps: readonly ChainStep[], options: RunOptions & ChainFields) => ({
      input,
      operations: steps,
      keep_steps: options.keep_steps,
      webhook_url: options.webhook_url,
      metadata: options.metadata,
      output: options.output,
      keep: options.keep,
    });
    return createChain<ChainEnd>(this.#groupsByName, input, (steps) => ({
      run: async (options = {}) =>
        new Job(
          await runJob(this.#http, "/v1/jobs", fieldsOf(steps, options), options),
          this.#http,
        ),
      create: async (options = {}) => {
        const fields = fieldsOf(steps, options);
        return new Job((await createJob(this.#http, "/v1/jobs", fields, options)).job, this.#http);
      },
    }));
  }

  readonly jobs = {
    get: (id: string, options: Signal & { wait?: number } = {}): ApiPromise<Job> => {
      const { wait, signal } = options;
      return this.#job(
        this.#http.send(`/v1/jobs/${id}`, { query: { wait }, signal, isJson: true }),
      );
    },
    /** Waits until the job has ended. Throws `JobFailedError`. */
    wait: async <Result = Record<string, unknown> | null>(
      job: Job<Result> | string,
      options: WaitOptions = {},
    ): Promise<Job<Result>> => {
      const data = typeof job === "string" ? (await this.jobs.get(job)).data : job.data;
      const ended = await waitForJob(this.#http, data as JobData, options);
      return new Job(ended as JobData<Result>, this.#http);
    },
    /** The account's jobs, newest first, page by page as they are read. */
    list: (query: JobListQuery & Signal = {}): AsyncGenerator<Job> => this.#list(query),
    cancel: (id: string): ApiPromise<Job> =>
      this.#job(this.#http.send(`/v1/jobs/${id}/cancel`, { method: "POST", isJson: true })),
    /** A new job with the input of one that failed or was cancelled. */
    retry: (id: string): ApiPromise<Job> =>
      this.#job(this.#http.send(`/v1/jobs/${id}/retry`, { method: "POST", headers: randomKey() })),
    /** Deletes the job's files; its record stays. */
    delete: async (id: string): Promise<void> => {
      await this.#http.send(`/v1/jobs/${id}`, { method: "DELETE" });
    },
    /** The operations of a job with their times, and what lies between them if it was kept. */
    steps: async (id: string, options: Signal = {}): Promise<JobStepData[]> => {
      const path = `/v1/jobs/${id}/steps`;
      return (await this.#http.json<{ steps: JobStepData[] }>(path, options)).steps;
    },
    /** All outputs as one ZIP file. */
    archive: (id: string, options: Signal = {}): Promise<Response> =>
      this.#http.send(`/v1/jobs/${id}/archive`, options),
  };

  readonly uploads = {
    /** Uploads a file; its `id` can be the input of jobs. */
    create: async (
      file: FileInput,
      options: Pick<RunOptions, "signal" | "onProgress"> = {},
    ): Promise<Upload> => {
      const resolved = await resolveFile(file);
      if ("url" in resolved) throw new TypeError("A URL needs no upload.");
      return upload(this.#http, resolved, options);
    },
  };

  /** Stores of the account: S3, Google Cloud Storage, Azure, SFTP, WebDAV. */
  readonly connections = {
    create: (fields: ConnectionFields): Promise<Connection> =>
      this.#http.json("/v1/connections", jsonBody("POST", fields)),
    list: async (options: Signal = {}): Promise<Connection[]> =>
      (await this.#http.json<{ data: Connection[] }>("/v1/connections", options)).data,
    get: (id: string, options: Signal = {}): Promise<Connection> =>
      this.#http.json(`/v1/connections/${id}`, options),
    /** Changes what is given. */
    update: (id: string, fields: Partial<ConnectionFields>): Promise<Connection> =>
      this.#http.json(`/v1/connections/${id}`, jsonBody("PATCH", fields)),
    delete: async (id: string): Promise<void> => {
      await this.#http.send(`/v1/connections/${id}`, { method: "DELETE" });
    },
    /** Writes a small file, reads its entry and deletes it. */
    test: (id: string): Promise<{ ok: boolean; error?: string }> =>
      this.#http.json(`/v1/connections/${id}/test`, { method: "POST" }),
    /** A page of its files. */
    files: (
      id: string,
      query: { prefix?: string; cursor?: string; limit?: number } & Signal = {},
    ): Promise<ConnectionFiles> => {
      const { signal, ...rest } = query;
      return this.#http.json(`/v1/connections/${id}/files`, { query: rest, signal });
    },
  };

  /** URLs that get the events of the account. */
  readonly webhookEndpoints: WebhookEndpoints;

  readonly webhooks = {
    /** Verifies a webhook and returns its event. Throws `WebhookVerificationError`. */
    unwrap: unwrapWebhook,
  };

  /** What the account has used in this billing period. */
  usage(options: Signal = {}): ApiPromise<Usage> {
    const sent = this.#http.send("/v1/usage", { ...options, isJson: true });
    return new ApiPromise(sent, (response) => readJson<Usage>(response));
  }

  /** The account's jobs of some days by operation, API key, day or error code. */
  usageReport({ signal, ...query }: UsageReportQuery & Signal): ApiPromise<UsageReport> {
    const sent = this.#http.send("/v1/usage", { query: { ...query }, signal, isJson: true });
    return new ApiPromise(sent, (response) => readJson<UsageReport>(response));
  }

  /** A short-lived key for a page or an app of your users. Call it on your backend. */
  createToken(fields: BrowserTokenFields): Promise<BrowserToken> {
    return this.#http.json("/v1/tokens", jsonBody("POST", fields));
  }

  /** The operations of the service. */
  async operations(options: Signal = {}): Promise<OperationData[]> {
    const { operations } = await this.#http.json<{ operations: OperationData[] }>(
      "/v1/operations",
      options,
    );
    return operations;
  }

  /** The account's events, each once and in order, across lost connections. Ends with the signal. */
  events(options: EventOptions = {}): AsyncGenerator<JobEvent> {
    return followEvents(this.#http, options);
  }

  /** Any request of the API, with the key and the retries. Throws `ApiError`. */
  request(path: string, init: Parameters<Http["send"]>[1] = {}): Promise<Response> {
    return this.#http.send(path, init);
  }

  /** A job from the API's data, such as that of a webhook. */
  job(data: JobData): Job {
    return new Job(data, this.#http);
  }

  #job<Result = Record<string, unknown> | null>(sent: Promise<Response>): ApiPromise<Job<Result>> {
    return new ApiPromise(
      sent,
      async (response) => new Job(await readJson<JobData<Result>>(response), this.#http),
    );
  }

  async *#list({ signal, ...query }: JobListQuery & Signal): AsyncGenerator<Job> {
    let after = query.starting_after;
    const { limit = 100 } = query;
    for (;;) {
      const response = await this.#http.send("/v1/jobs", {
        query: { ...query, limit, starting_after: after },
        signal,
        isJson: true,
      });
      const { jobs } = await readJson<{ jobs: JobData[] }>(response);
      for (const job of jobs) yield new Job(job, this.#http);
      // A page of jobs with long parameters is shorter than its limit.
      const hasNext = /rel="next"/.test(response.headers.get("link") ?? "");
      if (jobs.length === 0 || (jobs.length < limit && !hasNext)) return;
      after = jobs.at(-1)?.id;
    }
  }
}
