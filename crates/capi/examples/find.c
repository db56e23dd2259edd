// Prints the URLs of standard input: start, end, and the URL without line breaks.

#include <stdio.h>
#include <urlsift.h>

static int print(const urlsift_match *found, void *context) {
  (void)context;
  printf("%d %d %.*s\n", (int)found->start, (int)found->end, (int)found->url_length, found->url);
  return 0;  // continue
}

int main(void) {
  urlsift_scanner *scanner;
  urlsift_stream *stream;
  static char piece[1 << 16];
  size_t length;
  if (urlsift_scanner_new(NULL, &scanner) < 0 || urlsift_stream_open(scanner, &stream) < 0) {
    fprintf(stderr, "%s\n", urlsift_error());
    return 1;
  }
  while ((length = fread(piece, 1, sizeof piece, stdin)) > 0) urlsift_stream_push(stream, piece, length, print, NULL);
  urlsift_stream_finish(stream, print, NULL);
  urlsift_stream_free(stream);
  urlsift_scanner_free(scanner);
}
