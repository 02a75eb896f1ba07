/**
 * The system calls that the filter of engines knows, with their numbers. Sources: the kernel's
 * arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h (used by arm64).
 */

/** Architectures with a filter, as Node names them. */
export type FilteredArchitecture = "x64" | "arm64";

export interface Architecture {
  /** The value `AUDIT_ARCH_*` of linux/audit.h, which every system call carries. */
  readonly audit: number;
  /** The position of its numbers in the tables below. */
  readonly column: 0 | 1;
}

export const architectures: Readonly<Record<FilteredArchitecture, Architecture>> = {
  x64: { audit: 0xc000003e, column: 0 },
  arm64: { audit: 0xc00000b7, column: 1 },
};

/** The numbers on x64 and on arm64; null if the architecture does not have the call. */
export type CallNumbers = readonly [x64: number, arm64: number | null];

/**
 * The newest known call: `mseal` of Linux 6.10. Numbers above it are unknown here, so engines get
 * the answer of a kernel that does not have them. The calls of x32 have numbers above it too.
 */
export const newestCall = 462;

/** Calls that no engine makes. Most have been ways from a process into the kernel. */
export const deniedCalls: Readonly<Record<string, CallNumbers>> = {
  // Programs in the kernel, asynchronous calls, page faults in user space, performance counters.
  bpf: [321, 280],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  userfaultfd: [323, 282],
  perf_event_open: [298, 241],
  // Keys of the kernel.
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  // Other processes.
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  process_madvise: [440, 440],
  kcmp: [312, 272],
  pidfd_getfd: [438, 438],
  // Mounts and namespaces.
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  statmount: [457, 457],
  listmount: [458, 458],
  setns: [308, 268],
  // Files by handle, file systems and swap of the whole machine.
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  fanotify_init: [300, 262],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  swapon: [167, 224],
  swapoff: [168, 225],
  // The kernel itself: another kernel, modules, log, accounting, clock, names.
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  reboot: [169, 142],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  syslog: [103, 116],
  acct: [163, 89],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  clock_adjtime: [305, 266],
  adjtimex: [159, 171],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  vhangup: [153, 58],
  // Obsolete, or of hardware.
  nfsservctl: [180, 42],
  lookup_dcookie: [212, 18],
  iopl: [172, null],
  ioperm: [173, null],
  modify_ldt: [154, null],
};

/** Calls that are allowed for some engines or with some arguments. */
export const checkedCalls = {
  clone: [56, 220],
  clone3: [435, 435],
  unshare: [272, 97],
  chroot: [161, 51],
  socket: [41, 198],
  socketpair: [53, 199],
  personality: [135, 92],
} as const satisfies Readonly<Record<string, CallNumbers>>;

/**
 * Calls that are denied where the processes of an engine share the system with all others (the level
 * `strict`), because a namespace or a read-only mount would stop them elsewhere.
 */
export const sharedSystemCalls: Readonly<Record<string, CallNumbers>> = {
  // Landlock does not restrict who changes the mode, owner, attributes and times of a file.
  chmod: [90, null],
  fchmod: [91, 52],
  fchmodat: [268, 53],
  fchmodat2: [452, 452],
  chown: [92, null],
  fchown: [93, 55],
  lchown: [94, null],
  fchownat: [260, 54],
  setxattr: [188, 5],
  lsetxattr: [189, 6],
  fsetxattr: [190, 7],
  removexattr: [197, 14],
  lremovexattr: [198, 15],
  fremovexattr: [199, 16],
  utime: [132, null],
  utimes: [235, null],
  futimesat: [261, null],
  utimensat: [280, 88],
  // Before version 3, it does not know `truncate` either.
  truncate: [76, 45],
  // Names of files that others create.
  inotify_init: [253, null],
  inotify_init1: [294, 26],
  inotify_add_watch: [254, 27],
  // Memory, semaphores and messages that all processes of a user share.
  shmget: [29, 194],
  shmat: [30, 196],
  shmctl: [31, 195],
  semget: [64, 190],
  semop: [65, 193],
  semctl: [66, 191],
  semtimedop: [220, 192],
  msgget: [68, 186],
  msgsnd: [69, 189],
  msgrcv: [70, 188],
  msgctl: [71, 187],
  mq_open: [240, 180],
  mq_unlink: [241, 181],
  // Signals, and the priority and memory of other processes.
  tkill: [200, 130],
  rt_sigqueueinfo: [129, 138],
  rt_tgsigqueueinfo: [297, 240],
  pidfd_open: [434, 434],
  pidfd_send_signal: [424, 424],
  process_mrelease: [448, 448],
  setpriority: [141, 140],
  ioprio_set: [251, 30],
  sched_setaffinity: [203, 122],
  sched_setattr: [314, 274],
  sched_setparam: [142, 118],
  sched_setscheduler: [144, 119],
  migrate_pages: [256, 238],
  move_pages: [279, 239],
  // The runner ends an engine by its process group, which none of its processes may leave.
  setsid: [112, 157],
  setpgid: [109, 154],
};

/** Calls of which the level `strict` allows some arguments, see `strict-rules.ts`. */
export const limitedCalls = {
  socket: checkedCalls.socket,
  socketpair: checkedCalls.socketpair,
  connect: [42, 203],
  bind: [49, 200],
  listen: [50, 201],
  accept: [43, 202],
  accept4: [288, 242],
  sendto: [44, 206],
  sendmsg: [46, 211],
  sendmmsg: [307, 269],
  prlimit64: [302, 261],
  fcntl: [72, 25],
  ioctl: [16, 29],
  open: [2, null],
  openat: [257, 56],
  openat2: [437, 437],
} as const satisfies Readonly<Record<string, CallNumbers>>;
