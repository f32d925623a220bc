"""The chance to win at 3-2-5 by going through every course of the deals left, in plain Python."""

QUOTAS = (5, 3, 2)


def outcomes():
    """Tricks of five, three and two, in the table's order."""
    return [(five, three, 10 - five - three) for five in range(11) for three in range(11 - five)]


def scored(tricks, scoring):
    """Score of each seat (R26)."""
    surplus = [taken - quota for taken, quota in zip(tricks, QUOTAS, strict=True)]
    return {"difference": surplus, "surplus": [max(0, one) for one in surplus], "tricks": tricks}[scoring]


def chances(shares, row, scores, deals, scoring="difference", pulls=True):
    """Chance of those who sit five, three and two to win alone, then to share the top.

    ``shares`` are lists of chances by row and outcome; the row of a deal is the outcome before it.
    """
    if deals == 0:
        top = [score == max(scores) for score in scores]
        alone = sum(top) == 1
        return [float(one and alone) for one in top] + [float(one and not alone) for one in top]
    total = [0.0] * 6
    for number, (tricks, share) in enumerate(zip(outcomes(), shares[row], strict=True)):
        if share:
            five, three, two = (a + b for a, b in zip(scores, scored(tricks, scoring), strict=True))
            # Who was three sits five, who was two sits three, who was five sits two (R6).
            later = chances(shares, number if pulls else 0, (three, two, five), deals - 1, scoring, pulls)
            for part in (0, 3):
                new_five, new_three, new_two = later[part : part + 3]
                for seat, chance in enumerate((new_two, new_five, new_three)):
                    total[part + seat] += share * chance
    return total
