/* Lets something happen to one rank at one moment: when it opens a file for the n-th time.
 *
 *     AT_RANK    the rank, by the launcher's variable
 *     AT_PATH    what the name of the file has in it
 *     AT_NEW     1: files that are made; 0: files that are there, opened to write
 *     AT_COUNT   the n-th such file, from 1
 *     AT_ACTION  kill, term: a signal to itself; stop: stopped for two seconds; full: no space;
 *                threads: from now on the system gives no threads
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_int count, no_threads;

static const char *given(const char *name) {
    const char *value = getenv(name);
    return value ? value : "";
}

/* Whether the call is to fail. */
static int happens(const char *path, int flags) {
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    const char *name = strrchr(path, '/');
    int made = (flags & O_CREAT) != 0, writes = (flags & O_ACCMODE) != O_RDONLY;
    if (!*given("AT_PATH") || strcmp(rank ? rank : given("PMI_RANK"), given("AT_RANK")) != 0)
        return 0;
    if (!writes || made != atoi(given("AT_NEW")) || !strstr(name ? name : path, given("AT_PATH")))
        return 0;
    if (atomic_fetch_add(&count, 1) + 1 != atoi(given("AT_COUNT")))
        return 0;
    const char *action = given("AT_ACTION");
    if (!strcmp(action, "kill"))
        kill(getpid(), SIGKILL);
    if (!strcmp(action, "term")) {
        kill(getpid(), SIGTERM);
        /* Another thread takes note of it; a short build would else be done before. */
        sleep(1);
    }
    if (!strcmp(action, "stop")) {
        pid_t self = getpid();
        if (fork() == 0) {
            sleep(2);
            kill(self, SIGCONT);
            _exit(0);
        }
        kill(self, SIGSTOP);
    }
    if (!strcmp(action, "threads"))
        no_threads = 1;
    if (!strcmp(action, "full")) {
        errno = ENOSPC;
        return 1;
    }
    return 0;
}

#define OPEN(name)                                                                                 \
    int name(const char *path, int flags, ...) {                                                   \
        va_list more;                                                                              \
        va_start(more, flags);                                                                     \
        mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;                                  \
        va_end(more);                                                                              \
        int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, #name);                             \
        return happens(path, flags) ? -1 : real(path, flags, mode);                                \
    }

OPEN(open)
OPEN(open64)

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument) {
    int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
        dlsym(RTLD_NEXT, "pthread_create");
    return no_threads ? EAGAIN : real(thread, attributes, start, argument);
}
