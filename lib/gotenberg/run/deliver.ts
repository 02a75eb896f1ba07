import { randomUUID } from "node:crypto";
import { PassThrough, type Readable } from "node:stream";
import { ZipFile } from "yazl";
import type { UploadedFile } from "#lib/api/http/store-upload.ts";
import { storage } from "#lib/storage/index.ts";
import { GotenbergError } from "../base/errors.ts";
import type { PlanOutput } from "./run-plan.ts";

/** What a request answers with: one file, or a ZIP of several. */
export interface Delivery {
  readonly filename: string;
  readonly contentType: string;
  /** The size in bytes; undefined for a ZIP, which is made while it is sent. */
  readonly bytes: number | undefined;
  /** Opens the content; each call reads it again. */
  readonly open: () => Promise<Readable>;
}

/** The delivery of the outputs. `requested` is the name that the client wants, without its extension. */
export function deliveryOf(outputs: readonly PlanOutput[], requested: string): Delivery {
  const [first] = outputs;
  if (!first) throw new GotenbergError(500, "Internal Server Error");
  const stem = requested || randomUUID();
  if (outputs.length === 1) {
    const { file } = first;
    const name = completeName(first, stem);
    return {
      filename: requested ? `${requested}.${extensionOf(file)}` : name,
      contentType: file.type.mime,
      bytes: file.bytes,
      open: () => storage().read(file.key),
    };
  }
  const files = uniqueNames(outputs.map((output) => [completeName(output, stem), output.file]));
  return {
    filename: `${stem}.zip`,
    contentType: "application/zip",
    bytes: undefined,
    open: async () => zipFiles(files),
  };
}

/** The name of a file. One that begins with a number of a part follows the name of the whole. */
function completeName({ name, file }: PlanOutput, stem: string): string {
  if (name === undefined) return `${stem}.${extensionOf(file)}`;
  return /^_\d+\.pdf$/.test(name) ? `${stem}${name}` : name;
}

/** Gotenberg names files by the format that the client asks for. */
function extensionOf({ type }: UploadedFile): string {
  return type.id === "jpeg" ? "jpeg" : type.extension;
}

function uniqueNames(
  files: readonly (readonly [name: string, file: UploadedFile])[],
): ReadonlyMap<string, UploadedFile> {
  const unique = new Map<string, UploadedFile>();
  for (const [name, file] of files) {
    let free = name;
    for (let count = 2; unique.has(free); count++) {
      free = name.replace(/(\.[^./]*)?$/, (extension) => ` (${count})${extension}`);
    }
    unique.set(free, file);
  }
  return unique;
}

/** Files as a ZIP, made while it is read. */
export function zipFiles(files: ReadonlyMap<string, UploadedFile>): Readable {
  const zip = new ZipFile();
  const body = new PassThrough();
  zip.outputStream.pipe(body);
  zip.on("error", (error: Error) => body.destroy(error));
  for (const [name, file] of files) {
    zip.addReadStreamLazy(name, { compress: false, size: file.bytes }, (done) => {
      storage()
        .read(file.key)
        .then((stream) => done(null, stream))
        .catch((error) => done(error, new PassThrough()));
    });
  }
  zip.end();
  return body;
}

/** `Content-Disposition` of an attachment, with an ASCII name too. */
export function attachmentHeader(filename: string): string {
  const ascii = filename.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  if (ascii === filename) return `attachment; filename="${filename}"`;
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
