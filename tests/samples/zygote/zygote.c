/*
 * A smaller zygote than that of `lib/engines/sandbox`, for what tests run without a sandbox: it starts copies of the
 * program into which it is loaded, which is linked once and not for each run.
 *
 * Usage: LD_PRELOAD=zygote.so PROGRAM SOCKET
 *
 * It accepts one connection of `client.c` at a time on the UNIX socket SOCKET, and starts a copy with the descriptors,
 * the folder and the arguments that the client sends. Its reply is the status of waitpid(2). It and its copy end with
 * the process that started it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int (*main_function)(int, char **, char **);

enum { MAX_DESCRIPTORS = 4, FIRST_OWN = 100 };

static main_function program_main;

static void require(int succeeded) {
  if (!succeeded) _exit(125);
}

/* What a client sends: its descriptors from 0 on, and texts with a zero byte at the end of each. */
struct request {
  int descriptors[MAX_DESCRIPTORS];
  size_t count;
  char *texts;
  uint32_t length;
};

/* Whether a whole request came. */
static int receive(int connection, struct request *request) {
  char control[CMSG_SPACE(sizeof request->descriptors)];
  struct iovec part = {&request->length, sizeof request->length};
  struct msghdr message = {0};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  if (recvmsg(connection, &message, 0) != sizeof request->length) return 0;
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (!header || header->cmsg_type != SCM_RIGHTS) return 0;
  request->count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
  memcpy(request->descriptors, CMSG_DATA(header), request->count * sizeof(int));
  request->texts = malloc(request->length);
  return request->texts && recv(connection, request->texts, request->length, MSG_WAITALL) == request->length;
}

/* The arguments after the first text, which is the folder. */
static char **arguments_of(const struct request *request, int *count) {
  char **arguments = calloc(request->length + 1, sizeof(char *));
  require(arguments != NULL);
  *count = 0;
  for (char *text = request->texts; text < request->texts + request->length; text += strlen(text) + 1)
    if (text != request->texts) arguments[(*count)++] = text;
  return arguments;
}

/* Becomes the program in a copy of this process. */
static int become_program(const struct request *request) {
  require(prctl(PR_SET_PDEATHSIG, SIGKILL) == 0);
  int moved[MAX_DESCRIPTORS];
  for (size_t i = 0; i < request->count; i++) require((moved[i] = dup(request->descriptors[i])) != -1);
  for (size_t i = 0; i < request->count; i++) require(dup2(moved[i], i) != -1);
  require(close_range(request->count, ~0U, 0) == 0);
  require(chdir(request->texts) == 0);
  int count;
  char **arguments = arguments_of(request, &count);
  return program_main(count, arguments, environ);
}

static int serve(int argc, char **argv, char **environment) {
  (void)environment;
  struct sockaddr_un own = {.sun_family = AF_UNIX};
  if (argc != 2 || strlen(argv[1]) >= sizeof own.sun_path) exit(2);
  strcpy(own.sun_path, argv[1]);
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) exit(1);
  int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (bind(listener, (struct sockaddr *)&own, sizeof own) != 0 || listen(listener, 8) != 0) exit(1);
  for (;;) {
    int connection = accept(listener, NULL, NULL);
    if (connection == -1) exit(1);
    struct request request = {0};
    if (receive(connection, &request)) {
      pid_t copy = fork();
      if (copy == 0) return become_program(&request);
      int status = 125 << 8;
      if (copy > 0) waitpid(copy, &status, 0);
      (void)!write(connection, &status, sizeof status);
    }
    for (size_t i = 0; i < request.count; i++) close(request.descriptors[i]);
    free(request.texts);
    close(connection);
  }
}

int __libc_start_main(main_function program, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end) {
  int (*original)(main_function, int, char **, void (*)(void), void (*)(void), void (*)(void), void *) =
      dlsym(RTLD_NEXT, "__libc_start_main");
  if (!original) _exit(1);
  program_main = program;
  return original(serve, argc, argv, init, fini, rtld_fini, stack_end);
}
