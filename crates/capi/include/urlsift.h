// urlsift: finds every URL in text, mail and archives of mail, and judges it. https://www.rfc-editor.org/rfc/rfc1738
//
// Texts are pointers to bytes of any kind and a length, names are UTF-8 and end with a zero. What a callback is given is gone when it returns. What a
// function makes is freed by the one of its type whose name ends in _free.
//
// Functions return URLSIFT_OK, URLSIFT_STOPPED, or less than 0 when they did not do what they were to do: then urlsift_error() says why. Nothing
// unwinds into the caller, and nothing is printed: a fault within the library is URLSIFT_PANIC.
//
// A scanner may be used by any number of threads at once, and a callback may call the library, with the same scanner, too. Options and
// streams belong to one thread at a time.

#ifndef URLSIFT_H
#define URLSIFT_H

#include <stddef.h>
#include <stdint.h>

// Of Arrow's C interface: https://arrow.apache.org/docs/format/CStreamInterface.html
struct ArrowArrayStream;

// The number of this interface. It grows when something is taken away or changes its meaning, which what is added does not.
#define URLSIFT_ABI 1

// All was done.
#define URLSIFT_OK 0

// The callback asked to stop, by returning something else than 0.
#define URLSIFT_STOPPED 1

// An argument is NULL where it must not be, or not UTF-8 where it must be.
#define URLSIFT_BAD_ARGUMENT -1

// There is no such option, or it cannot have that value.
#define URLSIFT_BAD_OPTION -2

// A file cannot be read.
#define URLSIFT_IO -3

// A fault within the library. What was called upon must not be used again but to free it.
#define URLSIFT_PANIC -4

// Options: a set of names and values, from which scanners are made.
typedef struct urlsift_options urlsift_options;

// A scanner: settings, and what is made of them once. Any number of threads may use one at the same time.
typedef struct urlsift_scanner urlsift_scanner;

// A plain text that comes in pieces. One thread at a time may use it.
typedef struct urlsift_stream urlsift_stream;

// A URL in a text. More may be added behind: what is there is told by `size`.
typedef struct {
  // How many bytes this has.
  size_t size;
  // The URL without layout. Not ended by a zero; gone when the callback returns.
  const char *url;
  // How many bytes the URL has.
  size_t url_length;
  // Where it starts in the text, without wrapper or prefix: in bytes from 0; in a stream from its start.
  uint64_t start;
  // Where it ends, one past the last byte; line breaks within the URL lie between.
  uint64_t end;
  // How it stands there: one of the names that the option "form" has. It lives as long as the library.
  const char *form;
  // Whether the profile accepts it: 1, else 0.
  int valid;
} urlsift_match;

// Takes a match, and returns 0 to go on or anything else to stop. It must not unwind or jump out of the call.
typedef int (*urlsift_on_match)(const urlsift_match *found, void *context);

// Takes a text that is not ended by a zero and gone when it returns. It returns 0 to go on or anything else to stop, and must not unwind or
// jump out of the call.
typedef int (*urlsift_on_text)(const char *text, size_t length, void *context);

// Reads up to so many bytes into `to`, and returns how many; 0 at the end, less where reading fails. It must not unwind or jump out of the call.
typedef ptrdiff_t (*urlsift_read)(char *to, size_t most, void *context);

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The number of the interface that the library has: compare it with URLSIFT_ABI.
uint32_t urlsift_abi(void);

// The library's version, as "0.1.0". It lives as long as the library.
const char *urlsift_version(void);

// Makes a stream of Arrow's C interface of the records of a file, by its path in UTF-8: the table `urls`, as `urlsift schema urls` tells it. `stream` is
// where the caller wants it, and its to release. A thread reads the file, some batches ahead of whoever takes them; what cannot be read is a row with
// `error`. URLSIFT_IO if the file cannot be opened.
int urlsift_scan_arrow(const urlsift_scanner *scanner,
                       const char *path,
                       struct ArrowArrayStream *stream);

// Hands over the URLs of a plain text, in its order. The text may hold any bytes; nothing of it is copied. Linear. Mail and pages are for
// urlsift_scan_bytes to read.
int urlsift_find(const urlsift_scanner *scanner,
                 const char *text,
                 size_t length,
                 urlsift_on_match take,
                 void *context);

// New options, all as they are by default. Free them with urlsift_options_free.
urlsift_options *urlsift_options_new(void);

// Sets an option from a text. The names are those of `urlsift scan`, with `_` for `-`; a value replaces the previous one. Options that
// are marked "files" have no effect on urlsift_find and on streams. docs/src/reference/options.md explains them all.
//
// - "input" ("auto", "text", "mail", "html", "markdown", "rst", "json", "xml", "tex", "man",
//   "ipynb", "binary", files): Read the input as this format (default: auto)
// - "encoding" (a charset, files): Decode text that does not declare its charset from this one
// - "max_expand" (a size, a ratio as "100x", or "none", files): Stop unpacking a compressed file
//   beyond this size (default: 100x)
// - "max_window" (a size, as "64M", files): Refuse xz and zst files that need a larger window than
//   this (default: 128M)
// - "profile" ("rfc1738", "cern1994", "rfc3986", "web"): Validate by web, rfc3986, rfc1738 or
//   cern1994 (default: web)
// - "malformed" ("skip", "include", "only"): Report invalid URLs: skip, include or only (default:
//   skip)
// - "scheme" (a list of texts): Report only URLs of these schemes
// - "form" (a list of "wrapped", "bracketed", "prefixed", "bare", "attribute", "schemeless",
//   "locator", "relative", "email", "host", with an optional + before the first): Report only URLs
//   in these forms; `+FORM` adds to the default
// - "without" (a list of "body", "quote", "signature", "footer", "header", "attribute", files):
//   Leave out URLs in these places: quote, signature, footer, …
// - "rejoin" ("off", "certain", "likely"): Join URLs across line breaks: off, certain or likely
//   (default: likely)
// - "resolve" ("true" or "false", files): Also find relative links of HTML, and resolve them
// - "refang" ("true" or "false", files): Find defanged URLs, such as `hxxp://h[.]dom/`, and restore
//   them
// - "headers" ("none", "urls", "all", files): Scan these header fields of messages: none, urls or
//   all (default: urls)
// - "web_records" ("pages", "all", files): Scan these records of web archives: pages or all
//   (default: pages)
// - "since" (a date, files): Scan only messages from this date on, e.g. `1994-12`
// - "until" (a date, files): Scan only messages up to this date, inclusive
// - "undated" ("drop", "keep", files): Drop or keep messages without a valid date where dates are
//   restricted (default: drop)
// - "newsgroup" (a list of texts, files): Scan only articles in newsgroups that match, e.g. `comp.*`
// - "list" (a list of texts, files): Scan only messages of mailing lists that match, e.g. `*.w3.org`
// - "with" (a list of "domain", "tld", "port", "from_domain", "from_hash", "from", "subject",
//   files): Add these fields to records: domain, tld, port, from_domain, …
// - "unwrap" ("true" or "false", files): Add the target of links that a mail gateway or tracker
//   rewrote
// - "mask_passwords" ("true" or "false"): Show passwords as `***`
// - "hash_key" (a text, files): Key the hashes of `--with from_hash` with the content of FILE
//
// Returns URLSIFT_BAD_OPTION if there is no such option, or it cannot have that value. Nothing is set then.
int urlsift_options_set(urlsift_options *options,
                        const char *name,
                        const char *value);

// Frees options. NULL is nothing to free.
void urlsift_options_free(urlsift_options *options);

// Makes a scanner. The options, which may be NULL for none, are copied. Free it with urlsift_scanner_free.
int urlsift_scanner_new(const urlsift_options *options, urlsift_scanner **scanner);

// Frees a scanner. NULL is nothing to free. Streams that were opened from it go on.
void urlsift_scanner_free(urlsift_scanner *scanner);

// Hands over the records of bytes, a line of JSON each, as `urlsift scan --format jsonl` prints them: mail, pages and archives are taken apart, and
// what is packed is unpacked. The name stands in the records, and its ending may tell what the bytes are. What cannot be read is a record of
// the type "error" in its place, and the rest is read. `urlsift schema scan` tells the fields.
int urlsift_scan_bytes(const urlsift_scanner *scanner,
                       const char *name,
                       const char *bytes,
                       size_t length,
                       urlsift_on_text take,
                       void *context);

// The same of a file, by its path in UTF-8. URLSIFT_IO if it cannot be opened.
int urlsift_scan_path(const urlsift_scanner *scanner, const char *path, urlsift_on_text take, void *context);

// The same of what a function reads, from front to end. `source` goes to `read`, `context` to `take`.
int urlsift_scan_stream(const urlsift_scanner *scanner,
                        const char *name,
                        urlsift_read read,
                        void *source,
                        urlsift_on_text take,
                        void *context);

// What went wrong in this thread's last call that returned less than 0, in UTF-8: one line that names what is wrong. Empty if none did. It lives
// until the next such call of the thread.
const char *urlsift_error(void);

// Opens a stream. Free it with urlsift_stream_free; the scanner may be freed before.
int urlsift_stream_open(const urlsift_scanner *scanner, urlsift_stream **stream);

// Takes the next piece of the text, of any length. The URLs are those of the whole text, however it is cut, and come as soon as they are settled: some
// 100 KiB behind. If the callback stops, nothing is lost: the next call goes on behind that URL.
// With `mask_passwords` only the URL itself is looked at, not the text around it.
int urlsift_stream_push(urlsift_stream *stream,
                        const char *piece,
                        size_t length,
                        urlsift_on_match take,
                        void *context);

// Says that the text has ended, and hands over what is left. The stream is then ready for another text.
int urlsift_stream_finish(urlsift_stream *stream, urlsift_on_match take, void *context);

// Frees a stream. NULL is nothing to free.
void urlsift_stream_free(urlsift_stream *stream);

// Hands over the verdict on one URL, which a fragment may follow, as one line of JSON: that of `urlsift parse --reference --format jsonl`. What is no URL is no
// error: its record says what is wrong. `profile` is "rfc1738", "cern1994", "rfc3986", "web", or NULL for that.
int urlsift_parse(const char *url,
                  size_t length,
                  const char *profile,
                  urlsift_on_text take,
                  void *context);

// Hands over the form of a URL to compare by: what means the same has the same. Of what the profile does not accept that is the text itself.
int urlsift_normalize(const char *url,
                      size_t length,
                      const char *profile,
                      urlsift_on_text take,
                      void *context);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* URLSIFT_H */
