/** A document that cannot be changed without its password. */
export class EncryptedDocumentError extends Error {
  override readonly name = "EncryptedDocumentError";
}

/** A document of a version that is older than the first supported one. */
export class UnsupportedVersionError extends Error {
  override readonly name = "UnsupportedVersionError";
  /** The first program whose documents are supported, such as "Word 97". */
  readonly firstSupported: string;

  constructor(firstSupported: string) {
    super(`older than ${firstSupported}`);
    this.firstSupported = firstSupported;
  }
}
