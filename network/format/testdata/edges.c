// What a plain C program takes to read a list of edges "a b", comments aside, and to lay out the neighbours of each
// node both ways, repeated ones included: the measure of docs/performance.md. cc -O2 -o edges edges.c; edges FILE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
	FILE *f = argc == 2 ? fopen(argv[1], "r") : NULL;
	if (!f) return 2;
	size_t room = 1 << 20, m = 0, width = 0;
	unsigned *ends = malloc(8 * room), last = 0;
	char *line = NULL;
	while (getline(&line, &width, f) > 0) {
		if (*line == '#') continue;
		char *rest;
		unsigned a = strtoul(line, &rest, 10), b = strtoul(rest, &rest, 10);
		if (m == room) ends = realloc(ends, 8 * (room *= 2));
		ends[2 * m] = a, ends[2 * m + 1] = b, m++;
		if (a > last) last = a;
		if (b > last) last = b;
	}
	unsigned n = last + 1;
	unsigned *row = calloc(n + 1, 4), *next = malloc(4 * n), *nbr = malloc(8 * m);
	for (size_t i = 0; i < 2 * m; i++) row[ends[i] + 1]++;
	for (unsigned i = 0; i < n; i++) row[i + 1] += row[i], next[i] = row[i];
	for (size_t i = 0; i < m; i++) {
		unsigned a = ends[2 * i], b = ends[2 * i + 1];
		nbr[next[a]++] = b, nbr[next[b]++] = a;
	}
	printf("%u nodes, %zu edges\n", n, m);
	return 0;
}
