// Calls each function CALLS / 2 times as a warm-up, and then CALLS times. Fails if the resident memory grows in the
// second round. Needs Linux. Usage: memory [CALLS]

#include <urlsift.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// The maximum growth of the resident memory, in bytes.
static const long MAX_GROWTH = 5000000;

static const char TEXT[] = "See <URL:http://host.dom/\n a> and http://Host.dom/%7eb.";
static const char MAIL[] = "From: joe@host.dom\nSubject: x\n\nsee http://host.dom/\n> and <URL:ftp://h.dom/a>\n";
static urlsift_scanner *scanner;
static urlsift_stream *stream;
static int failed;

static void check(int is_right) {
  if (!is_right) failed = 1;
}

static int on_match(const urlsift_match *found, void *context) {
  (void)context;
  return found->url_length == 0;
}

static int on_text(const char *text, size_t length, void *context) {
  (void)text, (void)context;
  return length == 0;
}

static void find(void) {
  check(urlsift_find(scanner, TEXT, strlen(TEXT), on_match, NULL) == URLSIFT_OK);
}

static void push(void) {
  check(urlsift_stream_push(stream, TEXT, strlen(TEXT), on_match, NULL) == URLSIFT_OK);
  check(urlsift_stream_finish(stream, on_match, NULL) == URLSIFT_OK);
}

static void open_stream(void) {
  urlsift_stream *other;
  check(urlsift_stream_open(scanner, &other) == URLSIFT_OK);
  check(urlsift_stream_push(other, TEXT, strlen(TEXT), on_match, NULL) == URLSIFT_OK);
  urlsift_stream_free(other);
}

static void create(void) {
  urlsift_options *options = urlsift_options_new();
  check(urlsift_options_set(options, "scheme", "ftp,tel") == URLSIFT_OK);
  urlsift_scanner *other;
  check(urlsift_scanner_new(options, &other) == URLSIFT_OK);
  urlsift_options_free(options);
  urlsift_scanner_free(other);
}

static void scan(void) {
  check(urlsift_scan_bytes(scanner, "a.eml", MAIL, strlen(MAIL), on_text, NULL) == URLSIFT_OK);
}

static void parse(void) {
  check(urlsift_parse("ftp://u@h.dom/a;type=i", 22, NULL, "secrets", on_text, NULL) == URLSIFT_OK);
}

static void normalize(void) {
  check(urlsift_normalize("HTTP://Host.Dom:80", 18, NULL, on_text, NULL) == URLSIFT_OK);
}

static void fail(void) {
  urlsift_options *options = urlsift_options_new();
  check(urlsift_options_set(options, "rejoin", "always") == URLSIFT_BAD_OPTION && *urlsift_error());
  urlsift_options_free(options);
}

static const struct {
  const char *name;
  void (*call)(void);
} FUNCTIONS[] = {
    {"urlsift_find", find},           {"urlsift_stream_push", push}, {"urlsift_stream_open", open_stream},
    {"urlsift_scanner_new", create},  {"urlsift_scan_bytes", scan},  {"urlsift_parse", parse},
    {"urlsift_normalize", normalize}, {"a failure", fail},
};

static long resident(void) {
  long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  check(file && fscanf(file, "%*d %ld", &pages) == 1);
  if (file) fclose(file);
  return pages * sysconf(_SC_PAGESIZE);
}

int main(int count, char **arguments) {
  long calls = count > 1 ? atol(arguments[1]) : 1000000;
  check(urlsift_scanner_new(NULL, &scanner) == URLSIFT_OK);
  check(urlsift_stream_open(scanner, &stream) == URLSIFT_OK);
  for (size_t i = 0; i < sizeof FUNCTIONS / sizeof *FUNCTIONS; i++) {
    for (long n = 0; n < calls / 2; n++) FUNCTIONS[i].call();
    long before = resident();
    clock_t begin = clock();
    for (long n = 0; n < calls; n++) FUNCTIONS[i].call();
    long grown = resident() - before;
    printf("%s: %ld calls, %.0f ms, %ld bytes more\n", FUNCTIONS[i].name, calls, 1000.0 * (clock() - begin) / CLOCKS_PER_SEC, grown);
    check(grown <= MAX_GROWTH);
  }
  urlsift_stream_free(stream);
  urlsift_scanner_free(scanner);
  return failed;
}
