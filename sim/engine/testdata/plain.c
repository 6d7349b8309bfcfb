/* A plain loop for comparison with BenchmarkRounds: the same job, Bounded Election with
   the default options on a random geometric network of mean degree 10 in spatial order, over
   the same kind of arrays, without any engine. Compile and run by hand:

       cc -O2 -o /tmp/plain sim/testdata/plain.c -lm && /tmp/plain 1000000

   It prints millions of node-rounds per second, with heartbeat and without. */

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct { double val, dist; uint64_t lead; uint32_t nonce; uint16_t seq; uint8_t age, hops; } candidacy;

static uint64_t rng = 88172645463325252u;
static double uniform(void) {
	rng ^= rng << 13; rng ^= rng >> 7; rng ^= rng << 17;
	return (double)(rng >> 11) / 9007199254740992.0;
}

static int n, cells;
static double *x, *y;
static int64_t *off;
static int32_t *nbr;
static double *len, *strength;

static uint64_t hilbert(uint32_t a, uint32_t b) {
	uint64_t d = 0;
	for (uint32_t s = 1u << 15; s; s >>= 1) {
		uint32_t rx = (a & s) != 0, ry = (b & s) != 0;
		d += (uint64_t)s * s * ((3 * rx) ^ ry);
		if (!ry) {
			if (rx) { a = ~a & 0xffff; b = ~b & 0xffff; }
			uint32_t t = a; a = b; b = t;
		}
	}
	return d;
}

typedef struct { uint64_t key; double x, y; } point;
static int by_key(const void *a, const void *b) {
	uint64_t p = ((const point *)a)->key, q = ((const point *)b)->key;
	return (p > q) - (p < q);
}

static void build(void) {
	double r = sqrt(10.0 / (M_PI * n));
	point *p = malloc(n * sizeof *p);
	x = malloc(n * sizeof *x); y = malloc(n * sizeof *y); strength = malloc(n * sizeof *strength);
	for (int i = 0; i < n; i++) {
		p[i].x = uniform(); p[i].y = uniform();
		p[i].key = hilbert(p[i].x * 65535, p[i].y * 65535);
	}
	qsort(p, n, sizeof *p, by_key);
	for (int i = 0; i < n; i++) {
		x[i] = p[i].x; y[i] = p[i].y;
		strength[i] = (uint32_t)i * 2654435761u % 1024;
	}
	free(p);
	cells = (int)(1 / r);
	if (cells < 1) cells = 1;
	int *head = malloc((size_t)cells * cells * sizeof *head), *next = malloc(n * sizeof *next);
	memset(head, -1, (size_t)cells * cells * sizeof *head);
	for (int i = n - 1; i >= 0; i--) {
		int c = (int)(x[i] * cells) * cells + (int)(y[i] * cells);
		next[i] = head[c]; head[c] = i;
	}
	off = calloc(n + 1, sizeof *off);
	nbr = malloc((size_t)n * 12 * sizeof *nbr + 4096);
	int64_t m = 0;
	for (int i = 0; i < n; i++) {
		int cx = x[i] * cells, cy = y[i] * cells;
		for (int a = cx - 1; a <= cx + 1; a++)
			for (int b = cy - 1; b <= cy + 1; b++) {
				if (a < 0 || b < 0 || a >= cells || b >= cells) continue;
				for (int j = head[a * cells + b]; j >= 0; j = next[j])
					if (j != i && hypot(x[i] - x[j], y[i] - y[j]) <= r) nbr[m++] = j;
			}
		off[i + 1] = m;
	}
	len = malloc(m * sizeof *len);
	for (int64_t k = 0; k < m; k++) len[k] = 1;
	free(head); free(next);
}

static int less(const candidacy *a, double ad, const candidacy *b, double bd) {
	if (a->val != b->val) return a->val < b->val;
	if (a->lead != b->lead) return a->lead < b->lead;
	if (a->nonce != b->nonce) return a->nonce < b->nonce;
	return ad < bd;
}

static uint8_t older(uint8_t a, int by) { return a > 255 - by ? 255 : a + by; }

static void sweep(candidacy *to, const candidacy *from, double radius, int stale) {
	for (int i = 0; i < n; i++) {
		candidacy own = {-strength[i], 0, i + 1, (uint32_t)i * 2246822519u, from[i].seq + 1, 0, 0};
		const candidacy *s = &from[i], *best = &own, *held = 0;
		double best_dist = 0, held_dist = 0;
		uint16_t news = s->seq;
		for (int64_t k = off[i]; k < off[i + 1]; k++) {
			const candidacy *m = &from[nbr[k]];
			double d = m->dist + len[k];
			if (m->lead == own.lead && m->nonce == own.nonce) {
				if ((int16_t)(m->seq - own.seq) >= 0) own.seq = m->seq + 1;
				continue;
			}
			if (!(m->dist >= 0 && d <= radius)) continue;
			if (stale) {
				if (m->lead == s->lead && m->val == s->val && m->nonce == s->nonce) {
					if ((int16_t)(m->seq - news) > 0) news = m->seq;
					if (!held || d < held_dist) { held = m; held_dist = d; }
					continue;
				}
				if (m->age >= 16) continue;
			}
			if (less(m, d, best, best_dist)) { best = m; best_dist = d; }
		}
		uint8_t age = held && news == s->seq ? older(s->age, 16) : 0;
		if (held && age < stale && less(held, held_dist, best, best_dist)) {
			candidacy c = *held;
			c.dist = held_dist; c.seq = news; c.age = age; c.hops = older(c.hops, 1);
			to[i] = c;
		} else if (best == &own) {
			to[i] = own;
		} else {
			candidacy c = *best;
			c.dist = best_dist; c.hops = older(c.hops, 1); c.age = older(c.age, 1);
			to[i] = c;
		}
	}
}

static double seconds(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

int main(int argc, char **argv) {
	n = argc > 1 ? atoi(argv[1]) : 1000000;
	build();
	candidacy *a = calloc(n, sizeof *a), *b = calloc(n, sizeof *b);
	for (int stale = 48; stale >= 0; stale -= 48) {
		for (int i = 0; i < n; i++) a[i] = (candidacy){-strength[i], 0, i + 1, (uint32_t)i * 2246822519u, 0, 0, 0};
		double start = 0;
		const int warm = 3, rounds = 20;
		for (int r = 0; r < warm + rounds; r++) {
			if (r == warm) start = seconds();
			sweep(b, a, 10, stale);
			candidacy *t = a; a = b; b = t;
		}
		printf("heartbeat %s: %.2f Mrounds/s (degree %.2f)\n", stale ? "on " : "off", rounds * 1e-6 * n / (seconds() - start), (double)off[n] / n);
	}
	return 0;
}
