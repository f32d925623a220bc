/* The yardstick: rounds of Fives and Threes by random legal play, as a hand-written C loop.
 *
 * Deals, plays uniformly random legal tile-and-end pairs until somebody (or the second partner of a side)
 * is out or nobody can play, and scores each placement. It does what the compiled kernel does for strategy
 * `random` without a target, with no strategies, no records and no counters: tiles are picked by PDEP, each
 * random word serves two draws or two moves, and ends are laid by table.
 *
 * usage: fives_and_threes PLAYERS ROUNDS  →  prints rounds a second of processor time, the share of blocked rounds, the mean
 * points of the starter's side and of the next one, and the mean number of tiles placed
 */
#include <immintrin.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "xoshiro.h"

#define SET 0xFFFFFFFu
#define NUMBERS 7 /* an end is a number, or NUMBERS more for the double of it */

static uint64_t spare;
static int spared;

static uint32_t fits[2 * NUMBERS];
static uint8_t beyond[28][2 * NUMBERS], first_left[28], first_right[28];
static const uint8_t points[25] = {0, 0, 0, 1, 0, 1, 2, 0, 0, 3, 2, 0, 4, 0, 0, 8, 0, 0, 6, 0, 4, 7, 0, 0, 8};

/* A number below n from half a word. */
static inline uint32_t below(uint32_t n) {
    spared = !spared;
    spare = spared ? next() : spare << 32;
    return (uint32_t)(((spare >> 32) * n) >> 32);
}

static inline int count_of(int end) { return end < NUMBERS ? end : 2 * (end - NUMBERS); }

static void prepare(void) {
    for (int high = 0, tile = 0; high < NUMBERS; high++)
        for (int low = 0; low <= high; low++, tile++) {
            first_left[tile] = low == high ? low + NUMBERS : low;
            first_right[tile] = low == high ? low + NUMBERS : high;
            for (int end = 0; end < 2 * NUMBERS; end++) {
                int number = end % NUMBERS;
                if (number != low && number != high) continue;
                fits[end] |= 1u << tile;
                beyond[tile][end] = low == high ? number + NUMBERS : low + high - number;
            }
        }
}

int main(int argc, char **argv) {
    int players = argc > 1 ? atoi(argv[1]) : 2, size = players == 2 ? 7 : 5, sides = players == 4 ? 2 : players;
    long rounds = argc > 2 ? atol(argv[2]) : 1000000, sums[3] = {0, 0, 0}, blocked = 0, tiles = 0;
    struct timespec begin, end;
    prepare();
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    for (long round = 0; round < rounds; round++) {
        uint32_t hands[4] = {0, 0, 0, 0}, left_over = SET;
        for (int player = 0, n = 28; player < players; player++) {
            uint32_t before = left_over;
            for (int k = 0; k < size; k++) left_over ^= _pdep_u32(1u << below(n--), left_over);
            hands[player] = before ^ left_over;
        }
        uint32_t held = SET ^ left_over, tile = _pdep_u32(1u << below(size), hands[0]);
        int player = 0, index = __builtin_ctz(tile), left = first_left[index], right = first_right[index];
        int total = left % NUMBERS + right % NUMBERS;
        long scores[3] = {0, 0, 0};
        for (;;) {
            int side = players == 4 ? player & 1 : player;
            hands[player] ^= tile;
            held ^= tile;
            tiles++;
            scores[side] += points[total];
            if (!hands[player] && !(players == 4 && hands[player ^ 2])) {
                scores[side]++;
                break;
            }
            uint32_t open = fits[left] | fits[right];
            if (!(held & open)) {
                blocked++;
                break;
            }
            do player = player + 1 == players ? 0 : player + 1; while (!(hands[player] & open));
            uint64_t legal = (hands[player] & fits[left]) | (uint64_t)(hands[player] & fits[right]) << 28;
            uint64_t move = _pdep_u64(1ull << below(__builtin_popcountll(legal)), legal);
            int place = __builtin_ctzll(move), to_right = place >= 28;
            index = to_right ? place - 28 : place;
            int made = beyond[index][to_right ? right : left];
            left = to_right ? left : made;
            right = to_right ? made : right;
            total = count_of(left) + count_of(right);
            tile = 1u << index;
        }
        for (int side = 0; side < sides; side++) sums[side] += scores[side];
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    double seconds = (end.tv_sec - begin.tv_sec) + 1e-9 * (end.tv_nsec - begin.tv_nsec);
    printf("%.0f %.4f %.4f %.4f %.4f\n", rounds / seconds, (double)blocked / rounds, (double)sums[0] / rounds,
           (double)sums[1] / rounds, (double)tiles / rounds);
    return 0;
}
