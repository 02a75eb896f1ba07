import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type S3Client,
  UploadPartCopyCommand,
} from "@aws-sdk/client-s3";

export interface ObjectCopy {
  readonly Bucket: string;
  readonly Key: string;
  /** The source as `bucket/key`. */
  readonly CopySource: string;
  /** The ETag of the only version that is copied. */
  readonly CopySourceIfMatch: string | undefined;
}

/** Copies an object of `bytes` within the store, in parts of `partBytes`, because one request has a limit. */
export async function copyInParts(
  client: S3Client,
  { CopySource, CopySourceIfMatch, ...target }: ObjectCopy,
  bytes: number,
  partBytes: number,
): Promise<void> {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(target));
  const upload = { ...target, UploadId };
  try {
    const Parts: { PartNumber: number; ETag: string | undefined }[] = [];
    for (let start = 0; start < bytes; start += partBytes) {
      const PartNumber = Parts.length + 1;
      const CopySourceRange = `bytes=${start}-${Math.min(start + partBytes, bytes) - 1}`;
      const source = { CopySource, CopySourceIfMatch, CopySourceRange };
      const part = { ...upload, PartNumber, ...source };
      const { CopyPartResult } = await client.send(new UploadPartCopyCommand(part));
      Parts.push({ PartNumber, ETag: CopyPartResult?.ETag });
    }
    const completed = { ...upload, MultipartUpload: { Parts } };
    await client.send(new CompleteMultipartUploadCommand(completed));
  } catch (error) {
    await client.send(new AbortMultipartUploadCommand(upload));
    throw error;
  }
}
