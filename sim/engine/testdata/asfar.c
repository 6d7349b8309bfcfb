// As Far on a ring with IDs increasing in the direction of travel, in plain C without any engine: with unit
// delays, for which two arrays are enough, and with delays uniform in [0, 1), FIFO per link: in a binary heap of whole
// messages, and in a heap of four children each, of keys of 16 bytes, whose four stand in one line of a cache.
// Prints million messages per second of processor time.
//
//	cc -O2 -o /tmp/asfar sim/engine/testdata/asfar.c && /tmp/asfar 10000
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct { int32_t node, kind; uint64_t id; } message;
typedef struct { double at; uint64_t number; message m; } event;

static int n;
static uint64_t *least;
static int64_t sent;

// handle gives whether a message is sent on.
static int handle(message m, message *out) {
    uint64_t own = m.node + 1;
    out->node = m.node + 1 == n ? 0 : m.node + 1;
    out->id = m.id;
    if (m.kind) {
        least[m.node] = m.id;
        out->kind = 1;
        return m.id != own;
    }
    out->kind = m.id == own && least[m.node] == own;
    if (!out->kind && m.id >= least[m.node]) return 0;
    least[m.node] = m.id;
    return 1;
}

static message start(int i) {
    least[i] = i + 1;
    sent++;
    return (message){i + 1 == n ? 0 : i + 1, 0, i + 1};
}

static int before(const event *a, const event *b) {
    return a->at < b->at || (a->at == b->at && a->number < b->number);
}

static event *heap;
static int size;

static void push(event v) {
    int i = size++;
    for (; i > 0 && before(&v, &heap[(i - 1) / 2]); i = (i - 1) / 2) heap[i] = heap[(i - 1) / 2];
    heap[i] = v;
}

static event pop(void) {
    event top = heap[0], v = heap[--size];
    int i = 0;
    for (int c; (c = 2 * i + 1) < size; i = c) {
        if (c + 1 < size && before(&heap[c + 1], &heap[c])) c++;
        if (!before(&heap[c], &v)) break;
        heap[i] = heap[c];
    }
    heap[i] = v;
    return top;
}

// A key is when a message arrives (bits of doubles >= 0 order as they do), then its number and the slot that it is kept
// in: one number, compared without a branch. Keys begin at 3, so that the children of k, 4k-8 to 4k-5, begin at a
// multiple of four.
typedef unsigned __int128 key;

static key key_of(double at, uint64_t number, uint32_t slot) {
    uint64_t bits;
    memcpy(&bits, &at, sizeof bits);
    return (key)bits << 64 | number << 24 | slot;
}

static double time_of(key k) {
    uint64_t bits = k >> 64;
    double at;
    memcpy(&at, &bits, sizeof at);
    return at;
}

static key *keys;
static int64_t last_key;
static message *kept;

static void put(key v) {
    int64_t i = ++last_key;
    for (int64_t up; i > 3 && v < keys[up = (i + 8) / 4]; i = up) keys[i] = keys[up];
    keys[i] = v;
}

// take fills the hole with the least child down to the bottom, and lets what was last rise from there.
static key take(void) {
    key top = keys[3], v = keys[last_key--];
    int64_t i = 3;
    for (int64_t c; (c = 4 * i - 8) + 3 <= last_key; ) {
        int64_t a = c + (keys[c + 1] < keys[c]), b = c + 2 + (keys[c + 3] < keys[c + 2]);
        int64_t least = keys[b] < keys[a] ? b : a;
        keys[i] = keys[least];
        i = least;
    }
    int64_t c = 4 * i - 8;
    if (c <= last_key) { // the last, which has fewer than four
        int64_t least = c;
        for (int64_t k = c + 1; k <= last_key; k++)
            if (keys[k] < keys[least]) least = k;
        keys[i] = keys[least];
        i = least;
    }
    for (int64_t up; i > 3 && v < keys[up = (i + 8) / 4]; i = up) keys[i] = keys[up];
    keys[i] = v;
    return top;
}

static uint64_t seed = 88172645463325252ull;

static double uniform(void) {
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return (seed >> 11) / 9007199254740992.0;
}

static void report(const char *what, clock_t since) {
    double s = (double)(clock() - since) / CLOCKS_PER_SEC;
    printf("%s: %lld messages, %.1f million per second\n", what, (long long)sent, sent / s / 1e6);
}

int main(int argc, char **argv) {
    n = argc > 1 ? atoi(argv[1]) : 10000;
    least = malloc(n * sizeof *least);
    message *now = malloc(2 * n * sizeof *now), *then = malloc(2 * n * sizeof *then), out;
    clock_t t = clock();
    int here = 0;
    for (int i = 0; i < n; i++) now[here++] = start(i);
    while (here > 0) {
        int there = 0;
        for (int k = 0; k < here; k++)
            if (handle(now[k], &out)) then[there++] = out, sent++;
        message *swap = now;
        now = then, then = swap, here = there;
    }
    report("unit delays", t);

    heap = malloc(2 * n * sizeof *heap);
    double *last = calloc(n, sizeof *last);
    uint64_t number = 0;
    sent = 0;
    t = clock();
    for (int i = 0; i < n; i++) {
        message m = start(i);
        push((event){last[i] = uniform(), number++, m});
    }
    while (size > 0) {
        event e = pop();
        if (!handle(e.m, &out)) continue;
        double at = e.at + uniform();
        if (at < last[e.m.node]) at = last[e.m.node];
        push((event){last[e.m.node] = at, number++, out});
        sent++;
    }
    report("random delays, binary heap", t);

    keys = aligned_alloc(64, (2 * n + 64) * sizeof *keys);
    kept = malloc(n * sizeof *kept);
    last_key = 2;
    sent = 0, number = 0;
    t = clock();
    for (int i = 0; i < n; i++) {
        kept[i] = start(i);
        put(key_of(last[i] = uniform(), number++, i));
    }
    while (last_key > 2) { // a message that goes on keeps its slot
        key k = take();
        int slot = k & 0xffffff, node = kept[slot].node;
        if (!handle(kept[slot], &out)) continue;
        kept[slot] = out;
        double at = time_of(k) + uniform();
        if (at < last[node]) at = last[node];
        put(key_of(last[node] = at, number++, slot));
        sent++;
    }
    report("random delays, 4-ary heap of keys", t);
}
