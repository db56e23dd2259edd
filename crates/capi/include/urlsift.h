// urlsift: finds every URL in text, mail and mail archives, and validates it. https://www.rfc-editor.org/rfc/rfc1738
//
// A text is passed as a pointer to bytes and a length, and may contain any bytes. Other strings are zero-terminated UTF-8,
// except that the name of an input may contain any bytes, and so may a path on Unix. Callbacks must not be NULL. Their
// arguments are valid only until they return. Free each object with the function for its type whose name ends in _free.
//
// Functions return URLSIFT_OK, URLSIFT_STOPPED, or less than 0 on failure. After a failure, urlsift_error() returns a
// message. The library prints nothing and never unwinds into the caller: a panic is reported as URLSIFT_PANIC.
//
// Any number of threads may use a scanner at the same time, and a callback may call the library with the same scanner.
// Only one thread at a time may use a set of options or a stream.

#ifndef URLSIFT_H
#define URLSIFT_H

#include <stddef.h>
#include <stdint.h>

// From Arrow's C interface: https://arrow.apache.org/docs/format/CStreamInterface.html
struct ArrowArrayStream;

// The version number of this interface. It grows when something is removed or changes its
// meaning, but not when something is added.
#define URLSIFT_ABI 1

// Success.
#define URLSIFT_OK 0

// The callback stopped the call by returning a value other than 0.
#define URLSIFT_STOPPED 1

// An argument is NULL or not UTF-8, which is not allowed for this argument.
#define URLSIFT_BAD_ARGUMENT -1

// The option does not exist, or the value is not valid for it.
#define URLSIFT_BAD_OPTION -2

// A file cannot be opened or read.
#define URLSIFT_IO -3

// A bug in the library caused a panic. Don't use the object that was passed to the call again,
// except to free it.
#define URLSIFT_PANIC -4

// A set of options for creating scanners.
typedef struct urlsift_options urlsift_options;

// A scanner: a copy of the options, and the search tables built from them. Any number of threads
// may use a scanner at the same time.
typedef struct urlsift_scanner urlsift_scanner;

// A scan of a plain text that is passed in pieces. Only one thread at a time may use a stream.
typedef struct urlsift_stream urlsift_stream;

// A URL in a text. Later versions of the library may add fields at the end. If `size` is less than
// the `sizeof` of this struct, the loaded library is older than the header, and the last fields
// are missing.
typedef struct {
  // The size of this struct in bytes.
  size_t size;
  // The URL without the line breaks and quote marks inside it. It is not zero-terminated, and is
  // valid only until the callback returns.
  const char *url;
  // The length of `url` in bytes.
  size_t url_length;
  // The offset of the URL in the text in bytes, from 0, without a wrapper or prefix. In a
  // stream, it counts from the start of the stream.
  uint64_t start;
  // The end offset, one past the last byte. The range includes line breaks inside the URL.
  uint64_t end;
  // The form of the URL: one of the values of the option "form". The string is valid as long as
  // the library is loaded.
  const char *form;
  // 1 if the profile accepts the URL, else 0.
  int valid;
} urlsift_match;

// Callback for a match. Returns 0 to continue or any other value to stop. It must not unwind
// or jump out of the call.
typedef int (*urlsift_on_match)(const urlsift_match *found, void *context);

// Callback for a text (a line of JSON or a URL), which is not zero-terminated and only valid until
// the callback returns. Returns 0 to continue or any other value to stop. It must not unwind or
// jump out of the call.
typedef int (*urlsift_on_text)(const char *text, size_t length, void *context);

// Callback that reads input: stores up to `most` bytes at `to`. Returns the number of bytes read,
// 0 at the end of the input, or less than 0 if reading fails. It must not unwind or jump out of
// the call.
typedef ptrdiff_t (*urlsift_read)(char *to, size_t most, void *context);

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Returns the interface version of the loaded library. Compare it with URLSIFT_ABI.
uint32_t urlsift_abi(void);

// Returns the library's version, e.g. "0.1.0". The string is valid as long as the library is
// loaded.
const char *urlsift_version(void);

// Scans a file into a stream of Arrow's C interface. `path` may contain any bytes; on Windows, it
// is in UTF-8. The stream contains the table `urls`, as described by `urlsift schema urls`. The
// caller provides the struct at `stream` and releases the stream. A thread reads the file, a few
// batches ahead of the consumer. An input that can't be read results in a row with `error`.
// Returns URLSIFT_IO if the file cannot be opened.
int urlsift_scan_arrow(const urlsift_scanner *scanner, const char *path, struct ArrowArrayStream *stream);

// Reports the URLs of a plain text to `take`, in text order. The text may contain any bytes
// and is not copied. Takes linear time. Use urlsift_scan_bytes for mail and HTML pages.
int urlsift_find(const urlsift_scanner *scanner, const char *text, size_t length, urlsift_on_match take, void *context);

// Creates a set of options with the default values. Free it with urlsift_options_free.
urlsift_options *urlsift_options_new(void);

// Sets an option. Names are those of the options of `urlsift scan`, with `_` instead of `-`.
// Values are text, and a new value replaces the previous one. Options marked "files" have no
// effect on urlsift_find and on streams. docs/src/reference/options.md explains them all.
//
// - "input" ("auto", "text", "mail", "html", "markdown", "rst", "asciidoc", "json", "jsonl", "xml",
//   "tex", "man", "ipynb", "ics", "po", "binary", files): Read the input as this format (default:
//   auto)
// - "text_field" (a text, files): In JSON Lines, scan only the text in this field of each record
// - "date_field" (a text, files): In JSON Lines, read the date of a record from this field
// - "id_field" (a text, files): In JSON Lines, read the identifier of a record from this field
// - "encoding" (a charset, files): Use this charset for text that doesn't declare one
// - "max_expand" (a size, a ratio as "100x", or "none", files): Stop unpacking a compressed file
//   beyond this size (default: 100x)
// - "max_window" (a size, as "64M", files): Refuse xz and zst files that need a larger window than
//   this (default: 128M)
// - "profile" ("rfc1738", "cern1994", "rfc3986", "web"): Validate URLs against web, rfc3986, rfc1738
//   or cern1994 (default: web)
// - "malformed" ("skip", "include", "only"): Report invalid URLs: skip, include or only (default:
//   skip)
// - "scheme" (a list of texts): Report only URLs of these schemes
// - "host" (a list of texts): Report only URLs whose host matches, e.g. `*.w3.org` or `!localhost`
// - "domain" (a list of texts): Report only URLs of hosts in these domains, e.g. `w3.org`
// - "url" (a list of texts): Report only URLs that match, e.g. `*.pdf` or `!*cgi-bin*`
// - "form" (a list of "wrapped", "bracketed", "prefixed", "bare", "attribute", "schemeless",
//   "locator", "relative", "email", "host", with an optional + before the first): Report only URLs
//   in these forms; `+FORM` adds to the default
// - "without" (a list of "body", "quote", "attribution", "signature", "footer", "chrome", "header",
//   "attribute", files): Skip URLs in these places: quote, signature, footer, …
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
// - "undated" ("drop", "keep", files): Drop or keep messages without a valid date if dates are
//   restricted (default: drop)
// - "newsgroup" (a list of texts, files): Scan only articles in newsgroups that match, e.g. `comp.*`
// - "list" (a list of texts, files): Scan only messages of mailing lists that match, e.g. `*.w3.org`
// - "sender" (a list of texts, files): Scan only messages from these senders, e.g. `*@w3.org`
// - "subject" (a list of texts, files): Scan only messages whose subject matches, e.g. `*announce*`
// - "with" (a list of "domain", "tld", "port", "from_domain", "from_hash", "from", "subject",
//   "link_text", files): Add these fields to records: domain, tld, port, from_domain, …
// - "unwrap" ("true", "false", "replace", files): Add the target of links that a mail gateway or
//   tracker rewrote
// - "mask_passwords" ("true" or "false"): Show passwords as `***`
// - "mask_secrets" ("true" or "false"): Show passwords and tokens as `***`
// - "hash_key" (a text, files): Use this key for the hashes of `--with from_hash`
//
// Returns URLSIFT_BAD_OPTION if there is no such option or the value is not valid for it. The
// options are then unchanged.
int urlsift_options_set(urlsift_options *options, const char *name, const char *value);

// Frees a set of options. NULL is allowed.
void urlsift_options_free(urlsift_options *options);

// Creates a scanner. The options are copied; NULL means the defaults. Free the scanner with
// urlsift_scanner_free.
int urlsift_scanner_new(const urlsift_options *options, urlsift_scanner **scanner);

// Frees a scanner. NULL is allowed. Streams that were opened from it can still be used.
void urlsift_scanner_free(urlsift_scanner *scanner);

// Scans the bytes of a file and passes its records to `take`, one line of JSON each, as
// `urlsift scan --format jsonl` prints them. Mail, HTML pages and archives are parsed, and
// compressed data is decompressed. The records contain `name`, and its extension helps to
// detect the format. An input that can't be read results in a record of type "error", and the
// scan continues. `urlsift schema scan` describes the fields.
int urlsift_scan_bytes(const urlsift_scanner *scanner,
                       const char *name,
                       const char *bytes,
                       size_t length,
                       urlsift_on_text take,
                       void *context);

// Scans a file like urlsift_scan_bytes. `path` may contain any bytes; on Windows, it is in UTF-8.
// Returns URLSIFT_IO if the file cannot be opened.
int urlsift_scan_path(const urlsift_scanner *scanner, const char *path, urlsift_on_text take, void *context);

// Scans the bytes that `read` returns, in one pass, like urlsift_scan_bytes. `source` is passed to
// `read`, and `context` to `take`.
int urlsift_scan_stream(const urlsift_scanner *scanner,
                        const char *name,
                        urlsift_read read,
                        void *source,
                        urlsift_on_text take,
                        void *context);

// Returns the error message of this thread's last call that returned less than 0: one line of
// UTF-8. The string is empty if no call has failed. It is valid until the next failing call of
// the same thread.
const char *urlsift_error(void);

// Opens a stream. Free it with urlsift_stream_free. The scanner may be freed first.
int urlsift_stream_open(const urlsift_scanner *scanner, urlsift_stream **stream);

// Scans the next piece of the text, which may have any length. Reports the same URLs as a scan of
// the whole text, wherever it is cut. A URL is reported as soon as later text can no longer change
// it, about 100 KiB after its end. If the callback stops the call, the next call continues after
// that URL. `mask_passwords` considers only the URL itself, not the text around it.
int urlsift_stream_push(urlsift_stream *stream, const char *piece, size_t length, urlsift_on_match take, void *context);

// Ends the text and reports the remaining URLs. The stream can then be used for another text.
int urlsift_stream_finish(urlsift_stream *stream, urlsift_on_match take, void *context);

// Frees a stream. NULL is allowed.
void urlsift_stream_free(urlsift_stream *stream);

// Parses one URL, which may end in a fragment, and passes the result to `take` as one line of
// JSON, the record of `urlsift parse --reference --format jsonl`. An invalid URL is not an
// error: its record lists the violations. `profile` is "rfc1738", "cern1994", "rfc3986" or
// "web"; NULL means "web". If `mask` is "passwords", passwords are replaced by `***` everywhere in
// the record; if it is "secrets", passwords and tokens; NULL means that nothing is masked.
int urlsift_parse(const char *url,
                  size_t length,
                  const char *profile,
                  const char *mask,
                  urlsift_on_text take,
                  void *context);

// Passes the normalized form of a URL to `take`. Equivalent URLs have the same normalized form. If
// the profile does not accept the URL, it is passed unchanged.
int urlsift_normalize(const char *url, size_t length, const char *profile, urlsift_on_text take, void *context);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* URLSIFT_H */
