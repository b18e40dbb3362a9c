/* Replies of the daemon, read. Nothing here does I/O: a message is hostile until it is checked. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "internal.h"

/* Whether the nesting stays within bounds; the JSON library allows more, by recursion. */
static bool is_shallow(const char *message, size_t length) {
  int depth = 0;
  bool in_string = false;
  for (size_t index = 0; index < length; index += 1) {
    char byte = message[index];
    if (in_string) {
      if (byte == '\\') index += 1;
      in_string = byte != '"';
    } else if (byte == '"') {
      in_string = true;
    } else if (byte == '{' || byte == '[') {
      depth += 1;
      if (depth > PARALLAX_DEEPEST_MESSAGE) return false;
    } else if (byte == '}' || byte == ']') {
      depth -= 1;
    }
  }
  return true;
}

/* The daemon's own words go to people: what is no letter, digit or mark of a name becomes `?`. */
static void copy_name(char *to, size_t size, const char *from) {
  size_t index = 0;
  for (; from[index] && index + 1 < size; index += 1) {
    char byte = from[index];
    bool is_plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
                    strchr("._- ", byte);
    to[index] = is_plain ? byte : '?';
  }
  to[index] = 0;
}

static void junk(struct parallax_reply *reply, const char *what) {
  reply->kind = PARALLAX_REPLY_JUNK;
  snprintf(reply->text, sizeof reply->text, "%s", what);
}

/* Members of an object; false where one is missing or is something else. null is as good as missing. */
static const json_t *member(const json_t *object, const char *name) {
  const json_t *value = json_object_get(object, name);
  return json_is_null(value) ? NULL : value;
}

static bool read_number(const json_t *object, const char *name, double *number) {
  const json_t *value = member(object, name);
  if (!json_is_number(value)) return false;
  *number = json_number_value(value);
  return parallax_is_usable(*number);
}

static bool read_integer(const json_t *object, const char *name, int64_t lowest, int64_t *integer) {
  const json_t *value = member(object, name);
  if (!json_is_integer(value)) return false;
  *integer = json_integer_value(value);
  return *integer >= lowest;
}

/* One that may be missing, and is false then. */
static bool read_flag(const json_t *object, const char *name, bool *flag) {
  const json_t *value = member(object, name);
  *flag = json_is_true(value);
  return !value || json_is_boolean(value);
}

/* The number of a token among those below `end`; what a newer daemon says has none. */
static unsigned token_number(const char *token, const char *(*name)(unsigned), unsigned first, unsigned end,
                             unsigned unknown) {
  for (unsigned number = first; number < end; number += 1)
    if (strcmp(name(number), token) == 0) return number;
  return unknown;
}

static bool read_state(const json_t *parameters, struct parallax_event *event) {
  const json_t *state = member(parameters, "state"), *reason = member(parameters, "reason");
  if (!json_is_string(state) || (reason && !json_is_string(reason))) return false;
  event->state = token_number(json_string_value(state), parallax_state_token, PARALLAX_STATE_IDLE,
                              PARALLAX_STATE_STALLED + 1, PARALLAX_STATE_UNKNOWN);
  event->reason = PARALLAX_REASON_NONE;
  if (reason)
    event->reason = token_number(json_string_value(reason), parallax_reason_token, PARALLAX_REASON_NO_DEVICE,
                                 PARALLAX_REASON_USER + 1, PARALLAX_REASON_UNKNOWN);
  return true;
}

/* The parts that are only there when asked for. */
static bool read_parts(const json_t *parameters, struct parallax_event *event) {
  const json_t *rate = member(parameters, "rate"), *tilt = member(parameters, "tilt");
  event->has_rate = rate != NULL;
  event->has_tilt = tilt != NULL;
  if (rate && !(read_number(rate, "x", &event->rate_x) && read_number(rate, "y", &event->rate_y) &&
                read_number(rate, "z", &event->rate_z)))
    return false;
  return !tilt || (read_number(tilt, "x", &event->tilt_x) && read_number(tilt, "y", &event->tilt_y));
}

static bool read_event(const json_t *parameters, struct parallax_event *event) {
  if (!read_integer(parameters, "sequence", -1, &event->sequence) ||
      !read_integer(parameters, "timestamp_ns", INT64_MIN, &event->timestamp_ns) ||
      !read_number(parameters, "x", &event->x) || !read_number(parameters, "y", &event->y))
    return false;
  if (member(parameters, "dropped") && !read_integer(parameters, "dropped", 0, &event->dropped)) return false;
  return read_flag(parameters, "reduced_motion", &event->reduced_motion) &&
         read_flag(parameters, "gap", &event->gap) && read_state(parameters, event) &&
         read_parts(parameters, event);
}

/* Errors after which the same call would fail again; the others pass, as when there are too many subscribers. */
static int permanent_error(const char *name) {
  if (strcmp(name, "org.varlink.service.PermissionDenied") == 0) return PARALLAX_ERROR_PERMISSION;
  static const char *const refusals[] = {
      "org.varlink.service.MethodNotFound", "org.varlink.service.MethodNotImplemented",
      "org.varlink.service.InterfaceNotFound", "org.varlink.service.InvalidParameter"};
  for (size_t index = 0; index < sizeof refusals / sizeof *refusals; index += 1)
    if (strcmp(name, refusals[index]) == 0) return PARALLAX_ERROR_REFUSED;
  return 0;
}

static void read_error(const json_t *error, const json_t *parameters, struct parallax_reply *reply) {
  if (!json_is_string(error)) return junk(reply, "an error without a name");
  reply->kind = PARALLAX_REPLY_ERROR;
  reply->error = permanent_error(json_string_value(error));
  char name[80], parameter[40] = "";
  copy_name(name, sizeof name, json_string_value(error));
  const json_t *which = member(parameters, "parameter");
  if (json_is_string(which)) copy_name(parameter, sizeof parameter, json_string_value(which));
  snprintf(reply->text, sizeof reply->text, "%s%s%s", name, parameter[0] ? ": " : "", parameter);
}

static void read_object(const json_t *object, bool page, struct parallax_reply *reply) {
  const json_t *parameters = member(object, "parameters"), *error = member(object, "error");
  if (parameters && !json_is_object(parameters)) return junk(reply, "parameters that are no object");
  if (error) return read_error(error, parameters, reply);
  if (!read_flag(object, "continues", &reply->continues)) return junk(reply, "continues is neither true nor false");
  if (page) {
    int64_t version;
    reply->kind = PARALLAX_REPLY_PAGE;
    if (!read_integer(parameters, "version", 0, &version) ||
        !read_integer(parameters, "size", 0, &reply->page_size) ||
        !read_integer(parameters, "fileDescriptor", 0, &reply->page_descriptor))
      junk(reply, "a reply to OpenPage without version, size or fileDescriptor");
    else if (version != PARALLAX_PAGE_VERSION)
      junk(reply, "a page of another version");
  } else {
    reply->kind = PARALLAX_REPLY_EVENT;
    if (!read_event(parameters, &reply->event)) junk(reply, "an event that lacks something, or has it wrong");
  }
}

void parallax_read_reply(const char *message, size_t length, bool page, struct parallax_reply *reply) {
  memset(reply, 0, sizeof *reply);
  if (length > PARALLAX_LONGEST_MESSAGE) return junk(reply, "a message that is too long");
  if (!is_shallow(message, length)) return junk(reply, "a message that is nested too deep");
  json_error_t error;
  json_t *object = json_loadb(message, length, JSON_REJECT_DUPLICATES, &error);
  if (json_is_object(object))
    read_object(object, page, reply);
  else
    junk(reply, "what is no JSON object");
  json_decref(object);
}
