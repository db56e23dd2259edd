// Prints the records of files, for comparison with those of the command.

#include <urlsift.h>

#include <stdio.h>

static int print(const char *line, size_t length, void *to) { return fwrite(line, 1, length, to) != length; }

int main(int count, char **paths) {
  urlsift_scanner *scanner = NULL;
  if (urlsift_scanner_new(NULL, &scanner) != URLSIFT_OK) return 1;
  int status = 0;
  for (int i = 1; i < count; i++) {
    if (urlsift_scan_path(scanner, paths[i], print, stdout) < 0) {
      fprintf(stderr, "%s\n", urlsift_error());
      status = 1;
    }
  }
  urlsift_scanner_free(scanner);
  return status;
}
