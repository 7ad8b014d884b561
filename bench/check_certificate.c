/* Checks a certificate of a blockade in Dodg'em; it shares no code with the search that made it.
 *
 *     cc -O2 -o check bench/check_certificate.c && zstd -dc FILE | ./check
 *
 * src/smallchange/tablebase/certificate.py describes the file. For each position that it says the blocker holds, with
 * the attacker to move, this checks by the rules: the sides do not overlap, the attacker is not home, and each step of
 * the attacker leads to a position from which some step of the blocker leads to one that is held too. So the attacker
 * never gets home. Squares are bits, column by column as the blocker sees the board. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t set;
enum { MOST = 20000, STEPS = 32 };
static int n, facing, blocked, words, count; /* blocked: 1 wins, -1 loses, 0 passes */
static int bit_of[MOST], steps_of[MOST], reply[MOST][STEPS]; /* the bit of the placement after a step, or -1 */
static set placed[MOST], target[MOST][STEPS];                /* the square that must be free; 0 for none */
typedef struct { int pieces[9], sets[9]; long stride[9], rows; set *moving; } profile;
static profile ahead[1000], here[1000]; /* of the layer before, and of this one */
static int ahead_count, here_count, layer = -1;
static long long held;
static int in_order[9][300], number[300], sizes[9]; /* sets of places by size, ascending; the number of a set */

static void fail(const char *why) { printf("WRONG: %s\n", why); exit(1); }
static int has(const set *row, int bit) { return row[bit / 64] >> bit % 64 & 1; }
static set square(int line, int place) { /* of the attacker */
    return (set)1 << (facing ? n * n - 1 - (line * n + place) : place * n + line);
}
static void read_head(void) {
    char start[16], rule[16];
    if (scanf("certificate of a blockade 1 %d %15s %15s %d %d", &n, start, rule, &words, &count) != 5) fail("head");
    if (n < 2 || n > 8 || words < 1 || count < 1 || count > MOST) fail("size");
    facing = !strcmp(start, "facing");
    blocked = !strcmp(rule, "wins") ? 1 : !strcmp(rule, "loses") ? -1 : 0;
    for (int a = 0; a < count; a++)
        if (scanf("%d %lx", &bit_of[a], &placed[a]) != 2 || bit_of[a] >= 64 * words || (a && bit_of[a] <= bit_of[a - 1]))
            fail("placement");
    if (getchar() != '\n') fail("head");
    for (int places = 0; places < 1 << n; places++) {
        int size = __builtin_popcount(places);
        number[places] = sizes[size];
        in_order[size][sizes[size]++] = places;
    }
}
static void find_steps(int a) {
    for (int k = 0; k < 3 * n * n; k++) {
        int q = k / 3, way = k % 3, leaves = way == 0 && q / n == n - 1;
        set from = (set)1 << q, to = leaves ? 0 : way == 0 ? from << n : way == 1 ? from >> 1 : from << 1;
        if (!(placed[a] & from) || placed[a] & to || (way == 1 && q % n == 0) || (way == 2 && q % n == n - 1)) continue;
        int s = steps_of[a]++;
        target[a][s] = to, reply[a][s] = -1;
        for (int other = 0; other < count; other++)
            if (placed[other] == ((placed[a] ^ from) | to)) reply[a][s] = bit_of[other];
    }
}
static void sets_of_row(const profile *p, long row, int *sets) {
    for (int line = 0; line < n; line++) sets[line] = in_order[p->pieces[line]][row / p->stride[line] % p->sets[line]];
}
static long row_of(const profile *p, const int *sets) {
    long row = 0;
    for (int line = 0; line < n; line++) row += number[sets[line]] * p->stride[line];
    return row;
}
static set squares_of(const int *sets) {
    set all = 0;
    for (int line = 0; line < n; line++)
        for (int place = 0; place < n; place++)
            if (sets[line] >> place & 1) all |= square(line, place);
    return all;
}
static void find_moving(const set *waiting, set attacker, set *moving) { /* held with the blocker to move */
    for (int a = 0; a < count; a++) {
        int good = 0, stuck = 1;
        if (placed[a] & attacker) continue;
        for (int s = 0; s < steps_of[a] && !good; s++)
            if (!(attacker & target[a][s])) stuck = 0, good = reply[a][s] >= 0 && has(waiting, reply[a][s]);
        if (stuck) good = blocked == 1 || (blocked == 0 && has(waiting, bit_of[a]));
        if (good) moving[bit_of[a] / 64] |= (set)1 << bit_of[a] % 64;
    }
}
static const profile *after_leaving(const profile *p, int line) { /* the profile once a piece has left this line */
    int i = 0, k = 0;
    for (; i < ahead_count && k < n; i++)
        for (k = 0; k < n && ahead[i].pieces[k] == p->pieces[k] - (k == line) + (k == line + 1);) k++;
    return k == n && p->pieces[line] ? &ahead[i - 1] : NULL;
}
static void check_row(const profile *p, const profile **onward, long row, const set *waiting) {
    int sets[9] = {0}, steps = 0;
    set to[STEPS], attacker;
    const set *after[STEPS];
    sets_of_row(p, row, sets);
    attacker = squares_of(sets);
    for (int k = 0; k < 3 * n * n; k++) {
        int line = k / 3 / n, place = k / 3 % n, way = k % 3, leaves = way == 0 && line == n - 1, from = 1 << place;
        int to_line = line + (way == 0), side = way == 0 ? place : way == 1 ? place - 1 : place + 1;
        if (!(sets[line] & from) || side < 0 || side >= n || sets[to_line] >> side & 1) continue;
        const profile *q = way == 0 ? onward[line] : p;
        sets[line] ^= from, sets[to_line] ^= leaves ? 0 : 1 << side;
        to[steps] = leaves ? 0 : square(to_line, side);
        after[steps++] = q ? q->moving + words * row_of(q, sets) : NULL;
        sets[line] ^= from, sets[to_line] ^= leaves ? 0 : 1 << side;
    }
    for (int a = 0; a < count; a++) {
        int stuck = 1;
        if (!has(waiting, bit_of[a])) continue;
        held++;
        if (placed[a] & attacker) fail("the sides overlap");
        for (int s = 0; s < steps; s++)
            if (!(placed[a] & to[s])) {
                stuck = 0;
                if (!after[s] || !has(after[s], bit_of[a])) fail("a step of the attacker breaks through");
            }
        if (stuck && (blocked == 1 || (blocked == 0 && !has(p->moving + words * row, bit_of[a])))) fail("blocked");
    }
}
int main(void) {
    unsigned char lead[9];
    int sets[9] = {0}, holds[2] = {0, 0};
    read_head();
    for (int a = 0; a < count; a++) find_steps(a);
    const int start = facing ? (1 << (n - 1)) - 1 : (1 << n) - 2, start_row = number[start]; /* the same for both sides */
    while (fread(lead, 1, n, stdin) == (size_t)n) {
        profile p = {.rows = 1};
        const profile *onward[9] = {0};
        int progress = n * (n - 1);
        for (int line = 0; line < n; line++) progress -= (n - line) * (p.pieces[line] = lead[line]);
        for (int line = n - 1; line >= 0; line--) p.stride[line] = p.rows, p.rows *= p.sets[line] = sizes[p.pieces[line]];
        if (progress != layer) { /* the layer before last is not needed any more */
            while (ahead_count) free(ahead[--ahead_count].moving);
            if (progress == layer - 1) memcpy(ahead, here, sizeof here), ahead_count = here_count;
            here_count = 0, layer = progress;
        }
        set *waiting = malloc(8L * words * p.rows);
        p.moving = calloc(words * p.rows, 8);
        if (!waiting || !p.moving || fread(waiting, 8 * words, p.rows, stdin) != (size_t)p.rows) fail("rows");
        for (long row = 0; row < p.rows; row++)
            sets_of_row(&p, row, sets), find_moving(waiting + words * row, squares_of(sets), p.moving + words * row);
        for (int line = 0; line < n; line++) onward[line] = after_leaving(&p, line);
        for (long row = 0; row < p.rows; row++) check_row(&p, onward, row, waiting + words * row);
        for (int a = 0, at = words * start_row; a < count && progress == 0; a++)
            if (placed[a] == (set)start) holds[0] = has(waiting + at, bit_of[a]), holds[1] = has(p.moving + at, bit_of[a]);
        here[here_count++] = p;
        free(waiting);
    }
    printf("%lld positions are held; the start is %sheld by the second player, %sheld by the first\n", held,
           holds[0] ? "" : "not ", holds[1] ? "" : "not ");
    return !(holds[0] && holds[1]);
}
