/* Preloaded into the ranks of a job: makes one call on one rank fail.
 *
 * KMAP_TEST_FAULT=NAME:RANK:COUNT, such as H5Dread:1:2, lets the second call of H5Dread on rank 1 fail. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int own_rank(void) {
  static const char* const variables[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"};
  for (unsigned i = 0; i < sizeof variables / sizeof *variables; ++i) {
    const char* value = getenv(variables[i]);
    if (value != NULL) return atoi(value);
  }
  return 0;
}

/* True if this call of `name` is the one that fails. */
static int fails(const char* name) {
  static int calls = 0;
  const char* fault = getenv("KMAP_TEST_FAULT");
  const size_t length = strlen(name);
  int rank = 0, count = 0;
  if (fault == NULL || strncmp(fault, name, length) != 0 || fault[length] != ':') return 0;
  if (sscanf(fault + length + 1, "%d:%d", &rank, &count) != 2 || rank != own_rank()) return 0;
  return ++calls == count;
}

static void* next(const char* name) {
  void* found = dlsym(RTLD_NEXT, name);
  if (found == NULL) {
    fprintf(stderr, "inject: no %s\n", name);
    abort();
  }
  return found;
}

hid_t H5Fopen(const char* file, unsigned flags, hid_t access) {
  if (fails("H5Fopen")) return -1;
  return ((hid_t(*)(const char*, unsigned, hid_t))next("H5Fopen"))(file, flags, access);
}

herr_t H5Dread(hid_t dataset, hid_t type, hid_t memory, hid_t file, hid_t transfer, void* out) {
  if (fails("H5Dread")) return -1;
  return ((herr_t(*)(hid_t, hid_t, hid_t, hid_t, hid_t, void*))next("H5Dread"))(
      dataset, type, memory, file, transfer, out);
}

herr_t H5Dwrite(hid_t dataset, hid_t type, hid_t memory, hid_t file, hid_t transfer,
                const void* data) {
  if (fails("H5Dwrite")) return -1;
  return ((herr_t(*)(hid_t, hid_t, hid_t, hid_t, hid_t, const void*))next("H5Dwrite"))(
      dataset, type, memory, file, transfer, data);
}

int fsync(int file) {
  if (fails("fsync")) {
    errno = EIO;
    return -1;
  }
  return ((int (*)(int))next("fsync"))(file);
}

int rename(const char* from, const char* to) {
  if (fails("rename")) {
    errno = EIO;
    return -1;
  }
  return ((int (*)(const char*, const char*))next("rename"))(from, to);
}
