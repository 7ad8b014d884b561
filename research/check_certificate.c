/* Checks a certificate of a blockade in Dodg'em; it shares no code with the search that made it.
 *
 *     cc -O2 -o check research/check_certificate.c && zstd -dc FILE | ./check
 *
 * src/smallchange/tablebase/certificate.py describes the file. A blocker holds a position with the attacker to move if
 * the sides do not overlap, the attacker is not home, and each step of the attacker leads to a position from which some
 * step of the blocker leads to one that it holds too. So the attacker never gets home. This finds the greatest set of
 * such positions by the rules alone, profile by profile, and the file must have it bit by bit: there is one file for
 * a board, a rule and a choice of placements, which are the nine of the wall, or all with at most so many steps forward.
 * Squares are bits, column by column as the blocker sees the board. */
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
static int ahead_count, here_count;
static long long held;
static int in_order[9][300], number[300], sizes[9]; /* sets of places by size, ascending; the number of a set */
static int holds[2];                                /* the start: with the attacker to move, and with the blocker */

static void fail(const char *why) { printf("WRONG: %s\n", why); exit(1); }
static int has(const set *row, int bit) { return row[bit / 64] >> bit % 64 & 1; }
static void put(set *row, int bit) { row[bit / 64] |= (set)1 << bit % 64; }
static set square(int line, int place) { /* of the attacker */
    return (set)1 << (facing ? n * n - 1 - (line * n + place) : place * n + line);
}
static int progress_of(set placement) { /* steps forward, all pieces on the board */
    int steps = 0;
    for (int q = 0; q < n * n; q++) steps += (placement >> q & 1) * (q / n);
    return steps;
}
static long long placements_to(int steps) { /* how many have n - 1 pieces and at most so many steps forward */
    long long ways[9][64] = {{1}}, all = 0;
    for (int line = 0; line < n; line++)
        for (int left = n - 1; left >= 1; left--)
            for (int k = 1; k <= left; k++)
                for (int p = 63; p >= k * line; p--) ways[left][p] += ways[left - k][p - k * line] * sizes[k];
    for (int p = 0; p <= steps; p++) all += ways[n - 1][p];
    return all;
}
static int is_wall(void) { /* nine placements, ascending */
    set start = ((set)1 << (n - 1)) - 1, covers = (set)12 << n, fixed = covers, nine[9];
    for (int place = 4; place < n - 2; place++) fixed |= (set)1 << place;
    nine[0] = start, nine[1] = (start ^ 8) | (set)8 << n, nine[2] = (start ^ 12) | covers;
    for (int k = 0; k < 6; k++)
        nine[3 + k] = fixed | (k / 2 ? 2 : 1) | (set)1 << (k / 2 == 2 ? n - 1 : n - 2) | (k % 2 ? 8 : 4);
    for (int k = 0, found; k < 9; k++) {
        for (int a = found = 0; a < count; a++) found |= placed[a] == nine[k];
        if (!found) return 0;
    }
    return facing && n >= 6 && count == 9;
}
static void read_line(char *line, int size) {
    if (!fgets(line, size, stdin)) fail("head");
}
static void read_head(void) { /* each line is written again, and must be the same */
    char line[99], again[99], start[16], rule[16];
    int most = 0, bit = 0, group = 0;
    read_line(line, 99);
    if (strcmp(line, "certificate of a blockade 1\n")) fail("head");
    read_line(line, 99);
    if (sscanf(line, "%9d %15s %15s %9d %9d", &n, start, rule, &words, &count) != 5) fail("head");
    snprintf(again, 99, "%d %s %s %d %d\n", n, start, rule, words, count);
    facing = !strcmp(start, "facing");
    blocked = !strcmp(rule, "wins") ? 1 : !strcmp(rule, "loses") ? -1 : 0;
    if (strcmp(line, again) || (!facing && strcmp(start, "crosswise")) || (!blocked && strcmp(rule, "pass"))) fail("head");
    if (n < 2 || n > 8 || words < 1 || words > MOST || count < 1 || count > MOST) fail("size");
    for (int places = 0; places < 1 << n; places++) {
        int size = __builtin_popcount(places);
        number[places] = sizes[size];
        in_order[size][sizes[size]++] = places;
    }
    for (int a = 0; a < count; a++) {
        read_line(line, 99);
        if (sscanf(line, "%9d %16lx", &bit_of[a], &placed[a]) != 2) fail("placement");
        snprintf(again, 99, "%d %lx\n", bit_of[a], placed[a]);
        if (strcmp(line, again) || (n < 8 && placed[a] >> n * n)) fail("placement");
        if (__builtin_popcountll(placed[a]) != n - 1) fail("placement");
        int steps = progress_of(placed[a]);
        if (a && (count <= 64 || steps == group) && placed[a] <= placed[a - 1]) fail("order of placements");
        for (; count > 64 && group < steps; group++) bit = bit / 64 * 64 + 64; /* the words of a group are its own */
        if (count > 64 && steps < group) fail("order of placements");
        if (a && count > 64 && progress_of(placed[a - 1]) == steps) bit = bit_of[a - 1] + 1;
        if (bit_of[a] != (count <= 64 ? a : bit)) fail("bit of a placement");
        if (steps > most) most = steps;
    }
    if (words != bit_of[count - 1] / 64 + 1) fail("words");
    if (placements_to(most) != count && !is_wall()) fail("placements");
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
static int find_moving(const set *waiting, set attacker, set *moving) { /* held with the blocker to move; if it changed */
    int changed = 0;
    for (int a = 0; a < count; a++) {
        int good = 0, stuck = 1;
        if (placed[a] & attacker) continue;
        for (int s = 0; s < steps_of[a] && !good; s++)
            if (!(attacker & target[a][s])) stuck = 0, good = reply[a][s] >= 0 && has(waiting, reply[a][s]);
        if (stuck) good = blocked == 1 || (blocked == 0 && has(waiting, bit_of[a]));
        if (good != has(moving, bit_of[a])) moving[bit_of[a] / 64] ^= (set)1 << bit_of[a] % 64, changed = 1;
    }
    return changed;
}
static const profile *after_leaving(const profile *p, int line) { /* the profile once a piece has left this line */
    int i = 0, k = 0;
    for (; i < ahead_count && k < n; i++)
        for (k = 0; k < n && ahead[i].pieces[k] == p->pieces[k] - (k == line) + (k == line + 1);) k++;
    return k == n && p->pieces[line] ? &ahead[i - 1] : NULL;
}
static int attacker_steps(const profile *p, const profile **onward, long row, set *to, const set **after, long *beside) {
    int sets[9] = {0}, steps = 0;
    sets_of_row(p, row, sets);
    for (int k = 0; k < 3 * n * n; k++) {
        int line = k / 3 / n, place = k / 3 % n, way = k % 3, leaves = way == 0 && line == n - 1, from = 1 << place;
        int to_line = line + (way == 0), side = way == 0 ? place : way == 1 ? place - 1 : place + 1;
        if (!(sets[line] & from) || side < 0 || side >= n || sets[to_line] >> side & 1) continue;
        const profile *q = way == 0 ? onward[line] : p;
        sets[line] ^= from, sets[to_line] ^= leaves ? 0 : 1 << side;
        to[steps] = leaves ? 0 : square(to_line, side);
        beside[steps] = way ? row_of(q, sets) : -1;
        after[steps++] = q ? q->moving + words * row_of(q, sets) : NULL; /* NULL: the attacker is home */
        sets[line] ^= from, sets[to_line] ^= leaves ? 0 : 1 << side;
    }
    return steps;
}
static int shrink(const set *moving, set *waiting, int steps, const set *to, const set **after) { /* if it changed */
    int changed = 0;
    for (int a = 0; a < count; a++) {
        int stuck = 1, good = 1;
        if (!has(waiting, bit_of[a])) continue;
        for (int s = 0; s < steps && good; s++)
            if (!(placed[a] & to[s])) stuck = 0, good = after[s] && has(after[s], bit_of[a]);
        if (stuck) good = blocked == -1 || (blocked == 0 && has(moving, bit_of[a]));
        if (!good) waiting[bit_of[a] / 64] ^= (set)1 << bit_of[a] % 64, changed = 1;
    }
    return changed;
}
static void *room(size_t number_of, size_t size) {
    void *got = calloc(number_of, size);
    if (!got) fail("out of memory");
    return got;
}
static void find_held(const profile *p, const profile **onward, set *waiting) { /* the greatest set, from all down */
    char *reply_again = room(p->rows, 1), *step_again = room(p->rows, 1);
    int sets[9] = {0};
    set to[STEPS];
    const set *after[STEPS];
    long beside[STEPS];
    for (long row = 0; row < p->rows; row++) {
        sets_of_row(p, row, sets);
        set attacker = squares_of(sets);
        for (int a = 0; a < count; a++)
            if (!(placed[a] & attacker)) put(waiting + words * row, bit_of[a]);
        reply_again[row] = step_again[row] = 1;
    }
    for (int more = 1; more;) {
        more = 0;
        for (long row = 0; row < p->rows; row++) {
            if (!reply_again[row]) continue;
            sets_of_row(p, row, sets), reply_again[row] = 0;
            if (!find_moving(waiting + words * row, squares_of(sets), p->moving + words * row)) continue;
            step_again[row] = 1;
            for (int s = attacker_steps(p, onward, row, to, after, beside); s--;)
                if (beside[s] >= 0) step_again[beside[s]] = 1; /* a step to the side leads back, too */
        }
        for (long row = 0; row < p->rows; row++) {
            if (!step_again[row]) continue;
            int steps = attacker_steps(p, onward, row, to, after, beside);
            step_again[row] = 0;
            if (shrink(p->moving + words * row, waiting + words * row, steps, to, after)) reply_again[row] = more = 1;
        }
    }
    free(reply_again), free(step_again);
}
static void check_profile(const int *pieces, int progress) {
    const int start = facing ? (1 << (n - 1)) - 1 : (1 << n) - 2; /* the same for both sides */
    profile p = {.rows = 1};
    const profile *onward[9] = {0};
    for (int line = n - 1; line >= 0; line--)
        p.pieces[line] = pieces[line], p.stride[line] = p.rows, p.rows *= p.sets[line] = sizes[pieces[line]];
    for (int line = 0; line < n; line++)
        if (getchar() != pieces[line]) fail("another profile, or the end of the file");
    for (int line = 0; line < n; line++) onward[line] = after_leaving(&p, line);
    set *waiting = room(words * p.rows, 8), *row = room(words, 8);
    p.moving = room(words * p.rows, 8);
    find_held(&p, onward, waiting);
    for (long i = 0; i < p.rows; i++) {
        if (fread(row, 8, words, stdin) != (size_t)words) fail("the file ends early");
        if (memcmp(row, waiting + words * i, 8 * words)) fail("a position that is not held, or lacks, or a bit too many");
        for (int w = 0; w < words; w++) held += __builtin_popcountll(row[w]);
    }
    for (int a = 0, at = words * number[start]; a < count && progress == 0; a++)
        if (placed[a] == (set)start) holds[0] = has(waiting + at, bit_of[a]), holds[1] = has(p.moving + at, bit_of[a]);
    here[here_count++] = p;
    free(waiting), free(row);
}
static void check_layer(int progress, int line, int left, int so_far, int *pieces) { /* its profiles in order */
    if (line == n) {
        if (so_far + n * left == progress) check_profile(pieces, progress);
        return;
    }
    for (int k = left; k >= 0; k--) pieces[line] = k, check_layer(progress, line + 1, left - k, so_far + line * k, pieces);
}
int main(void) {
    int pieces[9] = {0};
    read_head();
    for (int a = 0; a < count; a++) find_steps(a);
    for (int progress = n * (n - 1) - 1; progress >= 0; progress--) { /* the layer before last is not needed any more */
        while (ahead_count) free(ahead[--ahead_count].moving);
        memcpy(ahead, here, sizeof here), ahead_count = here_count, here_count = 0;
        check_layer(progress, 0, n - 1, 0, pieces);
    }
    if (getchar() != EOF) fail("something behind the last profile");
    printf("%lld positions are held; the start is %sheld by the second player, %sheld by the first; %d x %d %s, a blocked "
           "player %s\n", held, holds[0] ? "" : "not ", holds[1] ? "" : "not ", n, n, facing ? "facing" : "crosswise",
           blocked ? blocked > 0 ? "wins" : "loses" : "passes");
    return !(holds[0] && holds[1]);
}
