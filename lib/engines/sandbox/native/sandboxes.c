/*
 * Starts commands, each in a sandbox of its own. What one kind of sandbox can access is the same for all commands that
 * need it: bubblewrap makes it once, as a template. Here each command gets new namespaces of every kind, with a copy of
 * the template's mounts and the mounts that belong to it alone. bubblewrap needs 11 ms for the same, this 1 ms.
 *
 * Usage: sandboxes.bin SOCKET SPACE [HIDDEN ...]
 *
 *   SOCKET   the UNIX socket on which the parent listens for the standard streams of the commands
 *   SPACE    as long as what lists of processes show of a sandbox; its content does not matter
 *   HIDDEN   a file of /proc that no command may open
 *
 * A request (see requests.h) is
 *
 *   ID KEY TEMPLATE PID FOLDER IDENTITY RELAY SOCKETS FILTER LOOPBACK READABLE N WRITABLE*N N GROUP*N N LIMIT*N
 *   N VARIABLE*N COMMAND ARGUMENT...
 *
 *   TEMPLATE a number for the template
 *   PID      a process in its namespaces, which may end after the first reply for this template. Its /job is the root
 *            folder of the machine; its /proc, /tmp and /dev/shm are empty folders
 *   FOLDER   the path of the working folder on the machine
 *   IDENTITY "DEVICE:NUMBER" of this folder; if the template shows another one under its path, there is no sandbox
 *   RELAY    the path on the machine of the socket that is /relay.sock in the sandbox; empty for none
 *   SOCKETS  how many descriptors from 0 on are connections to the parent
 *   FILTER   the filter of system calls, as an array of struct sock_filter
 *   LOOPBACK "up" if the loopback interface is needed
 *   READABLE "read-only" if the folder is, except for the subfolders WRITABLE
 *
 * COMMAND in the reply "started" is the process id of the command; PID is that of the first process of the sandbox, with
 * which all others end. A sandbox that cannot be made is reported as "failed", and its command is not executed. A command
 * that does not exist exits with 127, one that cannot be executed with 126, and one killed by signal N with 128 + N.
 */
#define _GNU_SOURCE
#include <linux/openat2.h>
#include <net/if.h>
#include <sys/mount.h>

#include "requests.h"

/* Of Linux 5.12, which headers of the C library may not have. They are the same everywhere. */
enum {
  OPEN_TREE = 428,
  MOVE_MOUNT = 429,
  OPEN_FILE_SYSTEM = 430,
  CONFIGURE_FILE_SYSTEM = 431,
  MAKE_MOUNT = 432,
  OPEN_AT = 437,
  SET_MOUNT_ATTRIBUTES = 442,
};
enum { CLONE_TREE = 1, FROM_DESCRIPTOR = 0x4, TO_DESCRIPTOR = 0x40, SET_STRING = 1, CREATE = 6 };
enum { READ_ONLY = 1, NO_SUID = 2, NO_DEVICES = 4, NO_PROGRAMS = 8 };
enum { RECURSIVELY = 0x8000, WHOLE_TREE = RECURSIVELY | AT_EMPTY_PATH };

/* The layout is that of struct mount_attr. */
struct attributes {
  uint64_t set, clear, propagation, user_namespace;
};

enum { MAX_TEMPLATES = 64 };

struct request {
  const char *id;
  struct value key;
  const char *template;
  pid_t pid;
  const char *folder, *identity, *relay;
  size_t sockets;
  struct value filter;
  int needs_loopback, is_read_only;
  struct list writable, groups, limits, variables, command;
};

static struct {
  char name[16];
  /* Its mount namespace, and the user namespace that owns it. They remain when all processes in them have ended. */
  int mounts, user;
} templates[MAX_TEMPLATES];

static struct {
  /* The first process of the sandbox; 0 if the slot is free. */
  pid_t pid;
  char id[16];
  /* The command writes its process id there; it closes when the command is executed. -1 after the reply. */
  int report;
  char command[32];
} running[MAX_RUNNING];

/* /proc of the machine. In a sandbox, its files about the process itself can be written, and the ids are those outside. */
static int machine;

/* It ends with this process, which alone has the other end. */
static int alive[2];

static char **hidden_files;

static struct request parse(struct list values) {
  struct request request;
  request.id = take(&values).bytes;
  request.key = take(&values);
  request.template = take(&values).bytes;
  request.pid = strtol(take(&values).bytes, NULL, 10);
  request.folder = take(&values).bytes;
  request.identity = take(&values).bytes;
  request.relay = take(&values).bytes;
  request.sockets = strtoul(take(&values).bytes, NULL, 10);
  request.filter = take(&values);
  request.needs_loopback = strcmp(take(&values).bytes, "up") == 0;
  request.is_read_only = strcmp(take(&values).bytes, "read-only") == 0;
  request.writable = take_list(&values);
  request.groups = take_list(&values);
  request.limits = take_list(&values);
  request.variables = take_list(&values);
  request.command = values;
  if (request.sockets > MAX_SOCKETS || request.command.count == 0) exit(1);
  return request;
}

/* The index of the template of `request`; -1 if it has no processes any more and was not used before. */
static int find_template(const struct request *request) {
  int index = 0;
  while (index < MAX_TEMPLATES && templates[index].name[0] && strcmp(templates[index].name, request->template) != 0)
    index++;
  if (index == MAX_TEMPLATES || templates[index].name[0]) return index == MAX_TEMPLATES ? -1 : index;
  int mounts = open_namespace(request->pid, "mnt");
  int own = open_namespace(getpid(), "mnt");
  int user = mounts == -1 ? -1 : ioctl(mounts, NS_GET_USERNS);
  /* The id may belong to another process by now. */
  int is_template = user != -1 && own != -1 && !is_same(mounts, own);
  if (own != -1) close(own);
  if (is_template) {
    snprintf(templates[index].name, sizeof templates[index].name, "%s", request->template);
    templates[index].mounts = mounts;
    templates[index].user = user;
    return index;
  }
  if (mounts != -1) close(mounts);
  if (user != -1) close(user);
  return -1;
}

/* Tells the parent why there is no sandbox, by the descriptor of the report. */
static int report;

static void need(int succeeded, const char *what) {
  if (succeeded) return;
  char text[sizeof running[0].command];
  int length = snprintf(text, sizeof text, "-%.20s: %d", what, errno);
  if (write(report, text, length) != length) _exit(NOT_RESTRICTED);
  _exit(NOT_RESTRICTED);
}

/* Opens `path` under the folder `root`, which no link can leave. */
static int open_in(int root, const char *path, uint64_t resolve) {
  struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = resolve};
  int file = syscall(OPEN_AT, root, path, &how, sizeof how);
  need(file != -1, path);
  return file;
}

/* A mount of what `file` is, with all mounts below it, which is not in the tree of mounts yet. */
static int copy_mount(int file, uint64_t set) {
  int tree = syscall(OPEN_TREE, file, "", CLONE_TREE | O_CLOEXEC | WHOLE_TREE);
  need(tree != -1, "open_tree");
  /* Private: what is mounted on the machine later does not appear in a sandbox. */
  struct attributes attributes = {.set = set, .propagation = MS_PRIVATE};
  need(syscall(SET_MOUNT_ATTRIBUTES, tree, "", WHOLE_TREE, &attributes, sizeof attributes) == 0, "mount_setattr");
  return tree;
}

static void mount_at(int mount, int target) {
  int moved = syscall(MOVE_MOUNT, mount, "", target, "", FROM_DESCRIPTOR | TO_DESCRIPTOR);
  need(moved == 0, "move_mount");
}

/* Mounts a new file system. `size` is that of a tmpfs; NULL for another one. */
static void mount_new(const char *type, const char *path, const char *size, uint64_t set) {
  int file_system = syscall(OPEN_FILE_SYSTEM, type, 1 /* FSOPEN_CLOEXEC */);
  need(file_system != -1, type);
  if (size) {
    need(syscall(CONFIGURE_FILE_SYSTEM, file_system, SET_STRING, "size", size, 0) == 0, "size");
    need(syscall(CONFIGURE_FILE_SYSTEM, file_system, SET_STRING, "mode", "0755", 0) == 0, "mode");
  }
  need(syscall(CONFIGURE_FILE_SYSTEM, file_system, CREATE, NULL, NULL, 0) == 0, type);
  int mount = syscall(MAKE_MOUNT, file_system, 1 /* FSMOUNT_CLOEXEC */, set);
  need(mount != -1, type);
  int target = open(path, O_PATH | O_CLOEXEC);
  need(target != -1, path);
  mount_at(mount, target);
  close(target);
  close(mount);
  close(file_system);
}

/* The folder of the job takes the place of the machine's root folder. */
static void mount_folder(const struct request *request) {
  int root = open("/job", O_PATH | O_CLOEXEC);
  need(root != -1, "/job");
  int folder = open_in(root, request->folder, RESOLVE_IN_ROOT);
  struct stat found;
  char identity[64];
  need(fstat(folder, &found) == 0, "folder");
  snprintf(identity, sizeof identity, "%ju:%ju", (uintmax_t)found.st_dev, (uintmax_t)found.st_ino);
  need(strcmp(identity, request->identity) == 0, "another folder");
  int tree = copy_mount(folder, NO_SUID | NO_DEVICES | (request->is_read_only ? READ_ONLY : 0));
  struct list names = request->writable;
  int *writable = calloc(names.count + 1, sizeof *writable);
  need(writable != NULL, "writable");
  for (size_t i = 0; i < names.count; i++) {
    int subfolder = open_in(folder, names.values[i].bytes, RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS);
    writable[i] = copy_mount(subfolder, NO_SUID | NO_DEVICES);
  }
  if (request->relay[0]) {
    int target = open("/relay.sock", O_PATH | O_CLOEXEC);
    need(target != -1, "relay");
    mount_at(copy_mount(open_in(root, request->relay, RESOLVE_IN_ROOT), READ_ONLY | NO_SUID | NO_DEVICES), target);
  }
  need(umount2("/job", MNT_DETACH) == 0, "umount");
  int target = open("/job", O_PATH | O_CLOEXEC);
  need(target != -1, "/job");
  mount_at(tree, target);
  for (size_t i = 0; i < names.count; i++)
    mount_at(writable[i], open_in(tree, names.values[i].bytes, RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS));
}

static void hide_files(void) {
  int nothing = open("/dev/null", O_PATH | O_CLOEXEC);
  need(nothing != -1, "/dev/null");
  for (char **path = hidden_files; *path; path++) {
    int target = open(*path, O_PATH | O_CLOEXEC);
    if (target == -1 && errno == ENOENT) continue;
    need(target != -1, *path);
    /* The mount forbids devices, so that the file cannot be opened at all. */
    mount_at(copy_mount(nothing, READ_ONLY | NO_SUID | NO_DEVICES), target);
    close(target);
  }
}

static void start_loopback(void) {
  int any = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  struct ifreq request = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
  need(any != -1 && ioctl(any, SIOCSIFFLAGS, &request) == 0, "loopback");
  close(any);
}

static void write_file(const char *path, const char *text) {
  int file = openat(machine, path, O_WRONLY | O_CLOEXEC);
  ssize_t length = strlen(text);
  need(file != -1 && write(file, text, length) == length, path);
  close(file);
}

/*
 * A user namespace of this sandbox alone, in which no further ones are possible. It does not own the other namespaces, so
 * that not even a capability in it would be one over their mounts.
 */
static void enter_user_namespace(uid_t user, gid_t group) {
  char text[64];
  need(unshare(CLONE_NEWUSER) == 0, "user namespace");
  /* Files of a process that is not dumpable belong to root. */
  need(prctl(PR_SET_DUMPABLE, 1) == 0, "dumpable");
  write_file("self/setgroups", "deny");
  snprintf(text, sizeof text, "%u %u 1\n", user, user);
  write_file("self/uid_map", text);
  snprintf(text, sizeof text, "%u %u 1\n", group, group);
  write_file("self/gid_map", text);
  write_file("sys/user/max_user_namespaces", "0");
  need(prctl(PR_SET_DUMPABLE, 0) == 0, "dumpable");
}

/* Makes the view of this process, the first one in new namespaces. */
static void make_view(const struct request *request) {
  uid_t user = geteuid();
  gid_t group = getegid();
  need(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0, "mounts");
  /* Before the folder of the job: the kernel allows it only where all of another /proc can be seen. */
  mount_new("proc", "/proc", NULL, READ_ONLY | NO_SUID | NO_DEVICES | NO_PROGRAMS);
  hide_files();
  mount_folder(request);
  mount_new("tmpfs", "/tmp", "1073741824", NO_SUID | NO_DEVICES);
  mount_new("tmpfs", "/dev/shm", "67108864", NO_SUID | NO_DEVICES);
  need(sethostname("engine", 6) == 0, "host name");
  if (request->needs_loopback) start_loopback();
  enter_user_namespace(user, group);
  drop_capabilities();
}

/* Becomes the command. */
static void execute(const struct request *request) {
  require(setsid() != -1 && chdir("/job") == 0);
  char id[32];
  ssize_t length = readlinkat(machine, "self", id, sizeof id);
  require(length > 0);
  require(syscall(SYS_close_range, (unsigned)request->sockets, (unsigned)report - 1, 0) == 0);
  require(syscall(SYS_close_range, (unsigned)report + 1, ~0U, 0) == 0);
  environ = strings(request->variables);
  char **arguments = strings(request->command);
  limit(request->limits);
  unblock_signals();
  require(write(report, id, length) == length);
  install_filter(request->filter);
  execvp(arguments[0], arguments);
  _exit(errno == ENOENT ? 127 : 126);
}

/* Waits until the command has exited. With this process, the kernel ends all others of the sandbox. */
static void wait_for_command(pid_t command) {
  int status;
  for (;;) {
    pid_t pid = waitpid(-1, &status, 0);
    if (pid == command) _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    if (pid == -1 && errno != EINTR) _exit(NOT_RESTRICTED);
  }
}

/* The first process of a sandbox: makes its view and starts the command. */
static void begin_sandbox(const struct request *request) {
  require(setsid() != -1);
  make_view(request);
  show_arguments((char *[]){"sandbox", (char *)request->folder, request->command.values[0].bytes, NULL});
  /* It ends with its parent, which may have ended already. The kernel forgets it when capabilities change. */
  require(prctl(PR_SET_PDEATHSIG, SIGKILL) == 0);
  struct pollfd end = {alive[0], POLLIN, 0};
  require(poll(&end, 1, 0) == 0);
  /* With the key, a process could pretend to be another one. */
  explicit_bzero(request->key.bytes, request->key.length);
  /* The filter may deny it to this process. */
  pid_t command = syscall(SYS_clone, SIGCHLD, 0, NULL, NULL, 0);
  require(command != -1);
  if (command == 0) execute(request);
  require(syscall(SYS_close_range, 0U, ~0U, 0) == 0);
  install_filter(request->filter);
  wait_for_command(command);
}

/* What a process that makes a sandbox needs of this one, whose memory it shares. */
struct start {
  const struct request *request;
  const int *descriptors;
  int template, report;
  /* The first process of the sandbox; 0 before it exists. */
  pid_t first;
};

/*
 * Enters the template, starts the first process of the sandbox and exits. This process shares the memory of its parent,
 * which stops meanwhile.
 */
static int enter_template(void *argument) {
  struct start *start = argument;
  const struct request *request = start->request;
  close(alive[1]);
  join_groups(request->groups);
  int moved[MAX_SOCKETS];
  for (size_t i = 0; i < request->sockets; i++)
    require((moved[i] = fcntl(start->descriptors[i], F_DUPFD_CLOEXEC, FIRST_OWN)) != -1);
  int kept = fcntl(start->report, F_DUPFD_CLOEXEC, FIRST_OWN);
  require(kept != -1);
  /* Descriptors of this process that the connections replace are not needed any more, except these. */
  int mounts = fcntl(templates[start->template].mounts, F_DUPFD_CLOEXEC, FIRST_OWN);
  int user = fcntl(templates[start->template].user, F_DUPFD_CLOEXEC, FIRST_OWN);
  require(mounts != -1 && user != -1);
  for (size_t i = 0; i < request->sockets; i++) require(dup2(moved[i], i) != -1);
  require(setns(user, CLONE_NEWUSER) == 0 && setns(mounts, CLONE_NEWNS) == 0);
  int namespaces = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;
  /* The kernel stores the id: if this process is killed now, its parent knows what it has started. */
  int flags = CLONE_PARENT | CLONE_PARENT_SETTID | SIGCHLD;
  pid_t pid = syscall(SYS_clone, flags | namespaces, 0, &start->first, NULL, 0);
  require(pid != -1);
  if (pid == 0) {
    report = kept;
    begin_sandbox(request);
  }
  _exit(0);
}

/* The stack of `enter_template`. */
static char stack[1 << 18] __attribute__((aligned(64)));

static void start_sandbox(const struct request *request) {
  int descriptors[MAX_SOCKETS], reports[2] = {-1, -1}, slot = 0;
  size_t count = open_descriptors(descriptors, request->sockets, request->id, request->key);
  while (slot < MAX_RUNNING && running[slot].pid != 0) slot++;
  struct start start = {request, descriptors, find_template(request), -1, 0};
  const char *reason = start.template == -1 ? "its template has ended" : "its template cannot be entered";
  if (count == request->sockets && slot < MAX_RUNNING && start.template != -1 && pipe2(reports, O_CLOEXEC) == 0) {
    start.report = reports[1];
    pid_t maker = clone(enter_template, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD, &start);
    if (maker == -1) reason = strerror(errno);
    else waitpid(maker, NULL, 0);
    close(reports[1]);
  }
  for (size_t i = 0; i < count; i++) close(descriptors[i]);
  if (start.first == 0) {
    if (reports[0] != -1) close(reports[0]);
    return reply("failed", request->id, reason);
  }
  running[slot].pid = start.first;
  running[slot].report = reports[0];
  running[slot].command[0] = 0;
  snprintf(running[slot].id, sizeof running[slot].id, "%s", request->id);
}

/* Reads what a sandbox reports, and replies when the command is executed. */
static void read_report(int slot) {
  size_t length = strlen(running[slot].command);
  size_t space = sizeof running[slot].command - 1 - length;
  ssize_t count = read(running[slot].report, running[slot].command + length, space);
  if (count == -1 && errno == EINTR) return;
  if (count > 0) {
    running[slot].command[length + count] = 0;
    return;
  }
  close(running[slot].report);
  running[slot].report = -1;
  const char *command = running[slot].command;
  if (command[0] < '0') return reply("failed", running[slot].id, command[0] ? command + 1 : "the sandbox ended");
  char text[64];
  snprintf(text, sizeof text, "%d %s", running[slot].pid, command);
  reply("started", running[slot].id, text);
}

static void collect_exits(void) {
  int status;
  pid_t pid;
  while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
    for (int slot = 0; slot < MAX_RUNNING; slot++) {
      if (running[slot].pid != pid) continue;
      while (running[slot].report != -1) read_report(slot);
      running[slot].pid = 0;
      char text[16];
      snprintf(text, sizeof text, "%d", status);
      reply("exited", running[slot].id, text);
    }
  }
}

/* Reads requests until the parent closes the input. */
int main(int argc, char **argv) {
  if (argc < 3 || strlen(argv[1]) >= sizeof parent.sun_path) exit(2);
  parent.sun_family = AF_UNIX;
  strcpy(parent.sun_path, argv[1]);
  shown.start = argv[2];
  shown.length = strlen(argv[2]) + 1;
  hidden_files = argv + 3;
  machine = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (machine == -1 || pipe2(alive, O_CLOEXEC) != 0) exit(1);
  /* Above the descriptors of any process that is started here. */
  machine = fcntl(machine, F_DUPFD_CLOEXEC, FIRST_OWN);
  alive[0] = fcntl(alive[0], F_DUPFD_CLOEXEC, FIRST_OWN);
  if (machine == -1 || alive[0] == -1) exit(1);
  /* Nothing may read or change the memory of which the first processes of sandboxes are copies. */
  prctl(PR_SET_DUMPABLE, 0);
  int exits = watch_children();
  reply("ready", "0", "0");
  for (;;) {
    struct pollfd sources[2 + MAX_RUNNING] = {{STDIN_FILENO, POLLIN, 0}, {exits, POLLIN, 0}};
    int slots[2 + MAX_RUNNING], count = 2;
    for (int slot = 0; slot < MAX_RUNNING; slot++) {
      if (running[slot].pid == 0 || running[slot].report == -1) continue;
      slots[count] = slot;
      sources[count++] = (struct pollfd){running[slot].report, POLLIN, 0};
    }
    if (poll(sources, count, -1) == -1 && errno != EINTR) exit(1);
    for (int i = 2; i < count; i++)
      if (sources[i].revents) read_report(slots[i]);
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
    start_sandbox(&request);
    explicit_bzero(bytes, length);
    free(bytes);
    free(values.values);
  }
  /* The sandboxes end with this process. */
  _exit(0);
}
