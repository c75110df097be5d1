// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CHILDREN = 16 };
static volatile pid_t children[CHILDREN];

static void replace(pid_t old, pid_t new) {
  for (int i = 0; i < CHILDREN; i++)
    if (children[i] == old) {
      children[i] = new;
      return;
    }
}

int csystem_pin(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int each = 0; each < CPU_SETSIZE; each++) {
    if (cpu < 0 || each == cpu) CPU_SET(each, &set);
  }
  return sched_setaffinity(0, sizeof set, &set);
}

pid_t csystem_start(char *const arguments[], char *const environment[], int output, int cpu) {
  pid_t parent = getpid();
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &before);  // no signal between the child's birth and its entry in the list
  pid_t child = fork();
  if (child > 0) replace(0, child);
  if (child != 0) {
    int error = errno;
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return child;
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  if (cpu >= 0) csystem_pin(cpu);
  dup2(open("/dev/null", O_RDONLY), 0);
  dup2(output, 1);
  dup2(output, 2);
  close_range(3, ~0u, CLOSE_RANGE_CLOEXEC);
  struct sigaction standard = {.sa_handler = SIG_DFL};
  for (int signal = 1; signal < 32; signal++) sigaction(signal, &standard, NULL);
  sigprocmask(SIG_SETMASK, &before, NULL);
  execve(arguments[0], arguments, environment);
  const char *reason = strerror(errno);
  (void)!write(2, reason, strlen(reason));
  _exit(127);
}

int csystem_wait(pid_t child, int milliseconds) {
  int descriptor = (int)syscall(SYS_pidfd_open, child, 0);
  if (descriptor < 0) return 1;
  struct pollfd end = {.fd = descriptor, .events = POLLIN};
  int ended = poll(&end, 1, milliseconds);
  close(descriptor);
  return ended > 0;
}

int csystem_stop(pid_t child, int milliseconds) {
  int status = 0;
  kill(child, SIGTERM);
  if (!csystem_wait(child, milliseconds)) kill(child, SIGKILL);
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  replace(child, 0);
  return status;
}

uint64_t csystem_cpu_time(pid_t child) {
  clockid_t clock;
  struct timespec time;
  if (clock_getcpuclockid(child, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0;
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

int csystem_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

static void end(int signal) {
  for (int i = 0; i < CHILDREN; i++)
    if (children[i] > 0) kill(children[i], SIGKILL);
  const char *reason = signal == SIGALRM ? "\nbench: the time limit is over; nothing was reported\n" : "\nbench: stopped\n";
  (void)!write(2, reason, strlen(reason));
  _exit(signal == SIGALRM ? 1 : 128 + signal);
}

void csystem_guard(unsigned seconds) {
  struct sigaction action = {.sa_handler = end};
  sigfillset(&action.sa_mask);
  const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM};
  for (int i = 0; i < 4; i++) sigaction(signals[i], &action, NULL);
  alarm(seconds);
}
