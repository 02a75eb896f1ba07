/** A document that needs a password, which is nothing that can be rewritten. */
export class LockedDocumentError extends Error {
  override readonly name = "LockedDocumentError";
}

/** A document in a form from before `program`, the first whose files are read. */
export class OldDocumentError extends Error {
  override readonly name = "OldDocumentError";
  readonly program: string;

  constructor(program: string) {
    super(`from before ${program}`);
    this.program = program;
  }
}
