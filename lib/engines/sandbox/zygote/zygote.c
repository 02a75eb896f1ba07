/*
 * Starts copies of the program into which it is loaded, in sandboxes that exist already. The dynamic linker takes
 * 80 ms of CPU time for the 215 libraries of ffmpeg at each start. A copy of a process that is linked takes 8 ms.
 *
 * Usage: LD_PRELOAD=zygote.so PROGRAM SOCKET SPACE
 *
 *   SOCKET   the UNIX socket on which the parent listens for the standard streams of the copies
 *   SPACE    as long as the command lines of copies that lists of processes show; its content does not matter
 *
 * The libraries are loaded and initialized when the C library would call the program's main function. Instead, this
 * process reads requests from stdin. It never reads a file of a job: only its copies do, and they end with the job.
 *
 * A request is its length in bytes (32 bits, big-endian), then a list of values, each after its length:
 *
 *   ID KEY SANDBOX FOLDER SOCKETS FILTER N GROUP*N N LIMIT*N N VARIABLE*N ARGUMENT...
 *
 *   ID       a number for the replies
 *   KEY      16 bytes that every connection begins with, followed by ID and the number of the descriptor
 *   SANDBOX  the id of a process in the sandbox
 *   FOLDER   the working folder in the sandbox
 *   SOCKETS  how many descriptors from 0 on are connections to the parent
 *   FILTER   the filter of system calls, as an array of struct sock_filter
 *   GROUP    a file of a control group, which the copy joins by writing to it
 *   LIMIT    a limit of a resource (setrlimit(2)), as "NUMBER=VALUE"
 *   ARGUMENT the program's arguments, with its name as the first
 *
 * Replies on stdout are lines: "started ID PID", then "exited ID STATUS" with the status of waitpid(2), or
 * "failed ID REASON". A copy that cannot be restricted as requested exits with 125 and runs nothing.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/nsfs.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int (*main_function)(int, char **, char **);

/* Exit status of a copy that cannot be restricted. */
enum { NOT_RESTRICTED = 125 };

/* Above the descriptors that a copy may have. */
enum { FIRST_OWN = 100, MAX_SOCKETS = 16, MAX_RUNNING = 4096, MAX_REQUEST = 1 << 24 };

/* Ends with a zero byte, which its length does not count. */
struct value {
  char *bytes;
  uint32_t length;
};

struct list {
  struct value *values;
  size_t count;
};

struct request {
  const char *id;
  struct value key;
  pid_t sandbox;
  const char *folder;
  size_t sockets;
  struct value filter;
  struct list groups, limits, variables, arguments;
};

static struct {
  pid_t pid;
  char id[16];
} running[MAX_RUNNING];

static struct sockaddr_un parent;

static void require(int succeeded) {
  if (!succeeded) _exit(NOT_RESTRICTED);
}

static void reply(const char *kind, const char *id, const char *text) {
  char line[256];
  int length = snprintf(line, sizeof line, "%s %s %s\n", kind, id, text);
  if (write(STDOUT_FILENO, line, length) != length) exit(1);
}

/* Whether all bytes were read; 0 at the end of the input. */
static int read_exactly(void *bytes, size_t length) {
  for (size_t done = 0; done < length;) {
    ssize_t count = read(STDIN_FILENO, (char *)bytes + done, length - done);
    if (count == -1 && errno == EINTR) continue;
    if (count <= 0) return 0;
    done += count;
  }
  return 1;
}

/* The values of a request. Each gets a zero byte at its end, in place of the next length, which is read before. */
static struct list split(char *bytes, uint32_t length) {
  struct list list = {calloc(length / 4 + 1, sizeof(struct value)), 0};
  if (!list.values) exit(1);
  char *end = bytes + length;
  uint32_t size;
  while (end - bytes >= 4) {
    memcpy(&size, bytes, 4);
    size = ntohl(size);
    bytes[0] = 0;
    bytes += 4;
    if (size > (size_t)(end - bytes)) exit(1);
    list.values[list.count++] = (struct value){bytes, size};
    bytes += size;
  }
  *bytes = 0;
  return list;
}

static struct value take(struct list *list) {
  if (list->count == 0) exit(1);
  list->count--;
  return *list->values++;
}

static struct list take_list(struct list *list) {
  size_t count = strtoul(take(list).bytes, NULL, 10);
  if (count > list->count) exit(1);
  struct list taken = {list->values, count};
  list->values += count;
  list->count -= count;
  return taken;
}

static struct request parse(struct list values) {
  struct request request;
  request.id = take(&values).bytes;
  request.key = take(&values);
  request.sandbox = strtol(take(&values).bytes, NULL, 10);
  request.folder = take(&values).bytes;
  request.sockets = strtoul(take(&values).bytes, NULL, 10);
  request.filter = take(&values);
  request.groups = take_list(&values);
  request.limits = take_list(&values);
  request.variables = take_list(&values);
  request.arguments = values;
  if (request.sockets > MAX_SOCKETS || request.arguments.count == 0) exit(1);
  return request;
}

/* The value of `list` as an array that ends with a null pointer. */
static char **strings(struct list list) {
  char **array = calloc(list.count + 1, sizeof(char *));
  require(array != NULL);
  for (size_t i = 0; i < list.count; i++) array[i] = list.values[i].bytes;
  return array;
}

/* A connection to the parent; -1 if it fails. */
static int open_descriptor(const struct request *request, uint32_t number) {
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor == -1) return -1;
  uint32_t numbers[2] = {htonl(strtoul(request->id, NULL, 10)), htonl(number)};
  char header[16 + sizeof numbers];
  memcpy(header, request->key.bytes, 16);
  memcpy(header + 16, numbers, sizeof numbers);
  int connected = connect(descriptor, (struct sockaddr *)&parent, sizeof parent) == 0 &&
                  write(descriptor, header, sizeof header) == sizeof header;
  explicit_bzero(header, sizeof header);
  if (connected) return descriptor;
  close(descriptor);
  return -1;
}

static void join_groups(struct list groups) {
  for (size_t i = 0; i < groups.count; i++) {
    int file = open(groups.values[i].bytes, O_WRONLY | O_CLOEXEC);
    require(file != -1 && write(file, "0\n", 2) == 2);
    close(file);
  }
}

static void limit(struct list limits) {
  for (size_t i = 0; i < limits.count; i++) {
    char *end;
    unsigned long number = strtoul(limits.values[i].bytes, &end, 10);
    rlim_t value = strtoull(end + 1, NULL, 10);
    struct rlimit both = {value, value};
    require(setrlimit(number, &both) == 0);
  }
}

static int open_namespace(pid_t pid, const char *name) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/ns/%s", pid, name);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  require(file != -1);
  return file;
}

static int is_same(int one, int other) {
  struct stat first, second;
  require(fstat(one, &first) == 0 && fstat(other, &second) == 0);
  return first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

/*
 * Enters all namespaces of a process. Its user namespace may be inside the one that owns the others, in which further
 * ones are forbidden: that one is entered last.
 */
static void enter(pid_t pid) {
  static const char *const names[] = {"cgroup", "ipc", "uts", "net", "pid", "mnt"};
  enum { COUNT = sizeof names / sizeof *names };
  int namespaces[COUNT];
  for (int i = 0; i < COUNT; i++) {
    namespaces[i] = open_namespace(pid, names[i]);
    int own = open_namespace(getpid(), names[i]);
    if (is_same(namespaces[i], own)) {
      /* Without these namespaces there is no sandbox. The others depend on the kernel. */
      require(strcmp(names[i], "mnt") != 0 && strcmp(names[i], "pid") != 0 && strcmp(names[i], "net") != 0);
      close(namespaces[i]);
      namespaces[i] = -1;
    }
    close(own);
  }
  int user = open_namespace(pid, "user");
  int owner = ioctl(namespaces[COUNT - 1], NS_GET_USERNS);
  require(owner != -1 && setns(owner, CLONE_NEWUSER) == 0);
  for (int i = 0; i < COUNT; i++) require(namespaces[i] == -1 || setns(namespaces[i], 0) == 0);
  require(is_same(user, owner) || setns(user, CLONE_NEWUSER) == 0);
}

static void drop_capabilities(void) {
  for (int capability = 0; prctl(PR_CAPBSET_READ, capability) >= 0; capability++)
    require(prctl(PR_CAPBSET_DROP, capability) == 0);
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct none[2] = {{0}};
  require(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) == 0);
  require(syscall(SYS_capset, &header, none) == 0);
}

/* What a process that is started needs of this one, whose memory it shares at first. */
struct start {
  const struct request *request;
  const int *descriptors;
  /* It is closed when the copy has a process group of its own. */
  int has_group;
  /* The id of the copy; 0 before it exists. */
  pid_t copy;
};

/* Where the C library keeps the id of the thread, and its list of robust mutexes: what fork(3) sets in a child. */
static struct {
  int *id;
  void *robust_list;
  size_t robust_list_length;
} thread;

static sigjmp_buf in_copy;

/* Restricts this process, which is in the sandbox, and becomes the program. */
static void become_program(const struct start *start) {
  const struct request *request = start->request;
  require(prctl(PR_SET_PDEATHSIG, SIGKILL) == 0);
  require(chdir(request->folder) == 0);
  limit(request->limits);
  sigset_t none;
  sigemptyset(&none);
  require(sigprocmask(SIG_SETMASK, &none, NULL) == 0);
  signal(SIGPIPE, SIG_DFL);
  require(prctl(PR_SET_DUMPABLE, 1) == 0);
  require(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
  struct sock_fprog program = {request->filter.length / sizeof(struct sock_filter),
                               (struct sock_filter *)request->filter.bytes};
  require(program.len > 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

/*
 * Enters the sandbox, makes the copy there and exits. Only a child of a process that has entered a namespace of process
 * ids is in it. This process shares the memory of the zygote, which stops meanwhile, so that the memory is copied once.
 */
static int make_copy(void *argument) {
  struct start *start = argument;
  const struct request *request = start->request;
  join_groups(request->groups);
  int moved[MAX_SOCKETS];
  for (size_t i = 0; i < request->sockets; i++)
    require((moved[i] = fcntl(start->descriptors[i], F_DUPFD, FIRST_OWN)) != -1);
  int has_group = fcntl(start->has_group, F_DUPFD, FIRST_OWN);
  require(has_group != -1);
  for (size_t i = 0; i < request->sockets; i++) require(dup2(moved[i], i) != -1);
  enter(request->sandbox);
  drop_capabilities();
  /* As fork(3) does, but as a child of the zygote. */
  pid_t pid = syscall(SYS_clone, CLONE_PARENT | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD, 0, NULL,
#ifdef __aarch64__
                      0, thread.id
#else
                      thread.id, 0
#endif
  );
  require(pid != -1);
  if (pid > 0) {
    start->copy = pid;
    _exit(0);
  }
  syscall(SYS_set_robust_list, thread.robust_list, thread.robust_list_length);
  require(setsid() != -1);
  require(syscall(SYS_close_range, (unsigned)request->sockets, ~0U, 0) == 0);
  siglongjmp(in_copy, 1);
}

/* The stack of `make_copy`. */
static char stack[1 << 18] __attribute__((aligned(64)));

/* Starts a copy. Returns 1 in the copy, 0 in this process. */
static int start_copy(const struct request *request) {
  /* Not on the stack, to which the copy returns. */
  static int descriptors[MAX_SOCKETS];
  static size_t count;
  count = 0;
  while (count < request->sockets && (descriptors[count] = open_descriptor(request, count)) != -1) count++;
  int slot = 0;
  while (slot < MAX_RUNNING && running[slot].pid != 0) slot++;
  int has_group[2] = {-1, -1};
  int can_start = count == request->sockets && slot < MAX_RUNNING && pipe2(has_group, O_CLOEXEC) == 0;
  static struct start start;
  start = (struct start){request, descriptors, has_group[1], 0};
  if (sigsetjmp(in_copy, 0) != 0) {
    become_program(&start);
    return 1;
  }
  pid_t maker = can_start ? clone(make_copy, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD, &start) : -1;
  const char *reason = maker == -1 ? strerror(errno) : "the sandbox cannot be entered";
  for (size_t i = 0; i < count; i++) close(descriptors[i]);
  close(has_group[1]);
  /* When the parent knows the process, it has a group of its own, by which it can be killed. */
  char ignored;
  while (maker != -1 && read(has_group[0], &ignored, 1) == -1 && errno == EINTR);
  close(has_group[0]);
  if (maker != -1) waitpid(maker, NULL, 0);
  if (start.copy == 0) {
    reply("failed", request->id, reason);
    return 0;
  }
  running[slot].pid = start.copy;
  snprintf(running[slot].id, sizeof running[slot].id, "%s", request->id);
  char text[16];
  snprintf(text, sizeof text, "%d", start.copy);
  reply("started", request->id, text);
  return 0;
}

static void collect_exits(void) {
  int status;
  pid_t pid;
  while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
    for (int slot = 0; slot < MAX_RUNNING; slot++) {
      if (running[slot].pid != pid) continue;
      running[slot].pid = 0;
      char text[16];
      snprintf(text, sizeof text, "%d", status);
      reply("exited", running[slot].id, text);
    }
  }
}

static int count_threads(void) {
  char text[4096] = "";
  int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  ssize_t length = file == -1 ? -1 : read(file, text, sizeof text - 1);
  close(file);
  char *line = length > 0 ? strstr(text, "\nThreads:") : NULL;
  return line ? atoi(line + 9) : 0;
}

/* The memory that lists of processes show as the command line: that of the arguments. */
static struct {
  char *start;
  size_t length;
} shown;

/* Shows other arguments in lists of processes, as far as there is space. */
static void show_arguments(char **arguments) {
  memset(shown.start, 0, shown.length);
  size_t used = 0;
  for (; *arguments && used + 1 < shown.length; arguments++) {
    size_t length = strnlen(*arguments, shown.length - used - 1);
    memcpy(shown.start + used, *arguments, length);
    used += length + 1;
  }
}

static main_function program_main;

/* Reads requests until the parent closes the input. Only copies return from it. */
static int serve(int argc, char **argv, char **environment) {
  (void)environment;
  if (argc != 3 || strlen(argv[1]) >= sizeof parent.sun_path) exit(2);
  parent.sun_family = AF_UNIX;
  strcpy(parent.sun_path, argv[1]);
  shown.start = argv[0];
  shown.length = argv[2] + strlen(argv[2]) + 1 - argv[0];
  char *program = strdup(argv[0]);
  if (!program) exit(1);
  show_arguments((char *[]){program, "zygote", parent.sun_path, NULL});
  /* A copy has only the thread that makes it: another one may hold a lock for ever. */
  if (count_threads() != 1) exit(3);
  /* The kernel knows where it stores the id, unless it was built without this. */
  struct robust_list_head *robust_list = NULL;
  if (prctl(PR_GET_TID_ADDRESS, &thread.id) != 0 || !thread.id) exit(4);
  if (syscall(SYS_get_robust_list, 0, &robust_list, &thread.robust_list_length) != 0) exit(4);
  thread.robust_list = robust_list;
  /* Nothing may read or change the memory of which all copies are made. */
  prctl(PR_SET_DUMPABLE, 0);
  signal(SIGPIPE, SIG_IGN);
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child, NULL);
  int exits = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
  if (exits == -1) exit(1);
  reply("ready", "0", "0");
  for (;;) {
    struct pollfd sources[2] = {{STDIN_FILENO, POLLIN, 0}, {exits, POLLIN, 0}};
    if (poll(sources, 2, -1) == -1 && errno != EINTR) exit(1);
    if (sources[1].revents) {
      struct signalfd_siginfo ignored;
      while (read(exits, &ignored, sizeof ignored) > 0);
      collect_exits();
    }
    if (!sources[0].revents) continue;
    uint32_t length;
    if (!read_exactly(&length, sizeof length)) break;
    length = ntohl(length);
    char *bytes = length <= MAX_REQUEST ? malloc((size_t)length + 1) : NULL;
    if (!bytes || !read_exactly(bytes, length)) break;
    struct list values = split(bytes, length);
    struct request request = parse(values);
    if (start_copy(&request)) {
      /* With the key, a copy could pretend to be another one. */
      explicit_bzero(request.key.bytes, request.key.length);
      clearenv();
      environ = strings(request.variables);
      char **arguments = strings(request.arguments);
      show_arguments(arguments);
      return program_main((int)request.arguments.count, arguments, environ);
    }
    /* The next copies get nothing of this one. */
    explicit_bzero(bytes, length);
    free(bytes);
    free(values.values);
  }
  /* The copies end with this process. */
  _exit(0);
}

int __libc_start_main(main_function program, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end) {
  int (*original)(main_function, int, char **, void (*)(void), void (*)(void), void (*)(void), void *) =
      dlsym(RTLD_NEXT, "__libc_start_main");
  if (!original) _exit(1);
  program_main = program;
  return original(serve, argc, argv, init, fini, rtld_fini, stack_end);
}
