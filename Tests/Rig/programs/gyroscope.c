// A HID sensor hub with one three-axis gyroscope, over /dev/uhid: what a laptop's lid has, moved by hand.
//
// It does what such a chip does: while the kernel has it powered and reporting, it sends a report every
// interval that the kernel asked for. What it measures comes from stdin, line by line:
//
//   plug                 appears to the kernel
//   unplug               is gone
//   rest X Y Z           what it measures when nothing is queued, in counts of 0.01 degrees per second
//   queue N              N lines "X Y Z" follow: what it measures next, one report each
//   noise N              adds -N to N counts to what it measures at rest (2): without, it would be broken
//   every MICROSECONDS   sends its reports so often, whatever the kernel asks; 0: as the kernel asks
//   stall, resume        sends nothing meanwhile, though it is powered
//   state                answers with one line of NAME=NUMBER
//
// Each command is answered with one line: `ok`, the state, or `error: why`. The end of stdin unplugs it.
#include <errno.h>
#include <fcntl.h>
#include <linux/uhid.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

// Items of a report descriptor (HID 1.11, 6.2.2) and sensor usages (HID Usage Tables, page 0x20).
#define USAGE_PAGE(page) 0x05, page
#define USAGE8(usage) 0x09, usage
#define USAGE(usage) 0x0a, (usage) & 0xff, (usage) >> 8
#define COLLECTION(kind) 0xa1, kind
#define END_COLLECTION 0xc0
#define REPORT_ID(id) 0x85, id
#define MINIMUM(value) 0x15, value
#define MINIMUM16(value) 0x16, (value) & 0xff, ((value) >> 8) & 0xff
#define MAXIMUM(value) 0x25, value
#define MAXIMUM16(value) 0x26, (value) & 0xff, ((value) >> 8) & 0xff
#define MAXIMUM32(value) \
  0x27, (value) & 0xff, ((value) >> 8) & 0xff, ((value) >> 16) & 0xff, ((value) >> 24) & 0xff
#define FIELD(bits) 0x75, bits, 0x95, 1
// Powers of ten, a nibble in two's complement.
#define EXPONENT(nibble) 0x55, nibble
#define FEATURE(flags) 0xb1, flags
#define INPUT(flags) 0x81, flags
enum { PHYSICAL = 0, APPLICATION = 1, LOGICAL = 2, ARRAY = 0, VARIABLE = 2 };

// One byte that holds which of the selectors between the braces applies, counted from 1.
#define SELECTOR(usage, last) \
  USAGE(usage), EXPONENT(0), MINIMUM(1), MAXIMUM(last), FIELD(8), COLLECTION(LOGICAL)
#define SIX(first) \
  USAGE(first), USAGE(first + 1), USAGE(first + 2), USAGE(first + 3), USAGE(first + 4), USAGE(first + 5)
#define RATE(usage) \
  USAGE(usage), MINIMUM16(-32768), MAXIMUM16(32767), FIELD(16), EXPONENT(0x0e), INPUT(VARIABLE)

static const uint8_t descriptor[] = {
    USAGE_PAGE(0x20), USAGE8(0x01), COLLECTION(APPLICATION), REPORT_ID(1),
    USAGE8(0x76), COLLECTION(PHYSICAL),                                       // gyrometer, three axes
    SELECTOR(0x0316, 6), SIX(0x0840), FEATURE(ARRAY), END_COLLECTION,         // reporting state
    SELECTOR(0x0319, 6), SIX(0x0850), FEATURE(ARRAY), END_COLLECTION,         // power state
    USAGE(0x030e), MINIMUM(0), MAXIMUM32(0x7fffffff), FIELD(32), FEATURE(VARIABLE),  // report interval, ms
    USAGE(0x1456), MINIMUM(0), MAXIMUM16(0x7fff), FIELD(16), EXPONENT(0x0e), FEATURE(VARIABLE),  // sensitivity
    SELECTOR(0x0201, 7), SIX(0x0800), USAGE(0x0806), INPUT(ARRAY), END_COLLECTION,  // sensor state
    SELECTOR(0x0202, 6), SIX(0x0810), INPUT(ARRAY), END_COLLECTION,           // sensor event
    RATE(0x0457), RATE(0x0458), RATE(0x0459),                                 // about x, y, z
    END_COLLECTION, END_COLLECTION};

// The report numbered 1, as feature and as input.
struct feature {
  uint8_t id, reporting, power;
  uint32_t interval;
  uint16_t sensitivity;
} __attribute__((packed));
struct input {
  uint8_t id, state, event;
  int16_t axes[3];
} __attribute__((packed));

// What the kernel writes for "all events" and "full power".
enum { REPORTING_ALL = 2, POWER_FULL = 2, STATE_READY = 2, EVENT_DATA = 4, SLOWEST_MS = 60000, MOST_OWED = 32 };

static int hub = -1, timer = -1;
static struct feature feature;
static int16_t rest[3];
static int noise = 2;
static int16_t (*queue)[3];
static size_t queued, taken;
// Lines that a `queue` still waits for, and those that came.
static size_t expected, arrived;
static unsigned long long sent, override_us, armed_us;
static int stalled;

static void answer(const char *text) {
  printf("%s\n", text);
  fflush(stdout);
}

static int emit(const struct uhid_event *event, size_t size) {
  return write(hub, event, size) < 0 ? -errno : 0;
}

static struct input measure(int take) {
  struct input report = {.id = 1, .state = STATE_READY, .event = EVENT_DATA};
  if (take && taken < queued) {
    memcpy(report.axes, queue[taken++], sizeof report.axes);
    return report;
  }
  for (int i = 0; i < 3; i++) report.axes[i] = rest[i] + rand() % (2 * noise + 1) - noise;
  return report;
}

static void send_report(void) {
  struct uhid_event event = {.type = UHID_INPUT2};
  struct input report = measure(1);
  event.u.input2.size = sizeof report;
  memcpy(event.u.input2.data, &report, sizeof report);
  if (emit(&event, offsetof(struct uhid_event, u.input2.data) + sizeof report) == 0) sent++;
}

// Sets the timer by what the kernel wants and what was told.
static void set_timer(void) {
  unsigned long long us = 0;
  if (hub >= 0 && !stalled && feature.power == POWER_FULL && feature.reporting == REPORTING_ALL) {
    us = feature.interval * 1000ull;
    if (us == 0) us = 1000;
    if (us > SLOWEST_MS * 1000ull) us = SLOWEST_MS * 1000ull;
    if (override_us) us = override_us;
  }
  if (us == armed_us) return;
  armed_us = us;
  struct timespec period = {us / 1000000, us % 1000000 * 1000};
  struct itimerspec every = {period, period};
  timerfd_settime(timer, 0, &every, NULL);
}

static const char *plug(void) {
  if (hub >= 0) return "error: it is plugged in";
  hub = open("/dev/uhid", O_RDWR | O_CLOEXEC);
  if (hub < 0) return "error: /dev/uhid cannot be opened";
  feature = (struct feature){.id = 1, .reporting = 1, .power = 6, .interval = 100};
  struct uhid_event event = {.type = UHID_CREATE2};
  snprintf((char *)event.u.create2.name, sizeof event.u.create2.name, "parallaxd test rig");
  event.u.create2.bus = 0x03;  // USB, as most such hubs say
  event.u.create2.vendor = 0x1209;  // pid.codes: test only
  event.u.create2.product = 0x0001;
  event.u.create2.rd_size = sizeof descriptor;
  memcpy(event.u.create2.rd_data, descriptor, sizeof descriptor);
  return emit(&event, sizeof event) == 0 ? "ok" : "error: the kernel does not take the device";
}

static const char *unplug(void) {
  if (hub < 0) return "error: it is not plugged in";
  // Closing is what tells the kernel.
  close(hub);
  hub = -1;
  set_timer();
  return "ok";
}

static void answer_get(const struct uhid_get_report_req *request) {
  struct uhid_event event = {.type = UHID_GET_REPORT_REPLY};
  struct uhid_get_report_reply_req *reply = &event.u.get_report_reply;
  reply->id = request->id;
  struct input report = measure(0);
  if (request->rnum != 1) {
    reply->err = EIO;
  } else if (request->rtype == UHID_FEATURE_REPORT) {
    reply->size = sizeof feature;
    memcpy(reply->data, &feature, sizeof feature);
  } else {
    reply->size = sizeof report;
    memcpy(reply->data, &report, sizeof report);
  }
  emit(&event, sizeof event);
}

static void answer_set(const struct uhid_set_report_req *request) {
  struct uhid_event event = {.type = UHID_SET_REPORT_REPLY};
  event.u.set_report_reply.id = request->id;
  if (request->rnum == 1 && request->rtype == UHID_FEATURE_REPORT && request->size >= sizeof feature)
    memcpy(&feature, request->data, sizeof feature);
  else
    event.u.set_report_reply.err = EIO;
  emit(&event, sizeof event);
  set_timer();
}

static void hear_kernel(void) {
  struct uhid_event event;
  if (read(hub, &event, sizeof event) <= 0) return;
  if (event.type == UHID_GET_REPORT) answer_get(&event.u.get_report);
  if (event.type == UHID_SET_REPORT) answer_set(&event.u.set_report);
}

// Makes room for the lines that follow a `queue`; what waits stays.
static const char *expect_samples(size_t count) {
  if (count == 0 || count > 1000000) return "error: 1 to 1000000";
  memmove(queue, queue + taken, (queued - taken) * sizeof *queue);
  queued -= taken;
  taken = 0;
  void *more = realloc(queue, (queued + count) * sizeof *queue);
  if (!more) return "error: no memory";
  queue = more;
  expected = count;
  arrived = 0;
  return NULL;
}

// Takes a line of a `queue`; they are all there before the first of them is sent.
static const char *take_sample(const char *line) {
  int16_t *now = queue[queued + arrived];
  if (sscanf(line, "%hd %hd %hd", &now[0], &now[1], &now[2]) != 3) {
    expected = 0;
    return "error: three numbers a line are wanted";
  }
  if (++arrived < expected) return NULL;
  queued += expected;
  expected = 0;
  return "ok";
}

static const char *obey(const char *line) {
  unsigned long long number;
  if (expected) return take_sample(line);
  if (!strcmp(line, "plug")) return plug();
  if (!strcmp(line, "unplug")) return unplug();
  if (sscanf(line, "rest %hd %hd %hd", &rest[0], &rest[1], &rest[2]) == 3) return "ok";
  if (sscanf(line, "queue %llu", &number) == 1) return expect_samples(number);
  if (sscanf(line, "every %llu", &number) == 1)
    override_us = number;
  else if (sscanf(line, "noise %llu", &number) == 1 && number < 1000)
    noise = number;
  else if (!strcmp(line, "stall") || !strcmp(line, "resume"))
    stalled = *line == 's';
  else if (strcmp(line, "state"))
    return "error: no such command";
  set_timer();
  if (strcmp(line, "state")) return "ok";
  static char text[200];
  snprintf(text, sizeof text, "plugged=%d power=%u reporting=%u interval=%u sent=%llu queued=%zu", hub >= 0,
           feature.power, feature.reporting, feature.interval, sent, queued - taken);
  return text;
}

// Obeys the whole lines that have come; 0 at the end of stdin.
static int hear_commands(void) {
  static char text[65536];
  static size_t length;
  ssize_t got = read(0, text + length, sizeof text - 1 - length);
  if (got <= 0) return 0;
  length += got;
  text[length] = 0;
  char *line = text;
  for (char *end; (end = strchr(line, '\n')); line = end + 1) {
    *end = 0;
    const char *said = obey(line);
    if (said) answer(said);
  }
  length -= line - text;
  memmove(text, line, length);
  return 1;
}

int main(void) {
  // What the kernel says may set the timer anew after it was seen to be due: a read must not wait then.
  timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
  for (;;) {
    struct pollfd watched[] = {{0, POLLIN, 0}, {timer, POLLIN, 0}, {hub, POLLIN, 0}};
    if (poll(watched, 3, -1) < 0) return 1;
    if (watched[2].revents) hear_kernel();
    uint64_t due = 0;
    if (watched[1].revents && read(timer, &due, sizeof due) == sizeof due)
      // A late wake-up owes several; a chip that overfills a machine as slow as this one would show nothing.
      for (uint64_t i = 0; i < due && i < MOST_OWED && armed_us; i++) send_report();
    if (watched[0].revents && !hear_commands()) return 0;
  }
}
