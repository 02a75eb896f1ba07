import { constants } from "node:os";

/**
 * Classic BPF (seccomp(2)): instructions, and rules of them, each of which returns a result or continues
 * with the next one. Between rules, the number of the call is loaded.
 */

/**
 * An instruction, which is `struct sock_filter` of linux/filter.h. `jt` and `jf` are instructions
 * to skip.
 */
export interface Instruction {
  readonly code: number;
  readonly jt: number;
  readonly jf: number;
  readonly k: number;
}

/** Operations of linux/bpf_common.h on a word, with a constant operand. */
export const operations = {
  load: 0x20,
  jumpIfEqual: 0x15,
  jumpIfGreater: 0x25,
  jumpIfAnyBit: 0x45,
  and: 0x54,
  return: 0x06,
};

/** Offsets in `struct seccomp_data`, in bytes. Of arguments only the low half is read. */
export const offsets = { number: 0, architecture: 4, firstArgument: 16 };

const argumentBytes = 8;

/** What a call gets, from linux/seccomp.h; `fail` is to be combined with the error number. */
export const results = {
  allow: 0x7fff0000,
  /** The listener of the filter answers. */
  notify: 0x7fc00000,
  fail: 0x00050000,
  kill: 0x80000000,
};

export function load(offset: number): Instruction {
  return { code: operations.load, jt: 0, jf: 0, k: offset };
}

export function end(result: number): Instruction {
  return { code: operations.return, jt: 0, jf: 0, k: result };
}

export function fail(error: number): Instruction {
  return end(results.fail | error);
}

/** Skips `rule` unless the loaded value is `value`. */
export function unlessEqual(value: number, rule: readonly Instruction[]): Instruction[] {
  return [{ code: operations.jumpIfEqual, jt: 0, jf: rule.length, k: value }, ...rule];
}

/** Ends with an error if the first argument has one of `flags`, else with success. */
export function failOnFlags(flags: number): Instruction[] {
  return failOnBits(0, flags);
}

/** Ends with an error if the argument has one of `flags`, else with success. */
export function failOnBits(argument: number, flags: number): Instruction[] {
  return [
    ...loadArgument({ argument }),
    { code: operations.jumpIfAnyBit, jt: 0, jf: 1, k: flags },
    fail(constants.errno.EPERM),
    end(results.allow),
  ];
}

/** Ends with success if the first argument is one of `values`, else with an error. */
export function allowOnly(values: readonly number[], error: number): Instruction[] {
  return allowIf([{ argument: 0, values }], error);
}

/** A condition on an argument, counted from 0. */
export interface ArgumentMatch {
  readonly argument: number;
  /** Its bits that are compared; all by default. */
  readonly mask?: number;
  readonly values: readonly number[];
}

function loadArgument({ argument, mask }: Omit<ArgumentMatch, "values">): Instruction[] {
  const loaded = load(offsets.firstArgument + argument * argumentBytes);
  return mask === undefined ? [loaded] : [loaded, { code: operations.and, jt: 0, jf: 0, k: mask }];
}

/** Ends with success if each of `conditions` has one of its values, else with an error. */
export function allowIf(conditions: readonly ArgumentMatch[], error: number): Instruction[] {
  const checks = conditions.flatMap(({ values, ...argument }) => [
    ...loadArgument(argument),
    // The first value that is equal skips the others and the end.
    ...values.map((value, index) => ({
      code: operations.jumpIfEqual,
      jt: values.length - index,
      jf: 0,
      k: value,
    })),
    fail(error),
  ]);
  return [...checks, end(results.allow)];
}

/** Ends with an error if the argument has one of its values, else with success. */
export function allowUnless({ values, ...argument }: ArgumentMatch, error: number): Instruction[] {
  const checks = values.flatMap((value) => unlessEqual(value, [fail(error)]));
  return [...loadArgument(argument), ...checks, end(results.allow)];
}
