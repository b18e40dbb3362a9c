/* An origin of one's own. Pure. */
#include "internal.h"

void parallax_origin_set(struct parallax_origin *origin) {
  origin->is_set = true;
  if (origin->is_shown) {
    origin->x += origin->shown_x;
    origin->y += origin->shown_y;
  } else {
    origin->is_pending = true;
  }
  origin->shown_x = 0;
  origin->shown_y = 0;
}

void parallax_origin_apply(struct parallax_origin *origin, bool reduced_motion, double *x, double *y) {
  if (reduced_motion) {
    /* The daemon shows neutral, and starts from there when it is over. */
    origin->x = 0;
    origin->y = 0;
  } else if (origin->is_pending) {
    origin->x = *x - origin->shown_x;
    origin->y = *y - origin->shown_y;
  }
  origin->is_pending = false;
  *x -= origin->x;
  *y -= origin->y;
  origin->shown_x = *x;
  origin->shown_y = *y;
  origin->is_shown = true;
}
