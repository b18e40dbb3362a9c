#include <cairo-svg.h>
#include <cairo.h>
