/** An earlier request with the same `Idempotency-Key` created a job. Its response is saved. */
export class AlreadyCreatedError extends Error {
  override readonly name = "AlreadyCreatedError";
}
