/*
 * A smaller zygote than that of `lib/engines/sandbox`, for what tests run without a sandbox: it starts copies of the
 * program into which it is loaded, which is linked once and not for each run.
 *
 * Usage: LD_PRELOAD=zygote.so PROGRAM FOLDER
 *
 * It takes one request at a time from the pipe FOLDER/request: the length of what follows, and texts with a zero byte at
 * the end of each: the folder of the copy, and its arguments. The copy writes to the files FOLDER/1, FOLDER/2 and
 * FOLDER/3 by the descriptors of these numbers. The reply, in the pipe FOLDER/reply, is the status of waitpid(2). With
 * pipes and files, Node.js waits for a run without a process of its own, whose start would copy the page tables of
 * hundreds of megabytes. The zygote and its copy end with the process that started it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int (*main_function)(int, char **, char **);

enum { OUTPUTS = 3 };

static main_function program_main;

static void require(int succeeded) {
  if (!succeeded) _exit(125);
}

/* Opens the pipe `name`, which appears only when it is open. Open for both directions, it has no end. */
static int open_pipe(const char *name) {
  require(mkfifo("unfinished", 0600) == 0);
  int pipe = open("unfinished", O_RDWR | O_CLOEXEC);
  require(pipe != -1 && rename("unfinished", name) == 0);
  return pipe;
}

static void read_all(int pipe, void *target, size_t length) {
  for (size_t done = 0; done < length;) {
    ssize_t count = read(pipe, (char *)target + done, length - done);
    require(count > 0);
    done += count;
  }
}

/* The arguments after the first text, which is the folder. */
static char **arguments_of(char *texts, uint32_t length, int *count) {
  char **arguments = calloc(length + 1, sizeof(char *));
  require(arguments != NULL);
  *count = 0;
  for (char *text = texts; text < texts + length; text += strlen(text) + 1)
    if (text != texts) arguments[(*count)++] = text;
  return arguments;
}

/* Ends the copy without the destructors of its libraries, which would write to each of them. */
static void end_copy(int status, void *unused) {
  (void)unused;
  fflush(NULL);
  _exit(status);
}

/* Becomes the program in a copy of this process, whose folder is still that of the pipes. */
static int become_program(char *texts, uint32_t length) {
  require(prctl(PR_SET_PDEATHSIG, SIGKILL) == 0);
  int files[OUTPUTS + 1];
  files[0] = open("/dev/null", O_RDONLY);
  for (int i = 1; i <= OUTPUTS; i++) {
    char name[] = {'0' + i, 0};
    files[i] = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  }
  /* First out of the way of the descriptors that they get. */
  for (int i = 0; i <= OUTPUTS; i++) require((files[i] = fcntl(files[i], F_DUPFD, OUTPUTS + 1)) != -1);
  for (int i = 0; i <= OUTPUTS; i++) require(dup2(files[i], i) != -1);
  require(close_range(OUTPUTS + 1, ~0U, 0) == 0);
  require(chdir(texts) == 0);
  require(on_exit(end_copy, NULL) == 0);
  int count;
  char **arguments = arguments_of(texts, length, &count);
  return program_main(count, arguments, environ);
}

static int serve(int argc, char **argv, char **environment) {
  (void)environment;
  require(argc == 2 && prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && chdir(argv[1]) == 0);
  int reply = open_pipe("reply");
  int request = open_pipe("request");
  for (;;) {
    uint32_t length;
    read_all(request, &length, sizeof length);
    char *texts = malloc(length);
    require(texts != NULL);
    read_all(request, texts, length);
    pid_t copy = fork();
    if (copy == 0) return become_program(texts, length);
    int status = 125 << 8;
    if (copy > 0) waitpid(copy, &status, 0);
    require(write(reply, &status, sizeof status) == sizeof status);
    free(texts);
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
