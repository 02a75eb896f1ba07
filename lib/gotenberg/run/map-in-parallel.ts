/**
 * Calls `work` with each value, at most `limit` of them at the same time. After a failure it begins no others, waits for
 * those that are running, and throws the failure that came first.
 */
export async function mapInParallel<Value, Result>(
  values: readonly Value[],
  limit: number,
  work: (value: Value, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const failures: unknown[] = [];
  const queue = values.entries();
  const take = async () => {
    for (const [index, value] of queue) {
      try {
        results[index] = await work(value, index);
      } catch (error) {
        failures.push(error);
      }
      if (failures.length > 0) return;
    }
  };
  await Promise.all(Array.from({ length: limit }, take));
  if (failures.length > 0) throw failures[0];
  return results;
}
