import { constants } from "node:os";
import {
  allowOnly,
  end,
  fail,
  failOnFlags,
  type Instruction,
  load,
  offsets,
  operations,
  results,
  unlessEqual,
} from "./instructions.ts";
import { type ConnectingFamily, listStrictRules } from "./strict-rules.ts";
import {
  architectures,
  type CallNumbers,
  checkedCalls,
  deniedCalls,
  type FilteredArchitecture,
  newestCall,
} from "./system-calls.ts";

/**
 * Creates the filter of system calls (seccomp(2)) of an engine: a program of classic BPF. It is a
 * list of rules; see `instructions.ts`.
 */

/** What an engine may do in addition to what every engine may do. */
export interface FilterOptions {
  /** Whether it creates user, process and network namespaces, as Chromium's own sandbox does. */
  readonly createsUserNamespaces: boolean;
  /** Whether it uses sockets of IPv4 and IPv6. The sandbox has only a loopback interface. */
  readonly usesLoopback: boolean;
  /**
   * The kind of connections of a process without namespaces of its own: more calls are denied, and
   * of sockets only those of this family are left, whose connections the listener of the filter
   * makes.
   */
  readonly sharedSystem?: ConnectingFamily | "none" | undefined;
}

/** Families of sockets, from linux/socket.h. */
const socketFamilies = { unix: 1, ipv4: 2, ipv6: 10 };

/** The flags of linux/sched.h. In the lowest byte `clone` has the signal, but `unshare` CLONE_NEWTIME. */
const namespaceFlags = {
  mount: 0x20000,
  cgroup: 0x2000000,
  uts: 0x4000000,
  ipc: 0x8000000,
  user: 0x10000000,
  pid: 0x20000000,
  net: 0x40000000,
  time: 0x80,
};

/** The namespaces that Chromium does not create. */
const foreignNamespaces =
  namespaceFlags.mount | namespaceFlags.cgroup | namespaceFlags.uts | namespaceFlags.ipc;

const allNamespaces =
  foreignNamespaces | namespaceFlags.user | namespaceFlags.pid | namespaceFlags.net;

/** Personalities: that of Linux, and the query of the current one. */
const allowedPersonalities = [0, 0xffffffff];

const { EPERM, ENOSYS, EAFNOSUPPORT } = constants.errno;

/** The filter in the format that the kernel and bubblewrap read. */
export function createFilter(architecture: FilteredArchitecture, options: FilterOptions): Buffer {
  const instructions = listInstructions(architecture, options);
  const bytes = Buffer.alloc(instructions.length * 8);
  for (const [index, { code, jt, jf, k }] of instructions.entries()) {
    // Both architectures are little-endian.
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(jt, index * 8 + 2);
    bytes.writeUInt8(jf, index * 8 + 3);
    bytes.writeUInt32LE(k, index * 8 + 4);
  }
  return bytes;
}

function listInstructions(name: FilteredArchitecture, options: FilterOptions): Instruction[] {
  const { audit, column } = architectures[name];
  const onCall = (numbers: CallNumbers, rule: readonly Instruction[]) => {
    const number = numbers[column];
    return number === null ? [] : unlessEqual(number, rule);
  };
  const { createsUserNamespaces, usesLoopback, sharedSystem } = options;
  const families = [socketFamilies.unix];
  if (usesLoopback) families.push(socketFamilies.ipv4, socketFamilies.ipv6);
  const forbidden = createsUserNamespaces ? foreignNamespaces : allNamespaces;
  const denied = Object.values(deniedCalls);
  if (!createsUserNamespaces) denied.push(checkedCalls.chroot);
  return [
    load(offsets.architecture),
    // Calls of another architecture have other numbers.
    { code: operations.jumpIfEqual, jt: 1, jf: 0, k: audit },
    end(results.kill),
    load(offsets.number),
    { code: operations.jumpIfGreater, jt: 0, jf: 1, k: newestCall },
    fail(ENOSYS),
    ...(sharedSystem === undefined ? [] : listStrictRules(sharedSystem, onCall)),
    // Its flags are in memory, where no filter can read them. The C library then calls `clone`.
    ...onCall(checkedCalls.clone3, [fail(ENOSYS)]),
    ...onCall(checkedCalls.clone, failOnFlags(forbidden)),
    ...onCall(checkedCalls.unshare, failOnFlags(forbidden | namespaceFlags.time)),
    ...onCall(checkedCalls.socket, allowOnly(families, EAFNOSUPPORT)),
    ...onCall(checkedCalls.socketpair, allowOnly([socketFamilies.unix], EAFNOSUPPORT)),
    ...onCall(checkedCalls.personality, allowOnly(allowedPersonalities, EPERM)),
    ...denied.flatMap((numbers) => onCall(numbers, [fail(EPERM)])),
    end(results.allow),
  ];
}
