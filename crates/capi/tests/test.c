// Tests the interface from C11: matches, stopping, errors, streams and threads.

#include <urlsift.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHECK(what)                                                                 \
  do {                                                                              \
    if (!(what)) {                                                                  \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #what, urlsift_error()); \
      exit(1);                                                                      \
    }                                                                               \
  } while (0)

static const char TEXT[] =
    "At <URL:http://host.dom/\n  a/b.html> and ftp://joe:secret@host.dom/c, not http://host..dom/.";

// The matches, one per line.
typedef struct {
  char lines[4096];
  size_t length;
  int most;
} notes;

static int note(const urlsift_match *found, void *context) {
  notes *all = context;
  CHECK(found->size >= sizeof(urlsift_match));
  all->length += (size_t)snprintf(all->lines + all->length, sizeof all->lines - all->length, "%.*s %d %d %s %d\n",
                                  (int)found->url_length, found->url, (int)found->start, (int)found->end, found->form, found->valid);
  return --all->most == 0;
}

static int keep(const char *text, size_t length, void *context) {
  notes *all = context;
  CHECK(length < sizeof all->lines - all->length);
  memcpy(all->lines + all->length, text, length);
  all->length += length;
  all->lines[all->length] = 0;
  return --all->most == 0;
}

static const char BOTH[] =
    "http://host.dom/a/b.html 8 35 wrapped 1\n"
    "ftp://joe:secret@host.dom/c 41 68 bare 1\n";

static void finds(const urlsift_scanner *scanner) {
  notes all = {0};
  CHECK(urlsift_find(scanner, TEXT, strlen(TEXT), note, &all) == URLSIFT_OK);
  CHECK(strcmp(all.lines, BOTH) == 0);
  notes first = {.most = 1};
  CHECK(urlsift_find(scanner, TEXT, strlen(TEXT), note, &first) == URLSIFT_STOPPED);
  CHECK(strncmp(BOTH, first.lines, first.length) == 0 && strchr(first.lines, '\n')[1] == 0);
  CHECK(urlsift_find(scanner, NULL, 0, note, NULL) == URLSIFT_OK);
}

static void streams(const urlsift_scanner *scanner) {
  for (size_t step = 1; step < 90; step++) {
    urlsift_stream *stream = NULL;
    CHECK(urlsift_stream_open(scanner, &stream) == URLSIFT_OK);
    for (int again = 0; again < 2; again++) {
      notes all = {0};
      for (size_t at = 0; at < strlen(TEXT); at += step) {
        size_t left = strlen(TEXT) - at;
        CHECK(urlsift_stream_push(stream, TEXT + at, left < step ? left : step, note, &all) == URLSIFT_OK);
      }
      all.most = 1;
      CHECK(urlsift_stream_finish(stream, note, &all) == URLSIFT_STOPPED);
      all.most = 0;
      CHECK(urlsift_stream_finish(stream, note, &all) == URLSIFT_OK);
      CHECK(strcmp(all.lines, BOTH) == 0);
    }
    urlsift_stream_free(stream);
  }
}

static void options(void) {
  urlsift_options *options = urlsift_options_new();
  CHECK(urlsift_options_set(options, "malformed", "include") == URLSIFT_OK);
  CHECK(urlsift_options_set(options, "mask_passwords", "true") == URLSIFT_OK);
  CHECK(urlsift_options_set(options, "rejoin", "always") == URLSIFT_BAD_OPTION);
  CHECK(strstr(urlsift_error(), "rejoin: 'always'") != NULL);
  CHECK(urlsift_options_set(options, "rejion", "off") == URLSIFT_BAD_OPTION);
  CHECK(strstr(urlsift_error(), "rejion") != NULL);
  CHECK(urlsift_options_set(options, "rejoin", "\xff") == URLSIFT_BAD_ARGUMENT);
  CHECK(urlsift_options_set(options, NULL, "off") == URLSIFT_BAD_ARGUMENT);
  CHECK(urlsift_options_set(NULL, "rejoin", "off") == URLSIFT_BAD_ARGUMENT);
  urlsift_scanner *scanner = NULL;
  CHECK(urlsift_scanner_new(options, &scanner) == URLSIFT_OK);
  urlsift_options_free(options);
  notes all = {0};
  CHECK(urlsift_find(scanner, TEXT, strlen(TEXT), note, &all) == URLSIFT_OK);
  CHECK(strstr(all.lines, "ftp://joe:***@host.dom/c") != NULL && strstr(all.lines, "http://host..dom/ 74 91 bare 0") != NULL);
  urlsift_scanner_free(scanner);
  urlsift_scanner_free(NULL);
  CHECK(urlsift_find(NULL, "", 0, note, NULL) == URLSIFT_BAD_ARGUMENT);
}

static ptrdiff_t reads(char *to, size_t most, void *source) {
  return (ptrdiff_t)fread(to, 1, most < 7 ? most : 7, source);
}

static ptrdiff_t fails(char *to, size_t most, void *source) {
  (void)to, (void)most, (void)source;
  return -1;
}

// Without its callback, no function succeeds.
static void callbacks_are_required(const urlsift_scanner *scanner) {
  CHECK(urlsift_find(scanner, TEXT, strlen(TEXT), NULL, NULL) == URLSIFT_BAD_ARGUMENT);
  CHECK(strcmp(urlsift_error(), "take is NULL") == 0);
  CHECK(urlsift_find(scanner, "", 0, NULL, NULL) == URLSIFT_BAD_ARGUMENT);
  urlsift_stream *stream = NULL;
  CHECK(urlsift_stream_open(scanner, &stream) == URLSIFT_OK);
  CHECK(urlsift_stream_push(stream, "x", 1, NULL, NULL) == URLSIFT_BAD_ARGUMENT);
  CHECK(urlsift_stream_finish(stream, NULL, NULL) == URLSIFT_BAD_ARGUMENT);
  urlsift_stream_free(stream);
  CHECK(urlsift_scan_bytes(scanner, "a", "", 0, NULL, NULL) == URLSIFT_BAD_ARGUMENT);
  CHECK(urlsift_scan_path(scanner, "/no/such/file", NULL, NULL) == URLSIFT_BAD_ARGUMENT);
  CHECK(urlsift_scan_stream(scanner, "a", reads, NULL, NULL, NULL) == URLSIFT_BAD_ARGUMENT);
  CHECK(urlsift_scan_stream(scanner, "a", NULL, NULL, keep, NULL) == URLSIFT_BAD_ARGUMENT);
  CHECK(strcmp(urlsift_error(), "read is NULL") == 0);
  CHECK(urlsift_normalize("x", 1, NULL, NULL, NULL) == URLSIFT_BAD_ARGUMENT);
  CHECK(urlsift_parse("x", 1, NULL, NULL, NULL, NULL) == URLSIFT_BAD_ARGUMENT);
}

// A path is not necessarily UTF-8. Records then have U+FFFD instead of the other bytes.
static void paths_contain_any_bytes(const urlsift_scanner *scanner) {
  char path[] = "/tmp/urlsift-\xe9-XXXXXX";
  int file = mkstemp(path);
  CHECK(file >= 0 && write(file, TEXT, strlen(TEXT)) == (ssize_t)strlen(TEXT) && close(file) == 0);
  notes all = {0};
  CHECK(urlsift_scan_path(scanner, path, keep, &all) == URLSIFT_OK);
  CHECK(strstr(all.lines, "\"url\":\"http://host.dom/a/b.html\"") != NULL);
  CHECK(unlink(path) == 0);
  CHECK(urlsift_scan_path(scanner, path, keep, &all) == URLSIFT_IO);
  CHECK(strstr(urlsift_error(), "/tmp/urlsift-\xef\xbf\xbd-") != NULL);
  CHECK(urlsift_scan_bytes(scanner, "\xe9.txt", TEXT, strlen(TEXT), keep, &all) == URLSIFT_OK);
}

static void scans(const urlsift_scanner *scanner) {
  static const char mail[] = "From: joe@host.dom\nSubject: x\n\nsee http://host.dom/\n";
  notes all = {0};
  CHECK(urlsift_scan_bytes(scanner, "a.eml", mail, strlen(mail), keep, &all) == URLSIFT_OK);
  CHECK(strstr(all.lines, "\"path\":\"a.eml\",\"url\":\"http://host.dom/\"") != NULL && strchr(all.lines, '\n')[1] == 0);
  FILE *file = tmpfile();
  CHECK(file && fwrite(mail, 1, strlen(mail), file) == strlen(mail));
  rewind(file);
  notes again = {0};
  CHECK(urlsift_scan_stream(scanner, "a.eml", reads, file, keep, &again) == URLSIFT_OK);
  CHECK(strcmp(again.lines, all.lines) == 0);
  fclose(file);
  notes trouble = {0};
  CHECK(urlsift_scan_stream(scanner, "b", fails, NULL, keep, &trouble) == URLSIFT_OK);
  CHECK(strstr(trouble.lines, "\"type\":\"error\",\"path\":\"b\"") != NULL);
  CHECK(urlsift_scan_path(scanner, "/no/such/file", keep, NULL) == URLSIFT_IO);
  CHECK(strstr(urlsift_error(), "/no/such/file") != NULL);
  CHECK(urlsift_scan_path(scanner, "/", keep, NULL) == URLSIFT_IO);
}

static void judges(void) {
  notes all = {0};
  CHECK(urlsift_normalize("HTTP://Host.Dom:80", 18, NULL, keep, &all) == URLSIFT_OK);
  CHECK(strcmp(all.lines, "http://host.dom/") == 0);
  all.length = 0;
  CHECK(urlsift_parse("ftp://h.dom/a;type=i", 20, "rfc1738", NULL, keep, &all) == URLSIFT_OK);
  CHECK(strstr(all.lines, "\"typecode\":\"i\"") != NULL);
  CHECK(urlsift_parse("x", 1, "rfc9", NULL, keep, &all) == URLSIFT_BAD_OPTION);
  static const char secret[] = "http://joe:key@h.dom/?token=abc";
  all.length = 0;
  CHECK(urlsift_parse(secret, strlen(secret), NULL, NULL, keep, &all) == URLSIFT_OK);
  CHECK(strstr(all.lines, "key") != NULL && strstr(all.lines, "abc") != NULL);
  all.length = 0;
  CHECK(urlsift_parse(secret, strlen(secret), NULL, "passwords", keep, &all) == URLSIFT_OK);
  CHECK(strstr(all.lines, "key") == NULL && strstr(all.lines, "abc") != NULL);
  all.length = 0;
  CHECK(urlsift_parse(secret, strlen(secret), NULL, "secrets", keep, &all) == URLSIFT_OK);
  CHECK(strstr(all.lines, "key") == NULL && strstr(all.lines, "abc") == NULL);
  CHECK(urlsift_parse("x", 1, NULL, "all", keep, &all) == URLSIFT_BAD_OPTION);
  CHECK(strstr(urlsift_error(), "mask: 'all'") != NULL);
}

static void *runs(void *scanner) {
  for (int i = 0; i < 50; i++) finds(scanner);
  return NULL;
}

static void threads(urlsift_scanner *scanner) {
  pthread_t all[8];
  for (int i = 0; i < 8; i++) CHECK(pthread_create(&all[i], NULL, runs, scanner) == 0);
  for (int i = 0; i < 8; i++) CHECK(pthread_join(all[i], NULL) == 0);
}

#ifdef TEST_PANIC
static void panics(void) {
  urlsift_options *options = urlsift_options_new();
  CHECK(urlsift_options_set(options, "test_panic", "true") == URLSIFT_OK);
  urlsift_scanner *scanner = NULL;
  CHECK(urlsift_scanner_new(options, &scanner) == URLSIFT_OK);
  CHECK(urlsift_find(scanner, "", 0, note, NULL) == URLSIFT_PANIC);
  CHECK(strstr(urlsift_error(), "on purpose") != NULL);
  urlsift_scanner_free(scanner);
  urlsift_options_free(options);
}
#endif

// For each option, a text whose records it changes. Generated from corpus/options.json.
static const struct {
  const char *option, *value, *base, *base_value, *name, *bytes;
  size_t length;
} CASES[] = {
#include "options.inc"
};

static int digest(const char *text, size_t length, void *context) {
  uint64_t *sum = context;
  for (size_t i = 0; i < length; i++) {
    *sum = *sum * 1099511628211u + (unsigned char)text[i];
  }
  return 0;
}

static void options_have_effects(void) {
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    uint64_t sums[2] = {0};
    for (int with = 0; with < 2; with++) {
      urlsift_options *options = urlsift_options_new();
      if (*CASES[i].base) {
        CHECK(urlsift_options_set(options, CASES[i].base, CASES[i].base_value) == URLSIFT_OK);
      }
      if (with) {
        CHECK(urlsift_options_set(options, CASES[i].option, CASES[i].value) == URLSIFT_OK);
      }
      urlsift_scanner *scanner = NULL;
      CHECK(urlsift_scanner_new(options, &scanner) == URLSIFT_OK);
      CHECK(urlsift_scan_bytes(scanner, CASES[i].name, CASES[i].bytes, CASES[i].length, digest, &sums[with]) == URLSIFT_OK);
      urlsift_scanner_free(scanner);
      urlsift_options_free(options);
    }
    if (sums[0] == sums[1]) {
      fprintf(stderr, "%s=%s has no effect\n", CASES[i].option, CASES[i].value);
      exit(1);
    }
  }
}

// Texts with their options, the profile, and the expected matches. Generated from corpus/bindings.
static const struct {
  const char *why, *options[4], *profile, *text;
  size_t length;
  const char *matches;
} MATCHES[] = {
#include "matches.inc"
};

typedef struct {
  notes all;
  const char *profile;
} described;

// Appends the match, its normalized form and its scheme.
static int describe(const urlsift_match *found, void *context) {
  described *these = context;
  notes *all = &these->all;
  int has_scheme = 1;
  static const char *const without[] = {"schemeless", "locator", "email", "host"};
  for (size_t i = 0; i < sizeof without / sizeof *without; i++) has_scheme &= strcmp(found->form, without[i]) != 0;
  note(found, all);
  all->lines[all->length - 1] = ' ';
  if (has_scheme) {
    CHECK(urlsift_normalize(found->url, found->url_length, these->profile, keep, all) == URLSIFT_OK);
  } else {
    keep(found->url, found->url_length, all);
  }
  char scheme[64] = "-";
  if (has_scheme) {
    notes parsed = {0};
    CHECK(urlsift_parse(found->url, found->url_length, these->profile, NULL, keep, &parsed) == URLSIFT_OK);
    const char *field = strstr(parsed.lines, "\"scheme\":\"");
    CHECK(field != NULL && sscanf(field, "\"scheme\":\"%63[^\"]", scheme) == 1);
  }
  all->length += (size_t)snprintf(all->lines + all->length, sizeof all->lines - all->length, " %s\n", scheme);
  return 0;
}

static void matches_are_those_of_other_languages(void) {
  for (size_t i = 0; i < sizeof MATCHES / sizeof *MATCHES; i++) {
    urlsift_options *options = urlsift_options_new();
    for (size_t at = 0; at < 4 && *MATCHES[i].options[at]; at += 2) {
      CHECK(urlsift_options_set(options, MATCHES[i].options[at], MATCHES[i].options[at + 1]) == URLSIFT_OK);
    }
    urlsift_scanner *scanner = NULL;
    CHECK(urlsift_scanner_new(options, &scanner) == URLSIFT_OK);
    described these = {.profile = MATCHES[i].profile};
    CHECK(urlsift_find(scanner, MATCHES[i].text, MATCHES[i].length, describe, &these) == URLSIFT_OK);
    if (strcmp(these.all.lines, MATCHES[i].matches) != 0) {
      fprintf(stderr, "%s\nexpected:\n%sfound:\n%s", MATCHES[i].why, MATCHES[i].matches, these.all.lines);
      exit(1);
    }
    urlsift_scanner_free(scanner);
    urlsift_options_free(options);
  }
}

int main(void) {
  CHECK(urlsift_abi() == URLSIFT_ABI && strchr(urlsift_version(), '.') != NULL && *urlsift_error() == 0);
  urlsift_scanner *scanner = NULL;
  CHECK(urlsift_scanner_new(NULL, &scanner) == URLSIFT_OK);
  finds(scanner);
  streams(scanner);
  options();
  options_have_effects();
  matches_are_those_of_other_languages();
  callbacks_are_required(scanner);
  scans(scanner);
  paths_contain_any_bytes(scanner);
  judges();
  threads(scanner);
  urlsift_scanner_free(scanner);
#ifdef TEST_PANIC
  panics();
#endif
  puts("C: all as it should be");
}
