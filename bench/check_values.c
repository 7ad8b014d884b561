/* Checks the values of the Royal Game of Ur by its rules, in one pass; it shares no code with what found them.
 *
 *     cc -O3 -march=native -fopenmp -o check bench/check_values.c
 *     ./check COINS PATH SAFE DICE AGAIN TABLE TABLE.bounds/[0-9]*.npy
 *
 * PATH is bell, masters or aseb; SAFE and AGAIN are 0 or 1; DICE is 4 or 3. `smallchange solve royal-ur --verify` keeps the
 * files. Each position has two bounds, in units of 2^-47. If each lower bound is below what the moves say of the lower bounds
 * one step later, or 0, and each upper one above what they say of the upper ones, or 1, the value lies between them: were it
 * outside, then nowhere by more than one step later, where the bounds say less. This checks that, and each number in the
 * head of the table: how far its numbers of 16 bits are from both bounds at most, the widest gap, the bounds of the start.
 * Of the digest it checks the length alone. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { ONE_BITS = 47, MOST = 16 };
static const int64_t one = (int64_t)1 << ONE_BITS;
static int coins, safe, dice, again, goal, own, last, rosettes, across[18]; /* shared steps are 5 to last */
static const int weights[2][5] = {{1, 4, 6, 4, 1}, {0, 6, 6, 2, 2}};
static int64_t *bounds[64]; /* by layer: lower and upper */
static int64_t choose[20][20];
static int count(int set) { return __builtin_popcount(set); }
static int64_t up_to(int k) { int64_t n = 0; for (; k >= 0; k--) n += choose[own][k]; return n; }
static int64_t below(int m, int t, int i, int j) { /* arrangements with fewer shared coins of mine, or as many and fewer of theirs */
    int64_t n = 0, squares = last - 4;
    for (int k = 0; k <= i && k <= m && k <= squares; k++)
        for (int l = 0; l <= t && l <= squares - k && (k < i || l < j); l++)
            n += choose[squares][k] * choose[squares - k][l] * up_to(m - k) * up_to(t - l);
    return n;
}
static int64_t all(int m, int t) { return below(m, t, 99, 0); }
static int64_t rank(int set, int without) { /* of a set among those of its size */
    int64_t n = 0;
    for (int q = 0, free = 0, k = 0; q < 17; q++)
        if (set >> q & 1) n += choose[free++][++k]; else free += !(without >> q & 1);
    return n;
}
static int64_t own_rank(int steps) {
    int set = (steps >> 1 & 15) | steps >> (last + 1) << 4;
    return rank(set, 0) + up_to(count(set) - 1);
}
static int seen(int steps) { int to = 0; for (int q = 5; q <= last; q++) if (steps >> q & 1) to |= 1 << across[q]; return to; }
static int64_t *find(int mine, int theirs, int home, int their_home) { /* the bounds of the side that throws */
    int m = coins - home, t = coins - their_home, high = m > t ? m : t, low = m > t ? t : m, shared = (1 << (last - 4)) - 1;
    int a = mine >> 5 & shared, b = seen(their_home < 0 ? 0 : theirs) >> 5 & shared, i = count(a), j = count(b);
    int64_t row = (rank(a, 0) * choose[last - 4 - i][j] + rank(b, a)) * up_to(m - i) + own_rank(mine);
    row = below(m, t, i, j) + row * up_to(t - j) + own_rank(theirs) + (m < t ? all(t, m) : 0);
    return bounds[(high - 1) * high / 2 + low - 1] + 2 * row;
}
static void worth(int mine, int theirs, int home, int their_home, int64_t *out) { /* what the moves say: sums over 16 throws */
    out[0] = out[1] = 0;
    for (int n = 0; n < 5; n++) {
        int64_t best[2] = {-1, -1};
        for (int from = 0; from < goal && n; from++) {
            int to = from + n, at = 1 << to, after = (mine & ~(1 << from)) | (to < goal ? at : 0), hit = 0;
            if (from ? !(mine >> from & 1) : home + count(mine) == coins) continue;
            if (to > goal || (to < goal && mine & at)) continue;
            if (to >= 5 && to <= last) hit = theirs & 1 << across[to];
            if (hit && safe && rosettes & at) continue;
            int once_more = to < goal && (rosettes & at || (hit && again));
            int64_t low = one, high = one;
            if (to != goal || home + 1 < coins) {
                int64_t *v = once_more ? find(after, theirs & ~hit, home + (to == goal), their_home)
                                       : find(theirs & ~hit, after, their_home, home + (to == goal));
                low = once_more ? v[0] : one - v[1], high = once_more ? v[1] : one - v[0];
            }
            if (low > best[0]) best[0] = low;
            if (high > best[1]) best[1] = high;
        }
        if (best[0] < 0) {
            int64_t *v = find(theirs, mine, their_home, home);
            best[0] = one - v[1], best[1] = one - v[0];
        }
        for (int k = 0; k < 2; k++) out[k] += weights[dice][n] * best[k];
    }
}
int main(int argc, char **argv) {
    if (argc < 8) return printf("COINS PATH SAFE DICE AGAIN TABLE BOUNDS..\n"), 2;
    int path = argv[2][0] == 'b' ? 0 : argv[2][0] == 'm' ? 1 : 2, layers;
    coins = atoi(argv[1]), safe = atoi(argv[3]), dice = argv[4][0] == '3', again = atoi(argv[5]);
    goal = path == 0 ? 15 : 17, last = path == 0 ? 12 : 16, own = path == 0 ? 6 : 4, layers = coins * (coins + 1) / 2;
    rosettes = path == 0 ? 1 << 4 | 1 << 8 | 1 << 14 : 1 << 4 | 1 << 8 | 1 << 12 | 1 << 16;
    for (int q = 0; q < 18; q++) across[q] = q;
    for (int n = 0; n < 20; n++)
        for (int k = 0; k < 20; k++) choose[n][k] = k == 0 ? 1 : n == 0 ? 0 : choose[n - 1][k - 1] + choose[n - 1][k];
    if (path == 1) across[12] = 16, across[13] = 15, across[14] = 14, across[15] = 13, across[16] = 12;
    FILE *table = fopen(argv[6], "rb");
    char line[1000], head[1000], *bools[] = {"false", "true"}, *paths[] = {"bell", "masters", "aseb"};
    if (!table || argc != 7 + layers || !fgets(line, sizeof line, table) || strcmp(line, "values of a game with chance 2\n"))
        return puts("files"), 2;
    if (!fgets(line, sizeof line, table)) return puts("head"), 2;
    int64_t wrong = 0, done = 0, widest = 0, most = 0;
    for (int layer = 0, high = 1, low = 1; layer < layers; layer++, low = low == high ? high++, 1 : low + 1) {
        FILE *in = fopen(argv[7 + layer], "rb");
        int64_t n = all(high, low) + (high == low ? 0 : all(low, high));
        unsigned char npy[10];
        if (!in || fread(npy, 1, 10, in) != 10 || fseek(in, 10 + npy[8] + 256 * npy[9], SEEK_SET)) return puts("bounds"), 2;
        bounds[layer] = malloc(16 * n);
        if (!bounds[layer] || fread(bounds[layer], 16, n, in) != (size_t)n || fgetc(in) != EOF) return puts("size of bounds"), 2;
        fclose(in);
        int shared = (1 << (last - 4)) - 1, squares = last + 1 + own - 4;
        int64_t here = 0;
        uint16_t *cells = malloc(2 * n);
        char *met = calloc(n, 1); /* every number is met once: it is one of a position */
        if (!cells || !met || fread(cells, 2, n, table) != (size_t)n) return puts("table is short"), 2;
        for (int turn = 0; turn < (high == low ? 1 : 2); turn++)
#pragma omp parallel for reduction(+ : wrong, here) reduction(max : widest, most) schedule(dynamic, 64)
            for (int mine = 0; mine < 1 << (squares - 1); mine++)
                for (int a = 0; a < 1 << (squares - 1) && count(mine) <= (turn ? low : high); a++) {
                    int home = coins - (turn ? low : high), theirs = 2 * a, my = 2 * mine;
                    if (count(theirs) > coins - (coins - (turn ? high : low)) || seen(theirs) & my & shared << 5) continue;
                    int64_t *v = find(my, theirs, home, coins - (turn ? high : low)), got[2], i = (v - bounds[layer]) / 2;
                    worth(my, theirs, home, coins - (turn ? high : low), got);
                    int64_t middle = (2 * (int64_t)cells[i] + 1) << 30;
                    char twice;
#pragma omp atomic capture
                    twice = met[i]++;
                    wrong += twice || v[0] < 0 || v[0] > v[1] || (v[0] && 16 * v[0] >= got[0]) ||
                             v[1] > one || (v[1] < one && 16 * v[1] <= got[1]);
                    if (v[1] - v[0] > widest) widest = v[1] - v[0];
                    if (v[1] - middle > most) most = v[1] - middle;
                    if (middle - v[0] > most) most = middle - v[0];
                    here++;
                }
        if (here != n) return puts("WRONG: another number of positions"), 1;
        done += n, free(cells), free(met);
    }
    int64_t *v = find(0, 0, 0, 0);
    printf("%lld positions, %lld wrong; gap %.3g, error %.3g; the first to throw wins %.15f to %.15f\n", (long long)done,
           (long long)wrong, (double)widest / one, (double)most / one, (double)v[0] / one, (double)v[1] / one);
    snprintf(head, sizeof head, "\"error\": %lld, \"game\": \"royal-ur\", \"gap\": %lld, \"options\": {\"capture_again\": %s, "
             "\"coins\": %d, \"dice\": \"%s\", \"path\": \"%s\", \"safe\": %s}, \"start\": [%lld, %lld], \"version\": [1, 1]}\n",
             (long long)most, (long long)widest, bools[!!again], coins, dice ? "three" : "four", paths[path], bools[!!safe],
             (long long)v[0], (long long)v[1]);
    if (strncmp(line, "{\"digest\": \"", 12) || strspn(line + 12, "0123456789abcdef") != 64 ||
        strncmp(line + 76, "\", ", 3) || strcmp(line + 79, head))
        return printf("WRONG: the head of the table should end with %s", head), 1;
    if (fgetc(table) != EOF) return puts("WRONG: the table is too long"), 1;
    return wrong != 0;
}
