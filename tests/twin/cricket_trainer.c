/* Trains the network of learn_cricket.py by playing Cricket against itself, many times as fast as numpy would.

   cricket_trainer SECONDS SEED HIDDEN1 HIDDEN2 <ODDS >WEIGHTS

   ODDS: for each aim the chances of the 22 beds as 32-bit floats. A bed is 3 times the index of its number and its
   marks less 1; the last one is any other bed. WEIGHTS: the arrays of struct network in their order, as 32-bit floats;
   they are means over the last thousand steps. The Python file compiles and runs it, and judges what was learned by
   rules and features of its own.

   A state is worth the chance of the thrower to win. What is learned from a dart is the average over the beds of the
   best aim, so that no luck of that dart is in it, and from later darts by how much the worth of the state that was
   reached turned out to be wrong (TD(lambda), cut where the aim was not the best one). */

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { NUMBERS = 7, MARKS = 3, BEDS = 22, STANDINGS = 16, ROUNDS = 20, DENSE = 13, WIDEST = 128 };
enum { AT_ONCE = 512, LONGEST = 2 * 3 * ROUNDS, KEPT = 1 << 16, BATCH = 256 };

static const int NUMBER[NUMBERS] = {20, 19, 18, 17, 16, 15, 25};
static const float EXPLORING[4] = {0, 0.02f, 0.1f, 0.3f};
static const float LAMBDA = 0.9f, FIRST_RATE = 2e-3f, LAST_RATE = 1e-5f, AVERAGED = 0.999f;

static int one, two; /* the widths of the hidden layers */

/* One block of floats; the weights, their gradient and the moments of Adam have the same layout. */
struct network {
    float *standing, *dense, *first, *second, *second_bias, *last, *last_bias;
};

struct state {
    int8_t marks[2][NUMBERS];
    int score[2], counted[2], player, darts, round;
};

struct seen {
    uint8_t row[NUMBERS];
    float dense[DENSE];
};

struct sample {
    struct seen seen;
    float wanted;
};

struct dart {
    struct seen seen;
    float wanted, reached;
    int player, best;
};

struct match {
    struct state state;
    float explores;
    int length;
    struct dart darts[LONGEST];
};

static uint64_t random_state;

static uint64_t draw(void) {
    uint64_t z = random_state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static float uniform(void) { return (float)((draw() >> 40) + 0.5) / (1 << 24); }

static float normal(void) { return sqrtf(-2 * logf(uniform())) * cosf(6.2831853f * uniform()); }

static size_t size_of_network(void) {
    return (size_t)(NUMBERS * STANDINGS + DENSE + 1) * one + (size_t)one * two + 2 * two + 1;
}

static struct network laid_out(float *at) {
    struct network n;
    n.standing = at, at += NUMBERS * STANDINGS * one;
    n.dense = at, at += DENSE * one;
    n.first = at, at += one;
    n.second = at, at += one * two;
    n.second_bias = at, at += two;
    n.last = at, at += two;
    n.last_bias = at;
    return n;
}

static void see(const struct state *s, struct seen *out) {
    int mine = s->player, lead = s->score[mine] - s->score[1 - mine], left = ROUNDS - s->round;
    for (int n = 0; n < NUMBERS; n++) out->row[n] = n * STANDINGS + s->marks[mine][n] * 4 + s->marks[1 - mine][n];
    const float scales[4] = {15, 40, 100, 250};
    for (int k = 0; k < 4; k++) out->dense[k] = tanhf(lead / scales[k]);
    out->dense[4] = lead > 0, out->dense[5] = lead >= 0, out->dense[6] = lead / 100.0f;
    out->dense[7] = expf(-left / 2.0f), out->dense[8] = expf(-left / 6.0f), out->dense[9] = 1 - mine;
    for (int k = 0; k < 3; k++) out->dense[10 + k] = s->darts == k;
}

static float forward(const struct network *n, const struct seen *x, float *h1, float *h2) {
    memcpy(h1, n->first, one * sizeof *h1);
    for (int k = 0; k < NUMBERS; k++) {
        const float *row = n->standing + x->row[k] * one;
        for (int i = 0; i < one; i++) h1[i] += row[i];
    }
    for (int k = 0; k < DENSE; k++) {
        const float *row = n->dense + k * one, by = x->dense[k];
        if (by != 0)
            for (int i = 0; i < one; i++) h1[i] += by * row[i];
    }
    memcpy(h2, n->second_bias, two * sizeof *h2);
    for (int i = 0; i < one; i++) {
        if (h1[i] <= 0) {
            h1[i] = 0;
            continue;
        }
        const float *row = n->second + i * two;
        for (int j = 0; j < two; j++) h2[j] += h1[i] * row[j];
    }
    float sum = *n->last_bias;
    for (int j = 0; j < two; j++) {
        h2[j] = h2[j] > 0 ? h2[j] : 0;
        sum += h2[j] * n->last[j];
    }
    return 1 / (1 + expf(-sum));
}

static void backward(const struct network *n, const struct network *slope, const struct sample *of) {
    float h1[WIDEST], h2[WIDEST], into_two[WIDEST], into_one[WIDEST];
    float off = (forward(n, &of->seen, h1, h2) - of->wanted) / BATCH;
    *slope->last_bias += off;
    for (int j = 0; j < two; j++) {
        slope->last[j] += off * h2[j];
        into_two[j] = h2[j] > 0 ? off * n->last[j] : 0;
        slope->second_bias[j] += into_two[j];
    }
    for (int i = 0; i < one; i++) {
        float sum = 0;
        if (h1[i] > 0) {
            const float *row = n->second + i * two;
            float *to = slope->second + i * two;
            for (int j = 0; j < two; j++) sum += into_two[j] * row[j], to[j] += h1[i] * into_two[j];
        }
        into_one[i] = sum;
        slope->first[i] += sum;
    }
    for (int k = 0; k < NUMBERS; k++) {
        float *to = slope->standing + of->seen.row[k] * one;
        for (int i = 0; i < one; i++) to[i] += into_one[i];
    }
    for (int k = 0; k < DENSE; k++) {
        float *to = slope->dense + k * one, by = of->seen.dense[k];
        for (int i = 0; i < one; i++) to[i] += by * into_one[i];
    }
}

/* Throws a dart. Returns the part of the win of the first player if the match is over, else -1. */
static float throw_at(struct state *s, int bed) {
    int mine = s->player, number = bed / MARKS, hit = bed < BEDS - 1 ? bed % MARKS + 1 : 0;
    if (hit) {
        int closing = 3 - s->marks[mine][number] < hit ? 3 - s->marks[mine][number] : hit;
        int scoring = s->marks[1 - mine][number] < 3 ? hit - closing : 0;
        s->marks[mine][number] += closing;
        s->score[mine] += scoring * NUMBER[number];
        s->counted[mine] += closing + scoring;
    }
    int closed = 0;
    for (int n = 0; n < NUMBERS; n++) closed += s->marks[mine][n] == 3;
    if (closed == NUMBERS && s->score[mine] >= s->score[1 - mine]) return 1 - mine;
    if (++s->darts < 3) return -1;
    s->darts = 0, s->player = 1 - mine;
    if (mine == 0) return -1;
    if (s->round++ < ROUNDS) return -1;
    int lead = (s->score[0] - s->score[1]) * 1000 + s->counted[0] - s->counted[1];
    return lead == 0 ? 0.5f : lead > 0;
}

/* The chance of the thrower after each bed. */
static void worths(const struct network *n, const struct state *s, float *found) {
    float h1[WIDEST], h2[WIDEST];
    struct seen x;
    for (int bed = BEDS - 1; bed >= 0; bed--) {
        int number = bed / MARKS, mine = s->player;
        if (bed < BEDS - 1 && s->marks[mine][number] == 3 && s->marks[1 - mine][number] == 3) {
            found[bed] = found[BEDS - 1];
            continue;
        }
        struct state after = *s;
        float won = throw_at(&after, bed);
        if (won >= 0) {
            found[bed] = mine ? 1 - won : won;
            continue;
        }
        see(&after, &x);
        float chance = forward(n, &x, h1, h2);
        found[bed] = after.player == mine ? chance : 1 - chance;
    }
}

static struct sample *kept;
static size_t kept_count;

/* Keeps what the darts of a match that is over have taught. */
static void keep(const struct match *m) {
    float off = 0; /* by how much more than was expected the next dart's thrower has */
    for (int at = m->length - 1; at >= 0; at--) {
        const struct dart *d = m->darts + at;
        float wanted = d->wanted;
        if (at + 1 < m->length && d->best) wanted += LAMBDA * ((d[1].player == d->player ? off : 1 - off) - d->reached);
        off = wanted;
        kept[kept_count % KEPT].seen = d->seen;
        kept[kept_count++ % KEPT].wanted = wanted < 0 ? 0 : wanted > 1 ? 1 : wanted;
    }
}

static void begin(struct match *m) {
    memset(&m->state, 0, sizeof m->state);
    m->state.round = 1, m->length = 0, m->explores = EXPLORING[draw() % 4];
}

static void play_dart(const struct network *n, const float *odds, int aims, struct match *m) {
    float worth[BEDS], average[1024], top = -1;
    int chosen = 0;
    worths(n, &m->state, worth);
    for (int a = 0; a < aims; a++) {
        float sum = 0;
        for (int b = 0; b < BEDS; b++) sum += odds[a * BEDS + b] * worth[b];
        average[a] = sum;
        if (sum > top) top = sum, chosen = a;
    }
    struct dart *d = m->darts + m->length++;
    see(&m->state, &d->seen);
    d->wanted = top, d->player = m->state.player, d->best = 1;
    if (uniform() < m->explores) {
        float best = -1e9f;
        for (int a = 0; a < aims; a++) {
            float value = average[a] - 0.02f * logf(-logf(uniform()));
            if (value > best) best = value, chosen = a;
        }
        d->best = average[chosen] == top;
    }
    float drawn = uniform(), below = 0;
    int bed = 0;
    while (bed < BEDS - 1 && (below += odds[chosen * BEDS + bed]) < drawn) bed++;
    d->reached = worth[bed];
    if (throw_at(&m->state, bed) >= 0) keep(m), begin(m);
}

int main(int count, char **args) {
    if (count != 5) return 2;
    double seconds = atof(args[1]);
    random_state = strtoull(args[2], NULL, 10), one = atoi(args[3]), two = atoi(args[4]);
    if (one < 1 || two < 1 || one > WIDEST || two > WIDEST) return 2;
    static float odds[1024 * BEDS];
    int aims = (int)(fread(odds, sizeof *odds * BEDS, 1024, stdin));
    size_t size = size_of_network();
    float *weights = calloc(5 * size, sizeof *weights), *slope = weights + size, *mean = slope + size;
    float *square = mean + size, *average = square + size;
    kept = calloc(KEPT, sizeof *kept);
    struct match *matches = calloc(AT_ONCE, sizeof *matches);
    if (!weights || !kept || !matches || !aims) return 1;
    struct network n = laid_out(weights), slopes = laid_out(slope);
    for (int i = 0; i < NUMBERS * STANDINGS * one; i++) n.standing[i] = 0.15f * normal();
    for (int i = 0; i < DENSE * one; i++) n.dense[i] = 0.3f * normal();
    for (int i = 0; i < one * two; i++) n.second[i] = normal() / sqrtf(one);
    for (int m = 0; m < AT_ONCE; m++) begin(matches + m);
    size_t learned = 0, steps = 0, played = 0;
    for (clock_t start = clock();;) {
        double part = (clock() - start) / (double)CLOCKS_PER_SEC / seconds;
        if (part >= 1) break;
        for (int m = 0; m < AT_ONCE; m++) play_dart(&n, odds, aims, matches + m);
        played += AT_ONCE;
        if (kept_count < KEPT / 4) continue;
        float rate = FIRST_RATE * (float)(0.5 + 0.5 * cos(3.14159265 * part)) + LAST_RATE;
        for (learned = learned ? learned : kept_count; learned < kept_count; learned += BATCH) {
            memset(slope, 0, size * sizeof *slope);
            size_t from = kept_count < KEPT ? kept_count : KEPT;
            for (int k = 0; k < BATCH; k++) backward(&n, &slopes, kept + draw() % from);
            double near_mean = 1 - pow(0.9, ++steps), near_square = 1 - pow(0.999, steps);
            float averaged = steps < 2000 ? 0.99f : AVERAGED;
            for (size_t i = 0; i < size; i++) {
                mean[i] += 0.1f * (slope[i] - mean[i]);
                square[i] += 0.001f * (slope[i] * slope[i] - square[i]);
                weights[i] -= rate * (float)(mean[i] / near_mean) / (sqrtf((float)(square[i] / near_square)) + 1e-8f);
                average[i] += (1 - averaged) * (weights[i] - average[i]);
            }
        }
    }
    fprintf(stderr, "%zu darts, %zu steps\n", played, steps);
    return fwrite(average, sizeof *average, size, stdout) == size ? 0 : 1;
}
