/* The call that a connection begins with, written. */
#include <jansson.h>

#include "internal.h"

/* What is not said is the daemon's default. */
static json_t *parameters_of(const struct parallax_options *options) {
  json_t *parameters = json_object();
  int failed = 0;
  if (options->min_interval > 0)
    failed |= json_object_set_new(parameters, "min_interval", json_real(options->min_interval));
  if (options->every_update) failed |= json_object_set_new(parameters, "only_changes", json_false());
  if (options->rate) failed |= json_object_set_new(parameters, "rate", json_true());
  if (options->tilt) failed |= json_object_set_new(parameters, "tilt", json_true());
  if (options->reduced_motion) failed |= json_object_set_new(parameters, "reduced_motion", json_true());
  if (options->screen_rotation)
    failed |= json_object_set_new(parameters, "screen_rotation", json_integer(options->screen_rotation));
  if (options->backlog) failed |= json_object_set_new(parameters, "backlog", json_integer(options->backlog));
  if (!failed) return parameters;
  json_decref(parameters);
  return NULL;
}

size_t parallax_write_call(char *call, const struct parallax_options *options, bool page) {
  json_t *object = page ? json_pack("{s:s}", "method", "org.parallaxd.Motion.OpenPage")
                        : json_pack("{s:s, s:o, s:b}", "method", "org.parallaxd.Motion.Subscribe", "parameters",
                                    parameters_of(options), "more", 1);
  size_t length = object ? json_dumpb(object, call, PARALLAX_LONGEST_CALL - 1, JSON_COMPACT) : 0;
  json_decref(object);
  if (length == 0 || length >= PARALLAX_LONGEST_CALL) return 0;
  call[length] = 0;
  return length + 1;
}
