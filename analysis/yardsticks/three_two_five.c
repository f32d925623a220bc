/* The yardstick: random legal play of 3-2-5 without pulls, as a hand-written C loop.
 *
 * Deals, fixes a random trump, plays ten tricks of uniformly random legal cards and sums the tricks
 * of each seat. It does what the compiled kernel does for strategy `random`, with no strategies, no
 * records and no counters: cards are picked by PDEP, each random word serves two draws, hands rotate
 * in three variables and the winner is found without a branch.
 *
 * usage: three_two_five DEALS  →  prints deals a second and the mean tricks of five, three, two
 */
#include <immintrin.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "xoshiro.h"

#define PACK 0xFEFEFFFFu /* eight bits a suit; no sevens of diamonds and clubs */

static inline uint32_t high(uint64_t word, uint32_t n) { return (uint32_t)(((word >> 32) * n) >> 32); }
static inline uint32_t low(uint64_t word, uint32_t n) { return (uint32_t)(((word & 0xFFFFFFFF) * n) >> 32); }
static inline uint32_t pick(uint32_t mask, uint32_t n) { return _pdep_u32(1u << n, mask); }
static inline uint32_t lane(uint32_t card) { return 0xFFu << (__builtin_ctz(card) & 24); }

static inline uint32_t draw_ten(uint32_t *left, int n) {
    uint32_t before = *left;
    for (int i = 0; i < 10; i += 2) {
        uint64_t word = next();
        *left ^= pick(*left, high(word, n - i));
        *left ^= pick(*left, low(word, n - i - 1));
    }
    return before ^ *left;
}

/* Trumps above the led suit above the rest. */
static inline uint32_t strength(uint32_t card, uint32_t led, uint32_t trump) {
    return (_pext_u32(card, trump) << 8) | _pext_u32(card, led);
}

static inline uint32_t follow(uint32_t hand, uint32_t led, uint32_t bits) {
    uint32_t legal = hand & led ? hand & led : hand;
    return pick(legal, (uint32_t)(((uint64_t)bits * (uint32_t)__builtin_popcount(legal)) >> 32));
}

int main(int argc, char **argv) {
    long deals = argc > 1 ? atol(argv[1]) : 1000000;
    long sums[3] = {0, 0, 0};
    struct timespec begin, end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    for (long deal = 0; deal < deals; deal++) {
        uint32_t left = PACK;
        uint32_t a = draw_ten(&left, 30), b = draw_ten(&left, 20), c = left;
        uint32_t trump = 0xFFu << (8 * high(next(), 4));
        int leader = 0;
        for (int trick = 0; trick < 10; trick++) {
            uint64_t word = next();
            uint32_t lead = pick(a, high(word, 10 - trick)), led = lane(lead);
            uint32_t second = follow(b, led, (uint32_t)word), third = follow(c, led, (uint32_t)(next() >> 32));
            uint32_t s0 = strength(lead, led, trump), s1 = strength(second, led, trump);
            uint32_t s2 = strength(third, led, trump), m = s0 > s1 ? s0 : s1;
            a ^= lead; b ^= second; c ^= third;
            int winner = s2 > m ? 2 : s1 > s0;
            uint32_t x = winner == 0 ? a : winner == 1 ? b : c;
            uint32_t y = winner == 0 ? b : winner == 1 ? c : a;
            c = winner == 0 ? c : winner == 1 ? a : b;
            a = x; b = y;
            leader += winner;
            leader -= leader >= 3 ? 3 : 0;
            sums[leader]++;
        }
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    double seconds = (end.tv_sec - begin.tv_sec) + 1e-9 * (end.tv_nsec - begin.tv_nsec);
    printf("%.0f %.4f %.4f %.4f\n", deals / seconds, (double)sums[0] / deals, (double)sums[1] / deals,
           (double)sums[2] / deals);
    return 0;
}
