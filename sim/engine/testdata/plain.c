/* A plain loop for comparison with BenchmarkRounds: the same job, Bounded Election with
   the default options on a random geometric network of mean degree 10 in spatial order, over
   the same kind of arrays, without any engine. Compile and run by hand:

       cc -O2 -o /tmp/plain sim/engine/testdata/plain.c -lm && /tmp/plain 1000000

   It prints millions of node-rounds per second of processor time, with heartbeat and without. */

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

enum { beat = 16, most_patience = 15 * beat, max_ahead = 64 };

static int same(const candidacy *a, const candidacy *b) {
	return a->lead == b->lead && a->val == b->val && a->nonce == b->nonce;
}

static int refutes(const candidacy *m, const candidacy *c) {
	return m->hops == 0 && m->lead == c->lead && m->nonce == c->nonce && m->val != c->val;
}

static int outdated(const candidacy *from, int i, const candidacy *c) {
	for (int64_t k = off[i]; k < off[i + 1]; k++)
		if (refutes(&from[nbr[k]], c)) return 1;
	return 0;
}

static void sweep(candidacy *to, const candidacy *from, double radius, int stale) {
	int fresh = stale / beat - 1 > 2 ? 2 * beat : (stale / beat - 1) * beat;
	for (int i = 0; i < n; i++) {
		const candidacy *s = &from[i], *held = 0;
		candidacy own = {-strength[i], 0, i + 1, (uint32_t)i * 2246822519u, s->seq + 1, 0, 0};
		const candidacy *best = &own;
		double best_dist = 0, held_dist = 0;
		uint16_t news = 0;
		int mine = s->lead == own.lead && s->nonce == own.nonce, refuted = 0;
		for (int64_t k = off[i]; k < off[i + 1]; k++) {
			const candidacy *m = &from[nbr[k]];
			double d = m->dist + len[k];
			int within = m->dist >= 0 && d <= radius && m->lead != 0;
			if (stale && !mine && same(m, s)) {
				if (!within) continue;
				uint16_t ahead = m->seq - s->seq;
				if (ahead > max_ahead) ahead = 0;
				if (ahead > news) news = ahead;
				if (m->age >= beat && ahead == 0 && m->hops >= s->hops) continue;
				if (!held || d < held_dist) { held = m; held_dist = d; }
				continue;
			}
			if (stale) {
				refuted |= refutes(m, s);
				if (m->age >= fresh && m->lead != own.lead) continue;
			}
			if (m->lead == own.lead && m->nonce == own.nonce) {
				if ((int16_t)(m->seq - own.seq) >= 0) own.seq = m->seq + 1;
			} else if (within && less(m, d, best, best_dist) && !(stale && outdated(from, i, m))) {
				best = m; best_dist = d;
			}
		}
		if (!refuted && held && less(s, held_dist, best, best_dist)) {
			uint8_t age = news ? 0 : older(s->age, beat);
			int patience = stale;
			if (held->hops < s->hops) {
				patience += held->hops * beat;
				if (patience > most_patience) patience = most_patience;
			}
			if (age < patience) {
				candidacy c = *s;
				c.dist = held_dist; c.seq = s->seq + news; c.age = age; c.hops = older(held->hops, 1);
				to[i] = c;
				continue;
			}
		}
		if (best == &own) {
			to[i] = own;
		} else {
			candidacy c = *best;
			c.dist = best_dist; c.hops = older(c.hops, 1);
			c.age = older(c.age >= beat ? older(c.age, beat) : c.age, 1);
			to[i] = c;
		}
	}
}

static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

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
		double took = seconds() - start;
		int leaders = 0;
		for (int i = 0; i < n; i++) leaders += a[i].lead == (uint64_t)i + 1;
		printf("heartbeat %s: %.2f Mrounds/s (degree %.2f, %d leaders)\n", stale ? "on " : "off",
			rounds * 1e-6 * n / took, (double)off[n] / n, leaders);
	}
	return 0;
}
