// Tests the interface from C++: a scanner with automatic cleanup, and the rows of an Arrow stream.

#include <urlsift.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

// From the specification of Arrow's C interface.
struct ArrowSchema {
  const char *format;
  const char *name;
  const char *metadata;
  int64_t flags;
  int64_t n_children;
  ArrowSchema **children;
  ArrowSchema *dictionary;
  void (*release)(ArrowSchema *);
  void *private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void **buffers;
  ArrowArray **children;
  ArrowArray *dictionary;
  void (*release)(ArrowArray *);
  void *private_data;
};

struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream *, ArrowSchema *out);
  int (*get_next)(ArrowArrayStream *, ArrowArray *out);
  const char *(*get_last_error)(ArrowArrayStream *);
  void (*release)(ArrowArrayStream *);
  void *private_data;
};

static void check(bool holds, const char *what) {
  if (!holds) {
    std::fprintf(stderr, "%s: %s\n", what, urlsift_error());
    std::exit(1);
  }
}

struct Free {
  void operator()(urlsift_scanner *scanner) const { urlsift_scanner_free(scanner); }
};

int main(int count, char **arguments) {
  check(count == 2, "the path of a mailbox is missing");
  urlsift_scanner *made = nullptr;
  check(urlsift_scanner_new(nullptr, &made) == URLSIFT_OK, "no scanner");
  const std::unique_ptr<urlsift_scanner, Free> scanner(made);

  std::vector<std::string> urls;
  const std::string text = "http://host.dom/a ftp://host.dom/b";
  const auto take = [](const urlsift_match *found, void *to) {
    static_cast<std::vector<std::string> *>(to)->emplace_back(found->url, found->url_length);
    return 0;
  };
  check(urlsift_find(scanner.get(), text.data(), text.size(), take, &urls) == URLSIFT_OK, "find");
  check(urls == std::vector<std::string>{"http://host.dom/a", "ftp://host.dom/b"}, "what is found");

  int lines = 0;
  const auto counts = [](const char *, size_t, void *to) { return ++*static_cast<int *>(to), 0; };
  check(urlsift_scan_path(scanner.get(), arguments[1], counts, &lines) == URLSIFT_OK && lines > 0, "scan");

  ArrowArrayStream stream{};
  check(urlsift_scan_arrow(scanner.get(), arguments[1], &stream) == URLSIFT_OK, "Arrow");
  ArrowSchema schema{};
  check(stream.get_schema(&stream, &schema) == 0 && schema.n_children > 40, "schema");
  schema.release(&schema);
  int64_t rows = 0;
  for (;;) {
    ArrowArray batch{};
    check(stream.get_next(&stream, &batch) == 0, "batch");
    if (!batch.release) break;
    rows += batch.length;
    batch.release(&batch);
  }
  stream.release(&stream);
  check(rows == lines, "as many rows as records");

  // A stream that is not read to the end.
  check(urlsift_scan_arrow(scanner.get(), arguments[1], &stream) == URLSIFT_OK, "Arrow again");
  stream.release(&stream);
  std::puts("C++: all as it should be");
}
