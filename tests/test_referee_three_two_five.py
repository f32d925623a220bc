"""The referee of 3-2-5 records: it accepts what the rulebook allows and names what it does not."""

import copy
import json
from itertools import product
from random import Random

import pytest
from reference.referee_three_two_five import RefereeError, as_record, referee
from reference.three_two_five import Match, play_out
from reference.three_two_five_rules import PACK, SCORINGS, SEVENS, Rules


def tricks(text):
    """Read one trick a line, ``leader: cards > winner``."""
    read = []
    for line in text.strip().splitlines():
        leader, cards, winner = line.replace(">", ":").split(":")
        read.append({"leader": int(leader), "cards": cards.split(), "winner": int(winner)})
    return read


DECK = "AS KS QS JS TS QH JH TH 9H 8H TD 9D 8D AC KC 9S 8S 7S 7H AD KD QC JC TC AH KH QD JD 9C 8C".split()
BY_FIVE = "AS KS QS JS TS 9S 8S 7S AH KH".split()
BY_THREE = "QH JH TH 9H 8H 7H AD KD QD JD".split()
BY_TWO = "TD 9D 8D AC KC QC JC TC 9C 8C".split()

# Two deals of a match worked out by hand. In the first the five takes everything, so that in the second the
# same player, now the two, pulls three cards from the new five and two from the new three.
FIRST = {
    "game": "three_two_five",
    "rules": {"sevens": "low", "scoring": "difference"},
    "seed": 7,
    "match": 12,
    "deal": 0,
    "dealer": 2,
    "quota": [5, 3, 2],
    "deck": DECK,
    "hands": [BY_FIVE, BY_THREE, BY_TWO],
    "maker": {"choice": "call", "revealed": [], "trump": "S"},
    "pulls": [],
    "tricks": tricks("""
        0: AS QD TD > 0
        0: KS JD 9D > 0
        0: QS KD 8D > 0
        0: JS AD 8C > 0
        0: TS 7H 9C > 0
        0: 9S 8H TC > 0
        0: 8S 9H JC > 0
        0: 7S TH QC > 0
        0: AH JH KC > 0
        0: KH QH AC > 0"""),
    "tricks_won": [10, 0, 0],
    "score": [5, -3, -2],
    "match_score": [5, -3, -2],
}
SECOND = {
    **FIRST,
    "deal": 1,
    "dealer": 0,
    "quota": [2, 5, 3],
    "hands": [BY_TWO, BY_FIVE, BY_THREE],
    "maker": {"choice": "reveal", "revealed": ["9S", "8S", "7S"], "trump": "S"},
    "pulls": [
        {"taker": 0, "giver": 1, "drawn": "AS", "returned": "8C"},
        {"taker": 0, "giver": 1, "drawn": "KS", "returned": "9C"},
        {"taker": 0, "giver": 1, "drawn": "QS", "returned": "TC"},
        {"taker": 0, "giver": 2, "drawn": "AD", "returned": "8D"},
        {"taker": 0, "giver": 2, "drawn": "KD", "returned": "9D"},
    ],
    "tricks": tricks("""
        1: AH 7H JC > 1
        1: KH 8H QS > 0
        0: AS 7S 9H > 0
        0: KS 8S TH > 0
        0: AD 9S 8D > 1
        1: JS JH KD > 1
        1: TS QH TD > 1
        1: TC QD AC > 0
        0: KC 9C JD > 0
        0: QC 8C 9D > 0"""),
    "tricks_won": [6, 4, 0],
    "score": [4, -1, -3],
    "match_score": [9, -4, -5],
}


def golden():
    return copy.deepcopy([FIRST, SECOND])


def random_match(rng, rules, number, length=9):
    """Return the records of a match of random legal play."""
    match, records, before = Match(rng.randrange(3), rules, length), [], (0, 0, 0)
    while not match.over:
        deal = play_out(match.next_deal(rng.sample(PACK, 30)), rng.choice)
        records.append(as_record(deal, match=number, number=len(records), seed=5, before=before))
        before = match.scores
    return records


def test_two_deals_worked_by_hand_are_accepted():
    """R1–R27 on a whole record that the naive game did not write."""
    referee(golden())
    referee([])


def test_a_replayed_deal_writes_the_record_worked_by_hand():
    match = Match(first_dealer=2)
    for number, record in enumerate(golden()):
        before = match.scores
        deal = match.next_deal(record["deck"])
        deal.call("S") if number == 0 else deal.reveal()
        for pull in record["pulls"]:
            deal.draw(pull["drawn"])
            deal.return_card(pull["returned"])
        for trick in record["tricks"]:
            for card in trick["cards"]:
                deal.play(card)
        written = as_record(deal, match=12, number=number, seed=7, before=before)
        assert written == {**record, "rules": {**record["rules"], "pulls": True}}


def test_more_keys_are_welcome():
    records = golden()
    for record in records:
        record["rules"] |= {"pulls": True, "deals_per_match": 9, "first_dealer": "drawn"}
        record["strategies"] = ["random"] * 3
        record["maker"]["value"] = 0.25
        record["tricks"][0]["led"] = "S"
    referee(records)


@pytest.mark.parametrize("options", list(product(SEVENS, SCORINGS, (True, False))), ids=str)
def test_random_matches_of_every_rule_set_are_accepted(options):
    rng = Random(str(options))
    records = random_match(rng, Rules(*options), 0) + random_match(rng, Rules(*options), 3, length=3)
    referee(json.loads(json.dumps(records)))


def swap(items, i, j):
    items[i], items[j] = items[j], items[i]


MUTATIONS = {
    "a card twice": ("R2", lambda a, b: a["deck"].__setitem__(0, "KS")),
    "a card not of the pack": ("R2", lambda a, b: a["deck"].__setitem__(0, "7D")),
    "a card short": ("R2", lambda a, b: a["deck"].pop()),
    "hands not dealt by packets": ("R8", lambda a, b: swap(a["hands"], 0, 1)),
    "a hand out of dealt order": ("R8", lambda a, b: swap(a["hands"][0], 0, 1)),
    "quotas of a stale dealer": ("R5", lambda a, b: b.update(quota=[5, 3, 2])),
    "the dealer stays": ("R6", lambda a, b: b.update(dealer=2)),
    "no such dealer": ("R1", lambda a, b: a.update(dealer=3)),
    "no-trump": ("R9", lambda a, b: a["maker"].update(trump="N")),
    "neither call nor reveal": ("R9", lambda a, b: a["maker"].update(choice="pass")),
    "turned cards at a call": ("R10", lambda a, b: a["maker"].update(revealed=["9S", "8S", "7S"])),
    "other cards turned": ("R10", lambda a, b: b["maker"].update(revealed=["AS", "KS", "QS"])),
    "trump not of the highest": ("R10", lambda a, b: b["maker"].update(trump="C")),
    "a pull left out": ("R20", lambda a, b: b["pulls"].pop()),
    "a pull too many": ("R23", lambda a, b: b["pulls"].append(b["pulls"][0])),
    "a pull in the first deal": ("R23", lambda a, b: a.update(pulls=b["pulls"])),
    "givers in the wrong order": ("R17", lambda a, b: b["pulls"].reverse()),
    "the wrong giver named": ("R16", lambda a, b: b["pulls"][0].update(giver=2)),
    "the wrong taker named": ("R16", lambda a, b: b["pulls"][0].update(taker=2)),
    "a card drawn that is not there": ("R17", lambda a, b: b["pulls"][0].update(drawn="AC")),
    "the drawn card returned": ("R18", lambda a, b: b["pulls"][2].update(returned="QS")),
    "a short suit returned": ("R18", lambda a, b: b["pulls"][1].update(returned="AS")),
    "a revoke": ("R23", lambda a, b: swap(a["tricks"][8]["cards"], 1, 2)),
    "a card played twice": ("R23", lambda a, b: a["tricks"][1]["cards"].__setitem__(0, "AS")),
    "the wrong winner": ("R22–R24", lambda a, b: b["tricks"][1].update(winner=1)),
    "the wrong leader": ("R22–R24", lambda a, b: b["tricks"][9].update(leader=1)),
    "a trick left out": ("R2", lambda a, b: b["tricks"].pop()),
    "a fourth card in a trick": (
        "R22–R24",
        lambda a, b: b["tricks"][0]["cards"].append(b["tricks"][1]["cards"].pop(0)),
    ),
    "tricks miscounted": ("R25", lambda a, b: b.update(tricks_won=[5, 5, 0])),
    "scored by another rule": ("R26", lambda a, b: b.update(score=[4, 0, 0])),
    "a score that is no whole number": ("R26", lambda a, b: b.update(score=[4.0, -1, -3])),
    "the match score forgets": ("R27", lambda a, b: b.update(match_score=[4, -1, -3])),
    "no such scoring": ("scoring='points'", lambda a, b: a["rules"].update(scoring="points")),
    "rules change in the match": (
        "rules or seed changed",
        lambda a, b: b.update(rules={"scoring": "tricks"}),
    ),
    "a deal skipped": ("the deal before it is missing", lambda a, b: b.update(deal=2)),
    "another match": ("the deal before it is missing", lambda a, b: b.update(match=13)),
    "a match goes back": ("match 11 comes after match 12", lambda a, b: b.update(match=11, deal=0)),
    "a length refused": ("R7", lambda a, b: a["rules"].update(deals_per_match=4)),
    "another game": ("game 'whist'", lambda a, b: a.update(game="whist")),
    "a key missing": ("no key 'pulls'", lambda a, b: a.pop("pulls")),
    "not the format": ("not of the record's format", lambda a, b: a.update(tricks=None)),
}


@pytest.mark.parametrize(("reason", "mutate"), MUTATIONS.values(), ids=MUTATIONS)
def test_a_wrong_record_is_rejected(reason, mutate):
    first, second = golden()
    mutate(first, second)
    with pytest.raises(RefereeError, match=rf"match 1\d, deal \d: .*{reason}(?!\d)"):
        referee([first, second])


def test_r7_a_match_that_stops_early_is_rejected_when_its_length_is_known():
    records = [*golden(), {**FIRST, "match": 13}]
    referee(records)
    for record in records:
        record["rules"] = {**record["rules"], "deals_per_match": 3}
    with pytest.raises(RefereeError, match="R7: match 12 ended after 2 deals"):
        referee(records)
    with pytest.raises(RefereeError, match="the deal before it is missing"):
        referee(records[1:])
    with pytest.raises(RefereeError, match="not a record"):
        referee(["AS"])


def test_r7_a_match_that_runs_on_is_rejected_when_its_length_is_known():
    records = random_match(Random(7), Rules(), 0, length=6)
    referee(records)
    for record in records:
        record["rules"]["deals_per_match"] = 3
    with pytest.raises(RefereeError, match="deal 3: R7: no deal 3 in a match of 3"):
        referee(records)


def test_r11_only_a_tied_suit_may_be_chosen():
    """Three turned cards with two at the top: both suits stand, a third does not."""
    rng = Random(11)
    while True:
        records = random_match(rng, Rules(), 0, length=3)[:1]
        maker = records[0]["maker"]
        if maker["choice"] == "reveal" and len({card[0] for card in maker["revealed"]} & {"A"}) == 1:
            tied = {card[1] for card in maker["revealed"] if card[0] == "A"}
            if len(tied) == 2:
                break
    referee(records)
    maker["trump"] = next(suit for suit in "SHDC" if suit not in tied)
    with pytest.raises(RefereeError, match=r"R11: player \d cannot choose"):
        referee(records)


def leaves(value, path=()):
    if isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(item, (*path, key))
    else:
        yield path, value


def changed(value):
    if isinstance(value, int):
        return value + 1
    if value in PACK:
        return PACK[(PACK.index(value) + 7) % 30]
    return {"reveal": "call", "call": "reveal"}.get(value) or "SHDC"["SHDC".index(value) - 1]


def test_every_single_fact_of_a_record_counts():
    """Change any one card, player, count or choice of the second deal: no such record can be right."""
    facts = {key: SECOND[key] for key in SECOND if key not in ("game", "rules", "seed", "match")}
    paths = list(leaves(facts))
    assert len(paths) == 149
    for path, value in paths:
        first, second = golden()
        *parents, last = path
        place = second
        for key in parents:
            place = place[key]
        place[last] = changed(value)
        with pytest.raises(RefereeError):
            referee([first, second])
