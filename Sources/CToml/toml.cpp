// toml++ as a header only, without what is not used: no formatters, numbers by from_chars (which knows no
// locale), few nested values, and a failed assertion as an exception, since the input is hostile.
#undef NDEBUG
#include <stdexcept>
#define TOML_ASSERT(condition) \
  static_cast<void>((condition) ? 0 : throw std::logic_error("a broken document"))
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 1
#define TOML_ENABLE_FORMATTERS 0
#define TOML_FLOAT_CHARCONV 1
#define TOML_MAX_NESTED_VALUES 7
#include <toml++/toml.h>

#include "ctoml.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace {

/// An entry together with what its pointers point to.
struct OwnedEntry {
  ctoml_entry entry{};
  std::string key;
  std::string text;
  std::vector<double> numbers;
};

}  // namespace

struct ctoml_document {
  std::vector<std::unique_ptr<OwnedEntry>> entries;
};

namespace {

void set(ctoml_error *error, std::string_view message, uint32_t line, uint32_t column) noexcept {
  size_t length = std::min(message.size(), sizeof error->message - 1);
  // A character is not cut in two.
  while (length < message.size() && length > 0 && (message[length] & 0xC0) == 0x80) --length;
  std::memcpy(error->message, message.data(), length);
  error->message[length] = 0;
  error->line = line;
  error->column = column;
}

bool is_bare(std::string_view part) {
  auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return !part.empty() && std::all_of(part.begin(), part.end(), allowed);
}

/// `prefix.part`, the part in quotes where it is no bare key: it cannot be taken for two parts then.
std::string joined(const std::string &prefix, std::string_view part) {
  std::string result = prefix.empty() ? prefix : prefix + '.';
  if (is_bare(part)) return result.append(part);
  return result.append(1, '"').append(part).append(1, '"');
}

double number(const toml::node &node) {
  if (const auto *integer = node.as_integer()) return static_cast<double>(integer->get());
  return node.as_floating_point()->get();
}

void read_value(const toml::node &node, OwnedEntry &owned) {
  ctoml_entry &entry = owned.entry;
  entry.kind = CTOML_OTHER;
  if (const auto *text = node.as_string()) {
    entry.kind = CTOML_STRING;
    owned.text = text->get();
  } else if (const auto *integer = node.as_integer()) {
    entry.kind = CTOML_INTEGER;
    entry.integer = integer->get();
  } else if (const auto *floating = node.as_floating_point()) {
    entry.kind = CTOML_FLOAT;
    entry.number = floating->get();
  } else if (const auto *boolean = node.as_boolean()) {
    entry.kind = CTOML_BOOLEAN;
    entry.boolean = boolean->get();
  } else if (const auto *array = node.as_array()) {
    for (const toml::node &element : *array) {
      if (!element.is_number()) return;
      owned.numbers.push_back(number(element));
    }
    entry.kind = CTOML_NUMBERS;
  }
}

void flatten(const toml::table &table, const std::string &prefix, bool arrays, ctoml_document &document);

/// Adds `node` under the name that `owned` has, and what it holds.
void add(const toml::node &node, std::unique_ptr<OwnedEntry> owned, bool arrays, ctoml_document &document) {
  owned->entry.value_line = node.source().begin.line;
  owned->entry.value_column = node.source().begin.column;
  const std::string name = owned->key;
  const auto *inner = node.as_table();
  if (inner) {
    owned->entry.kind = CTOML_TABLE;
  } else {
    read_value(node, *owned);
  }
  const bool has_elements = arrays && node.is_array() && owned->entry.kind == CTOML_OTHER;
  document.entries.push_back(std::move(owned));
  if (inner) flatten(*inner, name, arrays, document);
  if (!has_elements) return;
  size_t index = 0;
  for (const toml::node &element : *node.as_array()) {
    auto part = std::make_unique<OwnedEntry>();
    part->key = name + '[' + std::to_string(index++) + ']';
    part->entry.key_line = element.source().begin.line;
    part->entry.key_column = element.source().begin.column;
    add(element, std::move(part), arrays, document);
  }
}

/// Adds what `table` holds. The depth is bounded by the length of a line and TOML_MAX_NESTED_VALUES.
void flatten(const toml::table &table, const std::string &prefix, bool arrays, ctoml_document &document) {
  for (const auto &[key, node] : table) {
    auto owned = std::make_unique<OwnedEntry>();
    owned->key = joined(prefix, key.str());
    owned->entry.key_line = key.source().begin.line;
    owned->entry.key_column = key.source().begin.column;
    add(node, std::move(owned), arrays, document);
  }
}

/// Sorts by place, so that the first mistake in a document is the one reported, and sets the pointers.
void finish(ctoml_document &document) {
  auto is_before = [](const auto &a, const auto &b) {
    return std::pair(a->entry.key_line, a->entry.key_column) <
           std::pair(b->entry.key_line, b->entry.key_column);
  };
  std::stable_sort(document.entries.begin(), document.entries.end(), is_before);
  for (auto &owned : document.entries) {
    ctoml_entry &entry = owned->entry;
    entry.key = owned->key.data();
    entry.key_length = owned->key.size();
    entry.text = owned->text.data();
    entry.text_length = owned->text.size();
    entry.numbers = owned->numbers.data();
    entry.number_count = owned->numbers.size();
  }
}

/// Whether the document keeps the bounds that toml++ does not know; what breaks them is in `*error`.
bool is_bounded(std::string_view bytes, ctoml_error *error) {
  if (bytes.size() > CTOML_MAX_BYTES) {
    set(error, "longer than " + std::to_string(CTOML_MAX_BYTES) + " bytes", 0, 0);
    return false;
  }
  uint32_t line = 1;
  for (size_t start = 0; start < bytes.size(); ++line) {
    size_t end = std::min(bytes.find('\n', start), bytes.size());
    if (end - start > CTOML_MAX_LINE) {
      set(error, "a line longer than " + std::to_string(CTOML_MAX_LINE) + " bytes", line, 1);
      return false;
    }
    start = end + 1;
  }
  return true;
}

}  // namespace

ctoml_document *ctoml_parse(const char *bytes, size_t length, int arrays, ctoml_error *error) {
  try {
    const std::string_view text(length == 0 ? "" : bytes, length);
    if (!is_bounded(text, error)) return nullptr;
    auto document = std::make_unique<ctoml_document>();
    flatten(toml::parse(text), std::string(), arrays != 0, *document);
    finish(*document);
    return document.release();
  } catch (const toml::parse_error &failure) {
    set(error, failure.description(), failure.source().begin.line, failure.source().begin.column);
  } catch (const std::exception &failure) {
    set(error, failure.what(), 0, 0);
  } catch (...) {
    set(error, "cannot be read", 0, 0);
  }
  return nullptr;
}

size_t ctoml_count(const ctoml_document *document) { return document->entries.size(); }

const ctoml_entry *ctoml_entry_at(const ctoml_document *document, size_t index) {
  return &document->entries[index]->entry;
}

void ctoml_free(ctoml_document *document) { delete document; }
