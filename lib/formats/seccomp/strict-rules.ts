import { constants } from "node:os";
import {
  allowIf,
  allowUnless,
  end,
  fail,
  failOnBits,
  type Instruction,
  results,
} from "./instructions.ts";
import { type CallNumbers, limitedCalls, sharedSystemCalls } from "./system-calls.ts";

/**
 * The rules of the level `strict` of the sandbox. Its processes share the system with all others: its
 * process list, its sockets, its shared memory. Landlock restricts files, and these rules what Landlock does
 * not know, or knows only in later kernels.
 */

/** The sockets with which a process may connect to its relay. */
export type ConnectingFamily = "ipv4" | "unix";

const { EPERM, ENOSYS, EAFNOSUPPORT } = constants.errno;

const unix = 1;
const ipv4 = 2;

/** Types of sockets are in the lowest bits; the others are flags. */
const typeMask = 0xf;
const stream = 1;
const packets = 5;

/** Landlock does not restrict other protocols, such as MPTCP. Both numbers stand for TCP. */
const tcp = [0, 6];

/** The flag `MSG_FASTOPEN`, which connects without `connect`. */
const fastOpen = 0x20000000;

/**
 * The commands `F_SETOWN`, `F_SETSIG` and `F_SETOWN_EX`, which send signals to any process when a
 * file gets ready.
 */
const signalCommands = [8, 10, 15];

/**
 * The controls `FIOSETOWN` and `SIOCSPGRP`, which do the same, and `TIOCSTI` and `TIOCLINUX`, which
 * write input of a terminal.
 */
const deniedControls = [0x8901, 0x8902, 0x5412, 0x541c];

/** The flag `O_TRUNC`. */
const truncate = 0o1000;
/** The bits of the access mode: 0 to read, 3 for neither. */
const accessMode = 0o3;

type OnCall = (numbers: CallNumbers, rule: readonly Instruction[]) => Instruction[];

/** The rules for a process that may connect with `family` only. */
export function listStrictRules(family: ConnectingFamily | "none", onCall: OnCall): Instruction[] {
  const calls = limitedCalls;
  const pair = [
    { argument: 0, values: [unix] },
    // Datagrams could be sent to every socket that has a name.
    { argument: 1, mask: typeMask, values: [stream, packets] },
  ];
  const serving = [family === "unix" ? end(results.allow) : fail(EPERM)];
  const rules: readonly (readonly [CallNumbers, readonly Instruction[]])[] = [
    [calls.socket, socketRule(family)],
    [calls.socketpair, allowIf(pair, EAFNOSUPPORT)],
    [calls.connect, [family === "none" ? fail(EPERM) : end(results.notify)]],
    [calls.bind, serving],
    [calls.listen, serving],
    [calls.accept, serving],
    [calls.accept4, serving],
    [calls.sendto, failOnBits(3, fastOpen)],
    [calls.sendmsg, failOnBits(2, fastOpen)],
    [calls.sendmmsg, failOnBits(3, fastOpen)],
    // Limits of other processes. 0 is the process itself.
    [calls.prlimit64, allowIf([{ argument: 0, values: [0] }], EPERM)],
    [calls.fcntl, allowUnless({ argument: 1, values: signalCommands }, EPERM)],
    [calls.ioctl, allowUnless({ argument: 1, values: deniedControls }, EPERM)],
    [calls.open, failOnReadOnlyTruncation(1)],
    [calls.openat, failOnReadOnlyTruncation(2)],
    // Its flags are in memory, where no filter can read them.
    [calls.openat2, [fail(ENOSYS)]],
    ...Object.values(sharedSystemCalls).map((numbers) => [numbers, [fail(EPERM)]] as const),
  ];
  return rules.flatMap(([numbers, rule]) => onCall(numbers, rule));
}

function socketRule(family: ConnectingFamily | "none"): Instruction[] {
  if (family === "none") return [fail(EAFNOSUPPORT)];
  const type = { argument: 1, mask: typeMask, values: [stream] };
  if (family === "unix") return allowIf([{ argument: 0, values: [unix] }, type], EAFNOSUPPORT);
  const protocol = { argument: 2, values: tcp };
  return allowIf([{ argument: 0, values: [ipv4] }, type, protocol], EAFNOSUPPORT);
}

/** Before version 3 of Landlock, who may read a file may also empty it while opening it. */
function failOnReadOnlyTruncation(argument: number): Instruction[] {
  const values = [truncate, truncate | accessMode];
  return allowUnless({ argument, mask: truncate | accessMode, values }, EPERM);
}
