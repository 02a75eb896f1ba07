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
 * A request (see requests.h) is
 *
 *   ID KEY SANDBOX FOLDER SOCKETS FILTER N GROUP*N N LIMIT*N N VARIABLE*N ARGUMENT...
 *
 *   SANDBOX  the id of a process in the sandbox
 *   FOLDER   the working folder in the sandbox
 *   SOCKETS  how many descriptors from 0 on are connections to the parent
 *   FILTER   the filter of system calls, as an array of struct sock_filter
 *   ARGUMENT the program's arguments, with its name as the first
 *
 * A copy that cannot be restricted as requested exits with 125 and runs nothing.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <setjmp.h>

#include "requests.h"

typedef int (*main_function)(int, char **, char **);

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
    require(namespaces[i] != -1 && own != -1);
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
  require(user != -1 && owner != -1 && setns(owner, CLONE_NEWUSER) == 0);
  for (int i = 0; i < COUNT; i++) require(namespaces[i] == -1 || setns(namespaces[i], 0) == 0);
  require(is_same(user, owner) || setns(user, CLONE_NEWUSER) == 0);
}

/* What a process that is started needs of this one, whose memory it shares at first. */
struct start {
  const struct request *request;
  const int *descriptors;
  /* It is closed when the copy has a process group of its own, and ends with the zygote, which reads from `reader`. */
  int has_group, reader;
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
  /* The zygote, which alone reads from it, may have ended before. Then another one makes this copy again. */
  struct pollfd end = {start->has_group, 0, 0};
  require(poll(&end, 1, 0) == 0);
  close(start->has_group);
  require(chdir(request->folder) == 0);
  limit(request->limits);
  unblock_signals();
  require(prctl(PR_SET_DUMPABLE, 1) == 0);
  install_filter(request->filter);
}

/*
 * Enters the sandbox, makes the copy there and exits. Only a child of a process that has entered a namespace of process
 * ids is in it. This process shares the memory of the zygote, which stops meanwhile, so that the memory is copied once.
 */
static int make_copy(void *argument) {
  struct start *start = argument;
  const struct request *request = start->request;
  /* So that the copy sees the end of the zygote although this process still runs. */
  close(start->reader);
  join_groups(request->groups);
  int moved[MAX_SOCKETS];
  for (size_t i = 0; i < request->sockets; i++)
    require((moved[i] = fcntl(start->descriptors[i], F_DUPFD, FIRST_OWN)) != -1);
  int has_group = fcntl(start->has_group, F_DUPFD, FIRST_OWN);
  require(has_group != -1);
  for (size_t i = 0; i < request->sockets; i++) require(dup2(moved[i], i) != -1);
  enter(request->sandbox);
  drop_capabilities();
  /*
   * As fork(3) does, but as a child of the zygote. The kernel stores the id: if this process is killed now, the zygote
   * knows what it has started.
   */
  int flags = CLONE_PARENT | CLONE_PARENT_SETTID | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD;
  pid_t pid = syscall(SYS_clone, flags, 0, &start->copy,
#ifdef __aarch64__
                      0, thread.id
#else
                      thread.id, 0
#endif
  );
  require(pid != -1);
  if (pid > 0) _exit(0);
  syscall(SYS_set_robust_list, thread.robust_list, thread.robust_list_length);
  require(setsid() != -1);
  require(syscall(SYS_close_range, (unsigned)request->sockets, (unsigned)has_group - 1, 0) == 0);
  require(syscall(SYS_close_range, (unsigned)has_group + 1, ~0U, 0) == 0);
  start->has_group = has_group;
  siglongjmp(in_copy, 1);
}

/* The stack of `make_copy`. */
static char stack[1 << 18] __attribute__((aligned(64)));

/* Starts a copy. Returns 1 in the copy, 0 in this process. */
static int start_copy(const struct request *request) {
  /* Not on the stack, to which the copy returns. */
  static int descriptors[MAX_SOCKETS];
  static size_t count;
  count = open_descriptors(descriptors, request->sockets, request->id, request->key);
  int slot = 0;
  while (slot < MAX_RUNNING && running[slot].pid != 0) slot++;
  int has_group[2] = {-1, -1};
  int can_start = count == request->sockets && slot < MAX_RUNNING && pipe2(has_group, O_CLOEXEC) == 0;
  static struct start start;
  start = (struct start){request, descriptors, has_group[1], has_group[0], 0};
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

static main_function program_main;

/*
 * Ends a copy without the destructors of its libraries. They free what the kernel frees anyway, and the kernel would
 * copy each page that they write to. What the program itself wants to do at its end is done before.
 */
static void end_copy(int status, void *unused) {
  (void)unused;
  /*
   * exit(3) writes what is left in the streams after its handlers, so never here. All of it is the program's: before its
   * main function, the zygote writes without streams.
   */
  fflush(NULL);
  _exit(status);
}

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
  int exits = watch_children();
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
    char *bytes = read_request(&length);
    if (!bytes) break;
    struct list values = split(bytes, length);
    struct request request = parse(values);
    if (start_copy(&request)) {
      /* With the key, a copy could pretend to be another one. */
      explicit_bzero(request.key.bytes, request.key.length);
      clearenv();
      environ = strings(request.variables);
      char **arguments = strings(request.arguments);
      show_arguments(arguments);
      require(on_exit(end_copy, NULL) == 0);
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
