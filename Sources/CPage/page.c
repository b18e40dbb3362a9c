#include "cpage.h"

// The layout is what the header's text says: a word that moved would be a new version of it.
_Static_assert(PARALLAX_WORD_LOCK * 8 == 64, "the record has cache lines of its own");
_Static_assert(PARALLAX_WORD_X * 8 == 96, "x");
_Static_assert(PARALLAX_WORD_RATE_X * 8 == 128, "rate_x");
_Static_assert(PARALLAX_WORD_FLAGS * 8 == 168, "flags");
_Static_assert(PARALLAX_WORD_END * 8 <= PARALLAX_PAGE_SIZE, "the record fits");
