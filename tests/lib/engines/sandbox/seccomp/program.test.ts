import { constants } from "node:os";
import { describe, expect, it } from "vitest";
import { offsets, operations, results } from "#lib/formats/seccomp/instructions.ts";
import { createFilter, type FilterOptions } from "#lib/formats/seccomp/program.ts";
import {
  architectures,
  type CallNumbers,
  checkedCalls,
  deniedCalls,
  type FilteredArchitecture,
  newestCall,
} from "#lib/formats/seccomp/system-calls.ts";

/** The filter as the kernel evaluates it, for both architectures. */

const { EPERM, ENOSYS, EAFNOSUPPORT } = constants.errno;

const engine: FilterOptions = { createsUserNamespaces: false, usesLoopback: false };
const browser: FilterOptions = { createsUserNamespaces: true, usesLoopback: true };

/** Evaluates classic BPF with the operations that the filter uses; see bpf(4) of FreeBSD. */
function evaluate(program: Buffer, number: number, argument: number, audit: number): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number >>> 0, offsets.number);
  data.writeUInt32LE(audit, offsets.architecture);
  data.writeUInt32LE(argument >>> 0, offsets.firstArgument);
  let accumulator = 0;
  for (let at = 0; at < program.length; at += 8) {
    const code = program.readUInt16LE(at);
    const jt = program.readUInt8(at + 2);
    const jf = program.readUInt8(at + 3);
    const k = program.readUInt32LE(at + 4);
    const jump = (condition: boolean) => {
      at += 8 * (condition ? jt : jf);
    };
    if (code === operations.load) accumulator = data.readUInt32LE(k);
    else if (code === operations.jumpIfEqual) jump(accumulator === k);
    else if (code === operations.jumpIfGreater) jump(accumulator > k);
    else if (code === operations.jumpIfAnyBit) jump((accumulator & k) !== 0);
    else if (code === operations.return) return k;
    else throw new Error(`unknown operation ${code}`);
  }
  throw new Error("the program has no end");
}

const fail = (error: number) => results.fail | error;

// The keys of the table are the architectures.
const names = Object.keys(architectures) as FilteredArchitecture[];

describe.each(names)("on %s", (name) => {
  const { audit, column } = architectures[name];
  const numberOf = (numbers: CallNumbers) => numbers[column] ?? Number.NaN;
  const run = (options: FilterOptions, number: number, argument = 0) =>
    evaluate(createFilter(name, options), number, argument, audit);

  const existing = Object.entries(deniedCalls).filter(([, numbers]) => numbers[column] !== null);

  it.each([engine, browser])("denies every call of the table with %o", (options) => {
    for (const [call, numbers] of existing) {
      expect([call, run(options, numberOf(numbers))]).toEqual([call, fail(EPERM)]);
    }
  });

  it("allows every other call", () => {
    const known = [...Object.values(deniedCalls), ...Object.values(checkedCalls)].map(numberOf);
    const filter = createFilter(name, engine);
    for (let number = 0; number <= newestCall; number++) {
      if (known.includes(number)) continue;
      expect([number, evaluate(filter, number, -1, audit)]).toEqual([number, results.allow]);
    }
  });

  it.each([newestCall + 1, 0x40000000 + 59, -1])("does not have the unknown call %d", (number) => {
    expect(run(browser, number)).toBe(fail(ENOSYS));
  });

  it("kills a process that makes a call of another architecture", () => {
    const others = [architectures[name === "x64" ? "arm64" : "x64"].audit, 0x40000003, 0x40000028];
    for (const other of others) {
      expect(evaluate(createFilter(name, browser), 0, 0, other)).toBe(results.kill);
    }
  });

  const { clone, clone3, unshare, chroot, socket, socketpair, personality } = checkedCalls;
  const thread = 0x3d0f00;
  const fork = 0x1200011;
  const newUser = 0x10000000;
  const newNamespaces = 0x70000011;
  const { allow } = results;
  it.each([
    ["a thread", clone, thread, allow, allow],
    ["a process", clone, fork, allow, allow],
    ["a process in user, process and network namespaces", clone, newNamespaces, fail(EPERM), allow],
    ["a process in a mount namespace", clone, 0x20000, fail(EPERM), fail(EPERM)],
    ["a clone with flags in memory", clone3, 0, fail(ENOSYS), fail(ENOSYS)],
    ["a user namespace", unshare, newUser, fail(EPERM), allow],
    ["a mount namespace with a user namespace", unshare, 0x10020000, fail(EPERM), fail(EPERM)],
    ["a time namespace", unshare, 0x80, fail(EPERM), fail(EPERM)],
    ["descriptors of one thread", unshare, 0x400, allow, allow],
    ["another root", chroot, 0, fail(EPERM), allow],
    ["a UNIX socket", socket, 1, allow, allow],
    ["an IPv4 socket", socket, 2, fail(EAFNOSUPPORT), allow],
    ["an IPv6 socket", socket, 10, fail(EAFNOSUPPORT), allow],
    ["a netlink socket", socket, 16, fail(EAFNOSUPPORT), fail(EAFNOSUPPORT)],
    ["a packet socket", socket, 17, fail(EAFNOSUPPORT), fail(EAFNOSUPPORT)],
    ["a socket of the kernel's cryptography", socket, 38, fail(EAFNOSUPPORT), fail(EAFNOSUPPORT)],
    ["a socket of the virtual machine's host", socket, 40, fail(EAFNOSUPPORT), fail(EAFNOSUPPORT)],
    ["a pair of UNIX sockets", socketpair, 1, allow, allow],
    ["a pair of TIPC sockets", socketpair, 30, fail(EAFNOSUPPORT), fail(EAFNOSUPPORT)],
    ["its own personality", personality, 0xffffffff, allow, allow],
    ["the personality of Linux", personality, 0, allow, allow],
    ["readable memory that is executable", personality, 0x400000, fail(EPERM), fail(EPERM)],
  ] as const)("%s", (_, call, argument, ofEngine, ofBrowser) => {
    const answers = [engine, browser].map((options) => run(options, numberOf(call), argument));
    expect(answers).toEqual([ofEngine, ofBrowser]);
  });
});
