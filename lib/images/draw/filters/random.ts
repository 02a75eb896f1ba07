const degree = 31;
const separation = 3;

/** The numbers of glibc's `random` after `srandom(seed)`: the same noise as thumbor's on Linux. */
export function randomNumbers(seed: number): () => number {
  const state = new Uint32Array(degree);
  let value = seed;
  for (let index = 0; index < degree; index++) {
    state[index] = value;
    value = (16_807 * value) % 2_147_483_647;
  }
  let front = separation;
  let rear = 0;
  const next = () => {
    const sum = ((state[front] ?? 0) + (state[rear] ?? 0)) >>> 0;
    state[front] = sum;
    front = (front + 1) % degree;
    rear = (rear + 1) % degree;
    return sum >>> 1;
  };
  for (let skipped = 0; skipped < degree * 10; skipped++) next();
  return next;
}
