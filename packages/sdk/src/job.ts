import { ConnectionError } from "./errors.ts";
import { nodeModule } from "./files.ts";
import type { Http } from "./http.ts";
import type { JobData, OutputData } from "./types.ts";

interface FileModule {
  open(
    path: string,
    flags: string,
  ): Promise<{ write(chunk: Uint8Array): Promise<unknown>; close(): Promise<void> }>;
  rename(from: string, to: string): Promise<void>;
  rm(path: string, options: { force: boolean }): Promise<void>;
}

/** An output file of a job. */
export class Output {
  readonly data: OutputData;
  readonly #http: Http;

  constructor(data: OutputData, http: Http) {
    this.data = data;
    this.#http = http;
  }

  get filename(): string {
    return this.data.filename;
  }

  get contentType(): string {
    return this.data.content_type;
  }

  get bytes(): number {
    return this.data.bytes;
  }

  /** The signed URL of the file, which needs no API key. */
  get url(): string {
    return this.data.url;
  }

  /** The download. */
  response(options: { signal?: AbortSignal; range?: string } = {}): Promise<Response> {
    const { signal, range } = options;
    return this.#http.send(this.url, { signal, headers: range ? { Range: range } : {} });
  }

  async stream(): Promise<ReadableStream<Uint8Array>> {
    return (await this.response()).body as ReadableStream<Uint8Array>;
  }

  async blob(): Promise<Blob> {
    return (await this.response()).blob();
  }

  async text(): Promise<string> {
    return (await this.response()).text();
  }

  async json(): Promise<unknown> {
    return (await this.response()).json();
  }

  /**
   * Writes the file to the disk (Node, Bun and Deno). A path that ends with a slash is a folder, in which
   * it keeps its name. Returns the path.
   */
  async save(path = "./"): Promise<string> {
    const files = await nodeModule<FileModule>("node:fs/promises");
    const target = path.endsWith("/") ? path + this.filename.replaceAll(/[/\\]/g, "_") : path;
    const partial = `${target}.part`;
    const file = await files.open(partial, "w");
    try {
      for await (const chunk of (await this.stream()) as unknown as AsyncIterable<Uint8Array>) {
        await file.write(chunk);
      }
      await file.close();
      await files.rename(partial, target);
    } catch (error) {
      await file.close().catch(() => {});
      await files.rm(partial, { force: true });
      // What fetch throws for a body that ends early.
      if (!(error instanceof TypeError)) throw error;
      throw new ConnectionError("The download was cut off.", { cause: error });
    }
    return target;
  }
}

/** A job, as it was when it was read. */
export class Job<Result = Record<string, unknown> | null> {
  /** The job as the API sent it. */
  readonly data: JobData<Result>;
  readonly outputs: readonly Output[];

  constructor(data: JobData<Result>, http: Http) {
    this.data = data;
    this.outputs = data.outputs.map((output) => new Output(output, http));
  }

  get id(): string {
    return this.data.id;
  }

  get status(): JobData["status"] {
    return this.data.status;
  }

  get progress(): number {
    return this.data.progress;
  }

  get warnings(): readonly string[] {
    return this.data.warnings;
  }

  /** The data of operations that return data. */
  get result(): Result {
    return this.data.result;
  }

  /** The first output. Throws if there is none. */
  get output(): Output {
    const [first] = this.outputs;
    if (!first) throw new Error(`The job ${this.id} is ${this.status} and has no output.`);
    return first;
  }

  get isFinal(): boolean {
    return isFinal(this.data);
  }
}

export function isFinal({ status }: Pick<JobData, "status">): boolean {
  return status !== "pending" && status !== "processing";
}
