/*
 * Runs a copy of a zygote in the current folder, with its own standard streams and, if it is open, descriptor 3. Ends as
 * the copy does. Without a zygote, it becomes the program itself.
 *
 * Usage: client SOCKET PROGRAM ARGUMENT...
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_DESCRIPTORS = 4, WAIT_US = 2000, MAX_WAITS = 5000 };

/* A connection to the zygote, which may still be linked; -1 if there is none in 10 seconds. */
static int open_connection(const char *path) {
  struct sockaddr_un zygote = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof zygote.sun_path) return -1;
  strcpy(zygote.sun_path, path);
  for (int i = 0; i < MAX_WAITS; i++) {
    int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(connection, (struct sockaddr *)&zygote, sizeof zygote) == 0) return connection;
    close(connection);
    usleep(WAIT_US);
  }
  return -1;
}

static int send_descriptors(int connection, uint32_t length) {
  int descriptors[MAX_DESCRIPTORS];
  size_t count = 0;
  while (count < MAX_DESCRIPTORS && fcntl(count, F_GETFD) != -1 && (int)count != connection) {
    descriptors[count] = count;
    count++;
  }
  char control[CMSG_SPACE(sizeof descriptors)];
  struct iovec part = {&length, sizeof length};
  struct msghdr message = {0};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = CMSG_SPACE(count * sizeof(int));
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(count * sizeof(int));
  memcpy(CMSG_DATA(header), descriptors, count * sizeof(int));
  return sendmsg(connection, &message, MSG_NOSIGNAL) == sizeof length;
}

static int send_text(int connection, const char *text) {
  size_t length = strlen(text) + 1;
  return send(connection, text, length, MSG_NOSIGNAL) == (ssize_t)length;
}

int main(int argc, char **argv) {
  if (argc < 3) return 125;
  int connection = open_connection(argv[1]);
  char *folder = getcwd(NULL, 0);
  if (connection == -1 || !folder) {
    execvp(argv[2], argv + 2);
    return 125;
  }
  uint32_t length = strlen(folder) + 1;
  for (int i = 2; i < argc; i++) length += strlen(argv[i]) + 1;
  if (!send_descriptors(connection, length) || !send_text(connection, folder)) return 125;
  for (int i = 2; i < argc; i++)
    if (!send_text(connection, argv[i])) return 125;
  int status;
  if (recv(connection, &status, sizeof status, MSG_WAITALL) != sizeof status) return 125;
  if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
  signal(WTERMSIG(status), SIG_DFL);
  raise(WTERMSIG(status));
  return 125;
}
