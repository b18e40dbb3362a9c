/* The page in this process's memory, and the frames in it. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "internal.h"

/* Far more than any version will need: what is mapped is bounded. */
#define LARGEST_PAGE (INT64_C(1) << 20)

void parallax_mapping_close(struct parallax_mapping *mapping) {
  if (mapping->page) munmap(mapping->page, mapping->size);
  mapping->page = NULL;
  mapping->size = 0;
}

bool parallax_mapping_open(struct parallax_mapping *mapping, int descriptor, int64_t size, char *why) {
  struct stat about;
  int seals = fcntl(descriptor, F_GET_SEALS);
  if (size < (int64_t)PARALLAX_PAGE_SIZE || size > LARGEST_PAGE || fstat(descriptor, &about) != 0 ||
      about.st_size < size) {
    snprintf(why, PARALLAX_TEXT_SIZE, "a page of a wrong size");
    return false;
  }
  /* A page that could shrink would end its readers with SIGBUS. */
  if (seals < 0 || !(seals & F_SEAL_SHRINK)) {
    snprintf(why, PARALLAX_TEXT_SIZE, "a page that is not sealed against shrinking");
    return false;
  }
  void *page = mmap(NULL, (size_t)size, PROT_READ, MAP_SHARED, descriptor, 0);
  if (page == MAP_FAILED) {
    snprintf(why, PARALLAX_TEXT_SIZE, "the page cannot be mapped: %m");
    return false;
  }
  if (!parallax_page_check(page, (size_t)size)) {
    munmap(page, (size_t)size);
    snprintf(why, PARALLAX_TEXT_SIZE, "a page of an unknown layout");
    return false;
  }
  parallax_mapping_close(mapping);
  mapping->page = page;
  mapping->size = (size_t)size;
  mapping->is_fresh = false;
  return true;
}

int parallax_page_frame(struct parallax_client *client, struct parallax_frame *frame) {
  struct parallax_mapping *mapping = &client->mapping;
  bool is_connected = client->phase == PARALLAX_PHASE_STREAMING && mapping->page;
  if (is_connected && parallax_page_read(mapping->page, &mapping->frame))
    mapping->is_fresh = mapping->has_frame = true;
  if (!mapping->has_frame) return 0;
  *frame = mapping->frame;
  if (is_connected && mapping->is_fresh) {
    bool is_reduced = frame->flags & PARALLAX_FLAG_REDUCED_MOTION;
    parallax_origin_apply(&client->origin, is_reduced, &frame->x, &frame->y);
    return 1;
  }
  /* Of the page before: nobody writes it any more. */
  frame->x = client->origin.shown_x;
  frame->y = client->origin.shown_y;
  frame->velocity_x = frame->velocity_y = 0;
  frame->rate_x = frame->rate_y = frame->rate_z = 0;
  frame->flags = (frame->flags & PARALLAX_FLAG_REDUCED_MOTION) | (uint64_t)PARALLAX_STATE_DISCONNECTED << 8;
  return 1;
}
