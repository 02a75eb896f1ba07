import { describe, expect, test } from "vitest";
import {
  type EncodingAttempt,
  maxAttempts,
  planNextAttempt,
} from "#lib/operations/shared/audio/encoding-attempts.ts";

const target = { loudness: -8, truePeak: -1 };

function attempt(gain: number, ceiling: number, integrated: number, truePeak: number) {
  const plan = { gain, ceiling, maxGain: 25 };
  return { plan, after: { integrated, truePeak }, isTrimmed: false };
}

test("an output at the target and below the peak is good", () => {
  expect(planNextAttempt([attempt(12, -1.4, -8.1, -1.3)], target)).toBeUndefined();
});

test("a deeper limiter is tried if the output is too quiet", () => {
  const next = planNextAttempt([attempt(12, -1.4, -9, -1.3)], target);
  expect(next?.plan.gain).toBeGreaterThan(12);
  expect(next?.plan.ceiling).toBe(-1.4);
});

describe("if a deeper limiter raises the peak by more than the loudness", () => {
  const loudest = attempt(17.7, -1.4, -9, -0.3);
  const deeper = attempt(19, -2.2, -9.5, 0.6);

  test("the loudest output is lowered, with the same limiter", () => {
    const next = planNextAttempt([loudest, deeper], target);
    expect(next?.isTrimmed).toBe(true);
    expect(next?.plan.ceiling).toBeCloseTo(-2.2, 5);
    expect(next?.plan.gain).toBeCloseTo(16.9, 5);
  });

  test("it is lowered until it is below the peak", () => {
    const attempts: EncodingAttempt[] = [loudest, deeper];
    for (let next = planNextAttempt(attempts, target); next; ) {
      const { ceiling = 0 } = next.plan;
      // The encoder raises the peak by as much as 2 dB.
      attempts.push({ ...next, after: { integrated: ceiling - 8, truePeak: ceiling + 2 } });
      next = planNextAttempt(attempts, target);
    }
    expect(attempts.length).toBeLessThanOrEqual(maxAttempts);
    expect(attempts.at(-1)?.after.truePeak).toBeLessThanOrEqual(target.truePeak);
  });
});

test("of outputs below the peak, the loudest is written again", () => {
  const best = attempt(17, -1.4, -8.6, -1.2);
  const worse = attempt(19, -1.4, -8.9, -1.2);
  expect(planNextAttempt([best, worse], target)).toEqual({ plan: best.plan, isTrimmed: true });
});
