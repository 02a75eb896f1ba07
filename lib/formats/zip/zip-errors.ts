import { DamagedDataError, isDamagedData, isPlainError } from "#lib/media/damaged-data.ts";

/** Whether `error`, of reading an archive with yauzl, means that the archive is damaged. */
export function isZipDamage(error: unknown): boolean {
  return isPlainError(error) || isDamagedData(error);
}

/** What yauzl reads, entries or bytes. Throws as `translateZipErrors` does. */
export function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const read = async () => {
    const collected: Item[] = [];
    for await (const item of items) collected.push(item);
    return collected;
  };
  return translateZipErrors(read());
}

/**
 * Resolves as `promise` of yauzl does, with its errors about a damaged archive as
 * `DamagedDataError`.
 */
export async function translateZipErrors<Result>(promise: Promise<Result>): Promise<Result> {
  try {
    return await promise;
  } catch (cause) {
    throw isZipDamage(cause) ? new DamagedDataError("damaged archive", { cause }) : cause;
  }
}
