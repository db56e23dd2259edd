// An extension for SQLite with two functions:
//
//   SELECT mail.id, found.url FROM mail, urlsift_find(mail.body) AS found;
//   SELECT urlsift_normalize('HTTP://Host.dom:80/'); -- http://host.dom/
//
// urlsift_find is a table with the columns url, start, "end", form and valid. start and "end" are
// byte offsets in the UTF-8 text, from 0. Without an argument, or if it is NULL, the table
// has no rows.
//
//   cc -std=c11 -shared -fPIC sqlite.c $(pkg-config --cflags --libs urlsift) -o urlsift.so
//   sqlite3 mail.db -cmd '.load ./urlsift'

#include <sqlite3ext.h>
#include <string.h>
#include <urlsift.h>

SQLITE_EXTENSION_INIT1

enum { URL, START, END, FORM, VALID, TEXT };
static const char columns[] = "CREATE TABLE found(url TEXT, start INT, \"end\" INT, form TEXT, valid INT, text HIDDEN)";

typedef struct {
  sqlite3_vtab base;
  const urlsift_scanner *scanner;
} table;

typedef struct {
  char *url;
  sqlite3_int64 start, end;
  const char *form;
  int url_length, valid;
} row;

typedef struct {
  sqlite3_vtab_cursor base;
  row *rows;
  size_t count, capacity, at;
} cursor;

static void forget_rows(cursor *found) {
  for (size_t i = 0; i < found->count; i++) sqlite3_free(found->rows[i].url);
  sqlite3_free(found->rows);
  found->rows = NULL;
  found->count = found->capacity = found->at = 0;
}

// Callback that adds a match to the rows of the cursor `context`. Stops if there is no memory.
static int add_row(const urlsift_match *match, void *context) {
  cursor *found = context;
  if (found->count == found->capacity) {
    size_t capacity = found->capacity ? 2 * found->capacity : 8;
    row *rows = sqlite3_realloc64(found->rows, capacity * sizeof *rows);
    if (!rows) return 1;
    found->rows = rows;
    found->capacity = capacity;
  }
  row *added = &found->rows[found->count];
  added->url = sqlite3_malloc64(match->url_length + 1);
  if (!added->url) return 1;
  memcpy(added->url, match->url, match->url_length);
  added->url_length = (int)match->url_length;
  added->start = (sqlite3_int64)match->start;
  added->end = (sqlite3_int64)match->end;
  added->form = match->form;
  added->valid = match->valid;
  found->count++;
  return 0;
}

static int connect(sqlite3 *db, void *scanner, int argc, const char *const *argv, sqlite3_vtab **made, char **error) {
  (void)argc, (void)argv, (void)error;
  int status = sqlite3_declare_vtab(db, columns);
  if (status != SQLITE_OK) return status;
  table *found = sqlite3_malloc(sizeof *found);
  if (!found) return SQLITE_NOMEM;
  memset(found, 0, sizeof *found);
  found->scanner = scanner;
  *made = &found->base;
  return sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
}

static int disconnect(sqlite3_vtab *found) {
  sqlite3_free(found);
  return SQLITE_OK;
}

// The argument of the function is a constraint on the hidden column.
static int best_index(sqlite3_vtab *found, sqlite3_index_info *info) {
  (void)found;
  for (int i = 0; i < info->nConstraint; i++) {
    if (info->aConstraint[i].iColumn != TEXT || info->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
    // In this plan, the text is not known yet when the table is read, so SQLite must choose another plan.
    if (!info->aConstraint[i].usable) return SQLITE_CONSTRAINT;
    info->aConstraintUsage[i].argvIndex = 1;
    info->aConstraintUsage[i].omit = 1;
    info->estimatedCost = 10;
    info->estimatedRows = 10;
    break;
  }
  return SQLITE_OK;
}

static int open(sqlite3_vtab *of, sqlite3_vtab_cursor **made) {
  (void)of;
  cursor *found = sqlite3_malloc(sizeof *found);
  if (!found) return SQLITE_NOMEM;
  memset(found, 0, sizeof *found);
  *made = &found->base;
  return SQLITE_OK;
}

static int close(sqlite3_vtab_cursor *base) {
  forget_rows((cursor *)base);
  sqlite3_free(base);
  return SQLITE_OK;
}

static int filter(sqlite3_vtab_cursor *base, int number, const char *name, int argc, sqlite3_value **argv) {
  (void)number, (void)name;
  cursor *found = (cursor *)base;
  forget_rows(found);
  if (argc == 0 || sqlite3_value_type(argv[0]) == SQLITE_NULL) return SQLITE_OK;
  const char *text = (const char *)sqlite3_value_text(argv[0]);
  if (!text) return SQLITE_NOMEM;
  size_t length = (size_t)sqlite3_value_bytes(argv[0]);
  int status = urlsift_find(((table *)base->pVtab)->scanner, text, length, add_row, found);
  if (status == URLSIFT_STOPPED) return SQLITE_NOMEM;
  if (status == URLSIFT_OK) return SQLITE_OK;
  sqlite3_free(base->pVtab->zErrMsg);
  base->pVtab->zErrMsg = sqlite3_mprintf("%s", urlsift_error());
  return SQLITE_ERROR;
}

static int next(sqlite3_vtab_cursor *base) {
  ((cursor *)base)->at++;
  return SQLITE_OK;
}

static int eof(sqlite3_vtab_cursor *base) {
  const cursor *found = (const cursor *)base;
  return found->at >= found->count;
}

static int column(sqlite3_vtab_cursor *base, sqlite3_context *to, int number) {
  const cursor *found = (const cursor *)base;
  const row *here = &found->rows[found->at];
  switch (number) {
    case URL: sqlite3_result_text(to, here->url, here->url_length, SQLITE_TRANSIENT); break;
    case START: sqlite3_result_int64(to, here->start); break;
    case END: sqlite3_result_int64(to, here->end); break;
    case FORM: sqlite3_result_text(to, here->form, -1, SQLITE_STATIC); break;
    case VALID: sqlite3_result_int(to, here->valid); break;
    default: sqlite3_result_null(to);
  }
  return SQLITE_OK;
}

static int rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *number) {
  *number = (sqlite3_int64)((const cursor *)base)->at;
  return SQLITE_OK;
}

// Without xCreate, this is an eponymous-only table: it needs no CREATE VIRTUAL TABLE.
static const sqlite3_module find_module = {
    .xConnect = connect,
    .xBestIndex = best_index,
    .xDisconnect = disconnect,
    .xOpen = open,
    .xClose = close,
    .xFilter = filter,
    .xNext = next,
    .xEof = eof,
    .xColumn = column,
    .xRowid = rowid,
};

// Callback that makes a text the result of an SQL function.
static int return_text(const char *text, size_t length, void *to) {
  sqlite3_result_text(to, text, (int)length, SQLITE_TRANSIENT);
  return 0;
}

static void normalize(sqlite3_context *to, int argc, sqlite3_value **argv) {
  (void)argc;
  if (sqlite3_value_type(argv[0]) == SQLITE_NULL) return;
  const char *url = (const char *)sqlite3_value_text(argv[0]);
  if (!url) {
    sqlite3_result_error_nomem(to);
    return;
  }
  size_t length = (size_t)sqlite3_value_bytes(argv[0]);
  if (urlsift_normalize(url, length, NULL, return_text, to) < 0) sqlite3_result_error(to, urlsift_error(), -1);
}

static void free_scanner(void *scanner) { urlsift_scanner_free(scanner); }

#ifdef _WIN32
__declspec(dllexport)
#endif
int sqlite3_urlsift_init(sqlite3 *db, char **error, const sqlite3_api_routines *api) {
  SQLITE_EXTENSION_INIT2(api)
  urlsift_scanner *scanner;
  if (urlsift_scanner_new(NULL, &scanner) < 0) {
    *error = sqlite3_mprintf("%s", urlsift_error());
    return SQLITE_ERROR;
  }
  // If this call fails, it frees the scanner itself.
  int status = sqlite3_create_module_v2(db, "urlsift_find", &find_module, scanner, free_scanner);
  if (status != SQLITE_OK) return status;
  int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  status = sqlite3_create_function(db, "urlsift_normalize", 1, flags, NULL, normalize, NULL, NULL);
  // The extension stays loaded, because liburlsift builds tables at each load and never frees them.
  return status == SQLITE_OK ? SQLITE_OK_LOAD_PERMANENTLY : status;
}
