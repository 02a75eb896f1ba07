declare module "s3rver" {
  import type { IncomingMessage, ServerResponse } from "node:http";
  import type { Readable } from "node:stream";

  export default class S3rver {
    constructor(options: Record<string, unknown>);
    readonly store: {
      getResourcePath(bucket: string, key: string | undefined, resource: string): string;
      getObject(
        bucket: string,
        key: string,
        options: { start: number; end: number },
      ): Promise<{ content: Readable }>;
      getMetadata(bucket: string, key: string): Promise<{ etag: string }>;
      putPart(
        bucket: string,
        uploadId: string,
        partNumber: string,
        content: Readable,
      ): Promise<{ md5: string }>;
    };
    configureBuckets(): Promise<unknown>;
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
  }
}
