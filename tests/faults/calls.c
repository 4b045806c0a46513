/* The calls of a program that change or read files below one directory: counted, made to fail, recorded.
 *
 * Loaded before the C library (LD_PRELOAD), so it sees the calls of all threads in one order. Fault
 * injection by strace counts each thread by itself: what one thread does after another has done as
 * many calls cannot be hit there. Environment:
 *
 *   FAULTS_BELOW   the directory; calls on other files pass unseen
 *   FAULTS_LIST    a file: a line for each call, its number and name and path
 *   FAULTS_READS   if set, the calls that read are counted and fail, not those that change
 *   FAULTS_RECORD  a file: the calls with their data, for replay.py
 *   FAULTS_AT      the number of the call, from 1, at which something happens:
 *   FAULTS_DO      kill: SIGKILL before the call; torn: SIGKILL after half of a write (as kill for
 *                  other calls); EIO: this call fails; ENOSPC: this call and all after it fail that
 *                  need room
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;
static int ready, reads, list = -1, record = -1;
static char below[PATH_MAX];
static size_t below_length;
static long at, count;
static enum { NOTHING, KILL, TORN, FAIL_EIO, FAIL_ENOSPC } action;



static int opened(const char *variable)
{
    const char *path = getenv(variable);
    const int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC;
    return path ? syscall(SYS_openat, AT_FDCWD, path, flags, 0666) : -1;
}

static void prepare(void)
{
    const char *text = getenv("FAULTS_BELOW");
    ready = 1;
    if (!text || !realpath(text, below))
        return;
    below_length = strlen(below);
    list = opened("FAULTS_LIST");
    record = opened("FAULTS_RECORD");
    reads = getenv("FAULTS_READS") != 0;
    text = getenv("FAULTS_AT");
    at = text ? atol(text) : 0;
    text = getenv("FAULTS_DO");
    if (text)
        action = !strcmp(text, "kill") ? KILL : !strcmp(text, "torn") ? TORN
            : !strcmp(text, "EIO") ? FAIL_EIO : !strcmp(text, "ENOSPC") ? FAIL_ENOSPC : NOTHING;
}

static int begins_below(const char *whole)
{
    return !strncmp(whole, below, below_length)
        && (whole[below_length] == '/' || !whole[below_length]);
}

/* Makes a path absolute; whether it is below the directory. */
static int is_below(const char *path, char *whole)
{
    char copy[PATH_MAX], parent[PATH_MAX];
    const char *name;
    char *slash;
    if (!below_length || strlen(path) >= sizeof copy)
        return 0;
    strcpy(copy, path);
    slash = strrchr(copy, '/');
    name = slash ? slash + 1 : copy;
    if (!slash) {
        if (!realpath(".", parent))
            return 0;
    } else {
        *slash = 0;
        if (!realpath(*copy ? copy : "/", parent))
            return 0;
    }
    if (snprintf(whole, PATH_MAX, "%s/%s", parent, name) >= PATH_MAX)
        return 0;
    return begins_below(whole);
}

static int fd_is_below(int fd, char *whole)
{
    char link[64];
    ssize_t length;
    if (!below_length)
        return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    length = readlink(link, whole, PATH_MAX - 1);
    if (length <= 0)
        return 0;
    whole[length] = 0;
    return begins_below(whole);
}

static void put(int fd, const void *bytes, size_t length)
{
    while (length > 0) {
        ssize_t done = syscall(SYS_write, fd, bytes, length);
        if (done <= 0)
            _exit(99);
        bytes = (const char *)bytes + done;
        length -= done;
    }
}

/* What is to happen to the next call: 0 nothing, -1 half of it and then the end, else an errno. */
static int next_of(int reading, const char *name, const char *path, int needs_room)
{
    long number;
    if (reading != reads)
        return 0;
    number = ++count;
    if (list >= 0) {
        char line[PATH_MAX + 64];
        int length = snprintf(line, sizeof line, "%ld %s %s\n", number, name, path);
        put(list, line, length);
    }
    if (!at || number < at)
        return 0;
    if (action == FAIL_ENOSPC)
        return needs_room ? ENOSPC : 0;
    if (number > at)
        return 0;
    switch (action) {
    case KILL:
        kill(getpid(), SIGKILL);
        pause();
        return 0;
    case TORN:
        if (!strcmp(name, "write"))
            return -1;
        kill(getpid(), SIGKILL);
        pause();
        return 0;
    case FAIL_EIO:
        return EIO;
    default:
        return 0;
    }
}

static int next(const char *name, const char *path, int needs_room)
{
    return next_of(0, name, path, needs_room);
}

/* One call for replay.py: a line, and the bytes of a write behind it. */
static void note(const char *kind, uint64_t inode, long long number, const char *path,
                 const char *other, const void *bytes, size_t length)
{
    char head[2 * PATH_MAX + 128];
    int size;
    if (record < 0)
        return;
    size = snprintf(head, sizeof head, "%s\t%llu\t%lld\t%zu\t%s\t%s\n", kind,
                    (unsigned long long)inode, number, length, path, other);
    put(record, head, size);
    put(record, bytes, length);
}

static uint64_t inode_of(int fd)
{
    struct stat found;
    return fstat(fd, &found) ? 0 : found.st_ino;
}

#define ENTER                                     \
    pthread_mutex_lock(&order);                   \
    if (!ready)                                   \
        prepare();
#define LEAVE(result)                             \
    do {                                          \
        __typeof__(result) given = (result);      \
        int error = errno;                        \
        pthread_mutex_unlock(&order);             \
        errno = error;                            \
        return given;                             \
    } while (0)
#define REFUSED(name, path, needs_room)           \
    do {                                          \
        int refused = next(name, path, needs_room); \
        if (refused > 0) {                        \
            errno = refused;                      \
            LEAVE(-1);                            \
        }                                         \
    } while (0)

#define READ_FAILS(name, path, failed)            \
    do {                                          \
        int refused = next_of(1, name, path, 0);  \
        if (refused > 0) {                        \
            errno = refused;                      \
            LEAVE(failed);                        \
        }                                         \
    } while (0)

static int open_any(int directory, const char *path, int flags, mode_t mode)
{
    char whole[PATH_MAX];
    int fd, existed;
    ENTER
    if (directory != AT_FDCWD || !is_below(path, whole))
        LEAVE((int)syscall(SYS_openat, directory, path, flags, mode));
    if (!(flags & (O_CREAT | O_TRUNC))) {
        READ_FAILS("open", whole, -1);
        LEAVE((int)syscall(SYS_openat, directory, path, flags, mode));
    }
    existed = !syscall(SYS_faccessat, AT_FDCWD, path, F_OK);
    if (existed && !(flags & O_TRUNC))
        LEAVE((int)syscall(SYS_openat, directory, path, flags, mode));
    REFUSED("open", whole, 1);
    fd = syscall(SYS_openat, directory, path, flags, mode);
    if (fd >= 0)
        note(existed ? "truncate" : "create", inode_of(fd), 0, whole, "", 0, 0);
    LEAVE(fd);
}

#define OPEN(name, directory, ...)                     \
    int name(__VA_ARGS__, ...)                         \
    {                                                  \
        va_list rest;                                  \
        mode_t mode;                                   \
        va_start(rest, flags);                         \
        mode = va_arg(rest, mode_t);                   \
        va_end(rest);                                  \
        return open_any(directory, path, flags, mode); \
    }
OPEN(open, AT_FDCWD, const char *path, int flags)
OPEN(open64, AT_FDCWD, const char *path, int flags)
OPEN(openat, directory, int directory, const char *path, int flags)
OPEN(openat64, directory, int directory, const char *path, int flags)

ssize_t write(int fd, const void *bytes, size_t length)
{
    char whole[PATH_MAX];
    int refused;
    long long offset;
    ssize_t done;
    ENTER
    if (!fd_is_below(fd, whole))
        LEAVE((ssize_t)syscall(SYS_write, fd, bytes, length));
    refused = next("write", whole, 1);
    offset = lseek(fd, 0, SEEK_CUR);
    if (refused < 0) {
        syscall(SYS_write, fd, bytes, length / 2);
        kill(getpid(), SIGKILL);
        pause();
    }
    if (refused > 0) {
        errno = refused;
        LEAVE((ssize_t)-1);
    }
    done = syscall(SYS_write, fd, bytes, length);
    if (done > 0)
        note("write", inode_of(fd), offset, whole, "", bytes, done);
    LEAVE(done);
}

#define READ(name, kind, call, ...)               \
    ssize_t name(int fd, void *bytes, __VA_ARGS__) \
    {                                             \
        char whole[PATH_MAX];                     \
        ENTER                                     \
        if (fd_is_below(fd, whole))               \
            READ_FAILS(kind, whole, (ssize_t)-1); \
        LEAVE((ssize_t)call);                     \
    }
READ(read, "read", syscall(SYS_read, fd, bytes, length), size_t length)
READ(pread, "read", syscall(SYS_pread64, fd, bytes, length, offset), size_t length, off_t offset)
READ(pread64, "read", syscall(SYS_pread64, fd, bytes, length, offset), size_t length, off64_t offset)

#define MAP(name)                                 \
    void *name(void *where, size_t length, int protection, int flags, int fd, off64_t offset) \
    {                                             \
        char whole[PATH_MAX];                     \
        ENTER                                     \
        if (fd >= 0 && fd_is_below(fd, whole))    \
            READ_FAILS("mmap", whole, MAP_FAILED); \
        LEAVE((void *)syscall(SYS_mmap, where, length, protection, flags, fd, offset)); \
    }
MAP(mmap)
MAP(mmap64)

#define SYNC(name)                                \
    int name(int fd)                              \
    {                                             \
        char whole[PATH_MAX];                     \
        int done;                                 \
        ENTER                                     \
        if (!fd_is_below(fd, whole))              \
            LEAVE((int)syscall(SYS_##name, fd));  \
        REFUSED(#name, whole, 0);                 \
        done = syscall(SYS_##name, fd);           \
        if (!done)                                \
            note("sync", inode_of(fd), 0, whole, "", 0, 0); \
        LEAVE(done);                              \
    }
SYNC(fsync)
SYNC(fdatasync)

#define CUT(name)                                 \
    int name(int fd, off64_t length)              \
    {                                             \
        char whole[PATH_MAX];                     \
        int done;                                 \
        ENTER                                     \
        if (!fd_is_below(fd, whole))              \
            LEAVE((int)syscall(SYS_ftruncate, fd, length)); \
        REFUSED("ftruncate", whole, 1);           \
        done = syscall(SYS_ftruncate, fd, length); \
        if (!done)                                \
            note("cut", inode_of(fd), length, whole, "", 0, 0); \
        LEAVE(done);                              \
    }
CUT(ftruncate64)

int rename(const char *from, const char *to)
{
    char whole[PATH_MAX], target[PATH_MAX];
    int done;
    ENTER
    if (!is_below(from, whole) || !is_below(to, target))
        LEAVE((int)syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to));
    REFUSED("rename", target, 1);
    done = syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
    if (!done)
        note("rename", 0, 0, whole, target, 0, 0);
    LEAVE(done);
}

int unlink(const char *path)
{
    char whole[PATH_MAX];
    int done;
    ENTER
    if (!is_below(path, whole))
        LEAVE((int)syscall(SYS_unlinkat, AT_FDCWD, path, 0));
    REFUSED("unlink", whole, 0);
    done = syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    if (!done)
        note("unlink", 0, 0, whole, "", 0, 0);
    LEAVE(done);
}

int mkdir(const char *path, mode_t mode)
{
    char whole[PATH_MAX];
    int done;
    ENTER
    if (!is_below(path, whole))
        LEAVE((int)syscall(SYS_mkdirat, AT_FDCWD, path, mode));
    REFUSED("mkdir", whole, 1);
    done = syscall(SYS_mkdirat, AT_FDCWD, path, mode);
    if (!done)
        note("mkdir", 0, 0, whole, "", 0, 0);
    LEAVE(done);
}
