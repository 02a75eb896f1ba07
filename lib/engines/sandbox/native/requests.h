/*
 * What the programs that start engines have in common: requests on stdin, replies on stdout, and how a process that is
 * started gets its standard streams and its restrictions.
 *
 * A request is its length in bytes (32 bits, big-endian), then a list of values, each after its length. The first values
 * of every request are
 *
 *   ID       a number for the replies
 *   KEY      16 bytes that every connection begins with, followed by ID and the number of the descriptor
 *
 * In lists of values,
 *
 *   GROUP    is a file of a control group, which the process joins by writing to it
 *   LIMIT    is a limit of a resource (setrlimit(2)), as "NUMBER=VALUE"
 *   VARIABLE is a variable of the environment, as "NAME=VALUE"
 *
 * Replies are lines: "started ID PID [COMMAND]", then "exited ID STATUS" with the status of waitpid(2), or
 * "failed ID REASON". Include it after _GNU_SOURCE is defined.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/nsfs.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
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

/* Exit status of a process that cannot be restricted. */
enum { NOT_RESTRICTED = 125 };

/* Above the descriptors that a process may have. */
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

static struct sockaddr_un parent;

static void require(int succeeded) {
  if (!succeeded) _exit(NOT_RESTRICTED);
}

static void reply(const char *kind, const char *id, const char *text) {
  char line[256];
  int length = snprintf(line, sizeof line, "%s %s %s\n", kind, id, text);
  /* A text that contains a path must not begin another reply. */
  for (char *byte = line; byte < line + length - 1 && byte < line + sizeof line - 1; byte++)
    if (*byte == '\n') *byte = ' ';
  if (length >= (int)sizeof line || write(STDOUT_FILENO, line, length) != length) exit(1);
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

/* The bytes of the next request, to which `length` is set; NULL at the end of the input. */
static char *read_request(uint32_t *length) {
  if (!read_exactly(length, sizeof *length)) return NULL;
  *length = ntohl(*length);
  char *bytes = *length <= MAX_REQUEST ? malloc((size_t)*length + 1) : NULL;
  if (!bytes || !read_exactly(bytes, *length)) return NULL;
  return bytes;
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

/* The values of `list` as an array that ends with a null pointer. */
static char **strings(struct list list) {
  char **array = calloc(list.count + 1, sizeof(char *));
  require(array != NULL);
  for (size_t i = 0; i < list.count; i++) array[i] = list.values[i].bytes;
  return array;
}

/* A connection to the parent; -1 if it fails. */
static int open_descriptor(const char *id, struct value key, uint32_t number) {
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor == -1) return -1;
  uint32_t numbers[2] = {htonl(strtoul(id, NULL, 10)), htonl(number)};
  char header[16 + sizeof numbers];
  memcpy(header, key.bytes, 16);
  memcpy(header + 16, numbers, sizeof numbers);
  int connected = connect(descriptor, (struct sockaddr *)&parent, sizeof parent) == 0 &&
                  write(descriptor, header, sizeof header) == sizeof header;
  explicit_bzero(header, sizeof header);
  if (connected) return descriptor;
  close(descriptor);
  return -1;
}

/* Opens as many of `count` connections as possible, and returns their number. */
static size_t open_descriptors(int *descriptors, size_t count, const char *id, struct value key) {
  size_t opened = 0;
  while (opened < count && (descriptors[opened] = open_descriptor(id, key, opened)) != -1) opened++;
  return opened;
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

/* A namespace of the process `pid`; -1 if there is no such process. */
static int open_namespace(pid_t pid, const char *name) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/ns/%s", pid, name);
  return open(path, O_RDONLY | O_CLOEXEC);
}

static int is_same(int one, int other) {
  struct stat first, second;
  require(fstat(one, &first) == 0 && fstat(other, &second) == 0);
  return first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

static void drop_capabilities(void) {
  for (int capability = 0; prctl(PR_CAPBSET_READ, capability) >= 0; capability++)
    require(prctl(PR_CAPBSET_DROP, capability) == 0);
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct none[2] = {{0}};
  require(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) == 0);
  require(syscall(SYS_capset, &header, none) == 0);
}

/* Installs a filter of system calls, an array of struct sock_filter. The process and its children keep it. */
static void install_filter(struct value filter) {
  struct sock_fprog program = {filter.length / sizeof(struct sock_filter), (struct sock_filter *)filter.bytes};
  require(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
  require(program.len > 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

static void unblock_signals(void) {
  sigset_t none;
  sigemptyset(&none);
  require(sigprocmask(SIG_SETMASK, &none, NULL) == 0);
  signal(SIGPIPE, SIG_DFL);
}

/* A descriptor that reports children that have ended. Their signal is blocked, and SIGPIPE ignored. */
static int watch_children(void) {
  signal(SIGPIPE, SIG_IGN);
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child, NULL);
  int exits = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
  if (exits == -1) exit(1);
  return exits;
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
