import { hash } from "node:crypto";
import { DeleteObjectsCommand } from "@aws-sdk/client-s3";

/** What the client sets of a request that is built. */
interface BuiltRequest {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/**
 * The request that deletes objects, at most 1000, with the checksum that every store takes: its MD5. Other stores than
 * Amazon S3 demand it, and some refuse the one that the client adds by itself.
 */
export function deleteObjects(Bucket: string, keys: readonly string[]): DeleteObjectsCommand {
  const Objects = keys.map((Key) => ({ Key }));
  const command = new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } });
  command.middlewareStack.add(
    (next) => (args) => {
      // The client's type of it is unknown; requests of S3 go over HTTP.
      const { headers, body } = args.request as BuiltRequest;
      for (const name of Object.keys(headers).filter(isChecksum)) delete headers[name];
      headers["content-md5"] = hash("md5", body, "base64");
      return next(args);
    },
    { name: "contentMd5", step: "build", priority: "low" },
  );
  return command;
}

const isChecksum = (header: string) => /^x-amz-(?:sdk-)?checksum-/.test(header);
