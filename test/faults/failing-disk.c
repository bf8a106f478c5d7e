/*
 * Loaded before the C library (LD_PRELOAD): makes the disk of the store fail, or answer nothing, as the file says that
 * FAILING_DISK names. It holds `stall`, the name of an error, or `sync` if only syncs fail; with anything else, all is
 * well.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static int is_store(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return strstr(path, "/storage.sqlite") != NULL;
}

/* 0 if the disk works, otherwise the error. */
static int fault(int fd, int is_sync) {
  const char *control = getenv("FAILING_DISK");
  if (control == NULL || !is_store(fd)) return 0;
  for (;;) {
    char text[32] = "";
    int file = (int)syscall(SYS_openat, AT_FDCWD, control, O_RDONLY);
    if (file < 0) return 0;
    ssize_t length = syscall(SYS_read, file, text, sizeof text - 1);
    syscall(SYS_close, file);
    text[length < 0 ? 0 : length] = 0;
    if (strncmp(text, "EIO", 3) == 0) return EIO;
    if (strncmp(text, "sync", 4) == 0) return is_sync ? EIO : 0;
    if (strncmp(text, "EROFS", 5) == 0) return EROFS;
    if (strncmp(text, "ENOSPC", 6) == 0) return ENOSPC;
    if (strncmp(text, "stall", 5) != 0) return 0;
    usleep(5000);
  }
}

#define FAIL(fd, is_sync)              \
  do {                                 \
    int error = fault(fd, is_sync);    \
    if (error != 0) {                  \
      errno = error;                   \
      return -1;                       \
    }                                  \
  } while (0)

ssize_t write(int fd, const void *bytes, size_t count) {
  FAIL(fd, 0);
  return syscall(SYS_write, fd, bytes, count);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) {
  FAIL(fd, 0);
  return syscall(SYS_pwrite64, fd, bytes, count, offset);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) {
  FAIL(fd, 0);
  return syscall(SYS_pwrite64, fd, bytes, count, offset);
}

int fsync(int fd) {
  FAIL(fd, 1);
  return (int)syscall(SYS_fsync, fd);
}

int fdatasync(int fd) {
  FAIL(fd, 1);
  return (int)syscall(SYS_fdatasync, fd);
}

int ftruncate(int fd, off_t length) {
  FAIL(fd, 0);
  return (int)syscall(SYS_ftruncate, fd, length);
}

int ftruncate64(int fd, off64_t length) {
  FAIL(fd, 0);
  return (int)syscall(SYS_ftruncate, fd, length);
}
