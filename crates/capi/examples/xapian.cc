// Indexes the messages of a mailbox with Xapian and finds them by a URL, even if it is broken across lines, or by a host.
//
//     xapian DATABASE index MAILBOX
//     xapian DATABASE find URL
//     xapian DATABASE host HOST

#include <urlsift.h>
#include <xapian.h>

#include <cstdlib>
#include <iostream>
#include <map>
#include <string>

namespace {

// Returns the value of a string field of a record. Decodes only the escapes \" and \\.
std::string field(const std::string &record, const std::string &name) {
  const std::string key = "\"" + name + "\":\"";
  const auto at = record.find(key);
  std::string value;
  if (at == std::string::npos) return value;
  for (auto i = at + key.size(); i < record.size() && record[i] != '"'; i++) {
    if (record[i] == '\\') i++;
    value += record[i];
  }
  return value;
}

// Terms of Xapian are at most 245 bytes long.
std::string term(const char *prefix, const std::string &text) { return (prefix + text).substr(0, 245); }

std::string normal_form(const std::string &url) {
  std::string form;
  urlsift_normalize(url.data(), url.size(), nullptr,
                    [](const char *text, size_t length, void *to) {
                      static_cast<std::string *>(to)->assign(text, length);
                      return 0;
                    },
                    &form);
  return form;
}

using Messages = std::map<std::string, Xapian::Document>;

int add(const char *line, size_t length, void *context) {
  const std::string record(line, length);
  const auto id = field(record.substr(record.find("\"message\":") + 1), "id");
  if (id.empty()) return 0;
  auto &document = (*static_cast<Messages *>(context))[id];
  document.set_data(id);
  document.add_boolean_term(term("Q", id));
  document.add_boolean_term(term("U", normal_form(field(record, "url"))));
  document.add_boolean_term(term("H", field(record, "host")));
  return 0;
}

}  // namespace

int main(int count, char **arguments) {
  if (count != 4) {
    std::cerr << "usage: xapian DATABASE index MAILBOX | DATABASE find URL | DATABASE host HOST\n";
    return EXIT_FAILURE;
  }
  const std::string what = arguments[2], of = arguments[3];
  if (what == "index") {
    urlsift_scanner *scanner;
    Messages messages;
    if (urlsift_scanner_new(nullptr, &scanner) < 0 || urlsift_scan_path(scanner, of.c_str(), add, &messages) < 0) {
      std::cerr << urlsift_error() << '\n';
      return EXIT_FAILURE;
    }
    urlsift_scanner_free(scanner);
    Xapian::WritableDatabase database(arguments[1], Xapian::DB_CREATE_OR_OPEN);
    for (const auto &message : messages) database.replace_document(term("Q", message.first), message.second);
    database.commit();
    std::cout << messages.size() << " messages\n";
  } else {
    const Xapian::Database database(arguments[1]);
    Xapian::Enquire enquire(database);
    enquire.set_query(Xapian::Query(what == "host" ? term("H", of) : term("U", normal_form(of))));
    const auto found = enquire.get_mset(0, 100);
    for (auto it = found.begin(); it != found.end(); ++it) std::cout << it.get_document().get_data() << '\n';
  }
}
