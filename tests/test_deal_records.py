"""Records of 3-2-5 read as deals with all hands open: what is accepted, and what is refused in one line."""

import json
import re
from copy import deepcopy

import pytest
from reference.three_two_five_rules import RANKS, Rules, winning_place
from witness import hands_in_play, mask, seats

from analysis.records import read_records
from analysis.three_two_five.open_hands.records import read_deal

ENDING = {"trump": "S", "leader": 0, "hands": ["AS KS 9H", "QS JS AH", "KH TS 9S"]}
"""Two spade tricks for player 0, and a heart that player 1's ace takes."""


@pytest.mark.parametrize("sevens", ["low", "hearts_high", "spades_high"])
def test_a_deal_is_the_one_of_its_record(records, sevens):
    """R5, R16 to R25, R31: hands after pulls, cards in order of play, tricks taken."""
    for record in records("random", matches=4, sevens=sevens):
        deal = read_deal(record)
        trump, five = record["maker"]["trump"], seats(record)[0]
        hands = hands_in_play(record)
        assert (deal.first, deal.seated, deal.complete) == (five, True, True)
        assert list(deal.start.hands) == [mask(hands[p], trump, sevens) for p in seats(record)]
        played = [card for trick in record["tricks"] for card in trick["cards"]]
        assert [deal.name(card) for card in deal.plays] == played
        assert deal.by_player(deal.end.taken) == record["tricks_won"]
        leaders = [deal.player(position.leader) for position, _ in deal.steps() if position.order == 1]
        assert leaders == [trick["leader"] for trick in record["tricks"]]
        assert (deal.match, deal.number, deal.strategies) == (
            record["match"],
            record["deal"],
            ("random",) * 3,
        )


def test_what_does_not_matter_may_be_left_out(records):
    """The five leads to the first trick (R22): the dealer tells the leader, and the leader the dealer."""
    record = next(record for record in records("random") if record["pulls"])
    whole = read_deal(record)
    after = [sorted(hand) for hand in hands_in_play(record)]
    plain = {
        "trump": record["maker"]["trump"],
        "hands": [" ".join(hand) for hand in after],
        "tricks": [trick["cards"] for trick in record["tricks"]],
    }
    for leads in ({"dealer": record["dealer"]}, {"leader": seats(record)[0]}, {}):
        given = {**plain, **leads}
        if not leads:
            given["tricks"] = [
                {"leader": seats(record)[0], "cards": plain["tricks"][0]},
                *plain["tricks"][1:],
            ]
        deal = read_deal(given)
        assert (deal.start, deal.plays, deal.first) == (whole.start, whole.plays, whole.first)
        assert deal.seated and (deal.match, deal.number, deal.strategies) == (None, None, ())


def test_an_ending_tells_seats_only_by_its_dealer():
    deal = read_deal(ENDING)
    assert (deal.seated, deal.seat_name(0), deal.player(deal.start.leader)) == (False, "", 0)
    seated = read_deal({**ENDING, "dealer": 1})
    assert (seated.seated, seated.first, seated.player(seated.start.leader)) == (True, 2, 0)
    assert [seated.seat_name(seated.seat(player)) for player in range(3)] == ["three", "two", "five"]


@pytest.mark.parametrize(
    ("tricks", "position"),
    [
        ([], (1, 1)),
        ([[]], (1, 1)),
        (["AS"], (1, 2)),
        ([{"cards": ["AS", "QS"]}], (1, 3)),
        (["AS QS TS"], (2, 1)),
        ([{"leader": 0, "cards": "AS QS TS", "winner": 0}, ["9H", "AH"]], (2, 3)),
    ],
)
def test_the_last_trick_may_be_incomplete(tricks, position):
    deal = read_deal({**ENDING, "tricks": tricks})
    last, card = deal.last()
    assert (last.trick, last.order, card, deal.complete) == (*position, 0, False)
    assert deal.at(*position) == (last, 0)


def test_cards_and_trump_are_written_in_any_common_spelling():
    spelled = {**ENDING, "trump": "♠", "hands": ["A♠ ks 9h", ["qs", "Js", "A♥"], "kh,10S,9s"]}
    assert read_deal(spelled) == read_deal(ENDING)
    assert read_deal({**ENDING, "trump": "s", "maker": {"trump": "S"}}) == read_deal(ENDING)


def test_a_tied_reveal_fixes_any_of_its_suits():
    """R11: and a seven turned up keeps its plain rank (R31)."""
    for turned, trumps in (("AH AS QS", "SH"), ("7S 8D 9C", "C")):
        for trump in "SHDC":
            record = {**ENDING, "trump": trump, "maker": {"choice": "reveal", "revealed": turned.split()}}
            if trump in trumps:
                assert not read_deal(record).plays
            else:
                with pytest.raises(ValueError, match=rf"trump {trump}: after .* it is .*R10, R11"):
                    read_deal(record)


WRONG = [
    ({"game": "fives_and_threes"}, "game 'fives_and_threes': valid is three_two_five"),
    ({"rules": {"sevens": "up"}}, "rule sevens='up'"),
    ({"rules": "low"}, 'rules: an object of names and values is needed, not "low"'),
    ({"trump": None}, "trump null: valid are S, H, D, C"),
    ({"trump": "SS"}, 'trump "SS"'),
    ({"maker": {"trump": "H"}}, "trump 'S', and 'H' of the maker"),
    ({"maker": {"choice": "pass"}}, 'choice "pass": valid are call, reveal'),
    ({"maker": {"choice": "call", "revealed": ["AS"]}}, "revealed AS: three cards after a reveal, none"),
    ({"hands": ["AS", "KS"]}, "2 hands: three are needed"),
    ({"hands": 3}, "hands: a list is needed, not 3"),
    ({"hands": ["AS", 3, "KS"]}, "hand of player 1: a list of cards is needed"),
    ({"hands": ["AS", ["KS", 3], "QS"]}, r'not \["KS", 3\]'),
    ({"hands": ["AS KS 9H", "QS JS 7D", "KH TS 9S"]}, "hand of player 1: no such card: '7D'"),
    ({"hands": ["AS KS AS", "QS JS AH", "KH TS 9S"]}, "hand of player 0: card given twice: 'AS'"),
    ({"hands": ["AS KS 9H", "QS AS AH", "KH TS 9S"]}, "card AS in the hands of players 0 and 1"),
    ({"hands": ["AS KS 9H", "QS JS", "KH TS 9S"]}, "hands of 3, 2, 3 cards: valid are equal"),
    ({"hands": ["", "", ""]}, "hands of 0, 0, 0 cards"),
    ({"leader": 3}, "leader 3: valid are the players 0, 1 and 2"),
    ({"leader": True}, "leader true"),
    ({"leader": "0"}, 'leader "0"'),
    ({"dealer": 2.0}, "dealer 2.0"),
    ({"dealer": 1, "quota": [5, 3, 2]}, r"quota \[5, 3, 2\]: \[3, 2, 5\] where player 2 is the five \(R5\)"),
    ({"pulls": [{}]}, "pull 1: taker null"),
    ({"pulls": [{"taker": 0, "giver": 1, "drawn": "QS", "returned": "AS"}]}, "players with ten cards"),
    ({"tricks": "AS"}, 'tricks: a list is needed, not "AS"'),
    ({"tricks": [1]}, "trick 1: a list of cards is needed"),
    ({"tricks": [{"cards": ["AS", 5]}]}, r'trick 1: .* not \["AS", 5\]'),
    ({"tricks": ["AS XX"]}, "trick 1, card 2: no such card: 'XX'"),
    ({"tricks": ["AS 9H"]}, "trick 1, card 2: 9H is not in the hand of player 1"),
    ({"tricks": ["AS AH"]}, r"player 1 plays AH but must follow suit: valid are QS JS \(R23\)"),
    ({"tricks": ["AS QS TS", "AS"]}, "trick 2, card 1: AS was played already"),
    ({"tricks": ["AS QS TS", "AH"]}, "trick 2, card 1: AH is not in the hand of player 0"),
    ({"tricks": ["AS", "KS"]}, "trick 1: 1 card: valid are three, and fewer in the last trick"),
    ({"tricks": ["AS QS TS KS"]}, "trick 1: 4 cards"),
    ({"tricks": ["AS QS TS", "KS JS 9S", "9H AH KH", []]}, "trick 4: no cards are left"),
    ({"tricks": [{"leader": 1, "cards": ["AS"]}]}, r"trick 1: leader 1: it is player 0 \(R22\)"),
    ({"tricks": [{"cards": ["AS", "QS", "TS"], "winner": 2}]}, r"trick 1: winner 2: it is player 0 \(R24\)"),
    ({"tricks": [{"cards": [], "winner": 7}]}, "trick 1: winner 7"),
    ({"tricks": ["AS QS TS", "KS JS 9S", "9H AH KH"], "tricks_won": [3, 0, 0]}, r"played \[2, 1, 0\]"),
    ({"strategies": "heuristic"}, "strategies: a list is needed"),
    ({"strategies": ["a", "b"]}, r'strategies \["a", "b"\]: three names are needed'),
    ({"strategies": ["a", "b", "c\n"]}, r"strategy 'c\\n': character '\\n' cannot be printed"),
    ({"match": -1}, "match -1: a whole number from 0 is needed"),
    ({"deal": "0"}, 'deal "0": a whole number from 0 is needed'),
    ({"deal": 9}, r"deal 9: a match has deals 0 to 8 \(R7\)"),
    ({"deck": "AS KS"}, r"deck: 2 cards: the thirty of the pack are needed \(R2\)"),
    ({"deck": 3}, "deck: a list of cards is needed"),
    ({"score": [1, 2]}, r"score \[1, 2\]: three whole numbers are needed"),
    ({"match_score": "0"}, "match_score: a list is needed"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "message"), WRONG, ids=[message for _, message in WRONG])
def test_what_is_against_the_rules_is_named_in_one_line(change, message):
    with pytest.raises(ValueError, match=message) as caught:
        read_deal({**ENDING, **change})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("key, message", [("trump", "no trump"), ("hands", "hands"), ("leader", "no leader")])
def test_what_is_missing_is_named(key, message):
    with pytest.raises(ValueError, match=message):
        read_deal({name: value for name, value in ENDING.items() if name != key})
    with pytest.raises(ValueError, match="a record: an object"):
        read_deal([ENDING])


def test_a_whole_record_is_checked_by_the_rules(records):
    """R17, R18, R22, R25: each forged part is found."""
    record = next(record for record in records("random") if record["pulls"])
    pull, five = record["pulls"][0], seats(record)[0]
    of_giver = next(card for card in record["hands"][pull["giver"]] if card != pull["drawn"])
    forged = {
        rf"leader {five}: player .*, the five, leads": {"dealer": five, "quota": [3, 3, 3]},
        rf"{pull['drawn']} returned: valid are cards other than the drawn one": {"returned": pull["drawn"]},
        f"pull 1: {of_giver} returned by player": {"returned": of_giver},
        f"{pull['returned']} drawn from player": {"drawn": pull["returned"]},
        "one of two players": {"giver": pull["taker"]},
        r"tricks won \[11, 0, 0\]": {"tricks_won": [11, 0, 0]},
    }
    for message, change in forged.items():
        broken = deepcopy(record)
        (broken["pulls"][0] if set(change) & set(pull) else broken).update(change)
        with pytest.raises(ValueError, match=message):
            read_deal(broken)
    broken = {**record, "pulls": record["pulls"][1:]}
    with pytest.raises(ValueError, match=r"is not in the hand|was played already|who does not hold"):
        read_deal(broken)


def broken(record, **changes):
    """Return what reading a record says once some of it is changed."""
    with pytest.raises(ValueError) as caught:
        read_deal({**deepcopy(record), **changes})
    return str(caught.value)


@pytest.mark.parametrize("scoring", ["difference", "surplus", "tricks"])
def test_scores_follow_from_the_tricks(records, scoring):
    """R26 by deal, R27 by match: what the tricks do not give is refused, what they do is not."""
    deals = records("random", scoring=scoring)
    for record in deals:
        read_deal(record)
    first, later = deals[0], deals[4]
    score = [point + one for point, one in zip(first["score"], (1, -1, 0), strict=True)]
    assert broken(first, score=score) == f"score {score}: {first['score']} by scoring={scoring} (R26)"
    assert broken(first, match_score=[*later["match_score"]]).endswith("after the first deal (R27)")
    if scoring != "surplus":
        total = [later["match_score"][0] + 1, *later["match_score"][1:]]
        assert f"it adds up to {sum(total) - 1} by scoring={scoring} (R26)" in broken(
            later, match_score=total
        )


def test_the_deck_deals_the_hands(records):
    """R2, R8, R10."""
    for record in records("random+always-reveal")[:9]:
        deck = record["deck"]
        swapped = [deck[10], *deck[1:10], deck[0], *deck[11:]]
        assert "not so the hands" in broken(record, deck=swapped)
        assert "the deck turns up" in broken(
            record, deck=[*deck[:15], *deck[18:21], *deck[15:18], *deck[21:]]
        )
        assert broken(record, deck=deck[:-1]) == "deck: 29 cards: the thirty of the pack are needed (R2)"
        assert broken(record, deck=[*deck[:-1], deck[0]]) == f"deck: card given twice: {deck[0]!r}"


def test_pulls_come_in_order_and_none_in_the_first_deal(records):
    """R14, R16, R21, R32."""
    deals = [record for record in records("random", matches=9) if record["pulls"]]
    record = next(made for made in deals if len({(p["taker"], p["giver"]) for p in made["pulls"]}) > 1)
    assert broken(record, deal=0).endswith("there are none in the first deal of a match (R21)")
    assert "none by rule pulls=false (R32)" in broken(record, rules={**record["rules"], "pulls": False})
    turned = broken(record, pulls=record["pulls"][::-1], tricks=[], tricks_won=None, score=None)
    assert re.search(r"who draws, from player \d \(R16\)|returned by player|drawn from player", turned)


def test_pulls_in_another_order_are_named():
    """R16: the five draws before the three, each first from the two."""
    hands = [
        "AS KS QS JS TS 9S 8S 7S AH KH",
        "QH JH TH 9H 8H 7H AD KD QD JD",
        "TD 9D 8D AC KC QC JC TC 9C 8C",
    ]
    pulls = [
        {"taker": 1, "giver": 2, "drawn": "9D", "returned": "QH"},
        {"taker": 0, "giver": 2, "drawn": "8D", "returned": "7S"},
    ]
    record = {"trump": "S", "dealer": 2, "hands": hands, "pulls": pulls}
    assert broken(record) == "pull 1: it is player 0 who draws, from player 2 (R16)"
    assert not read_deal({**record, "pulls": pulls[::-1]}).plays
    both = {"taker": 2, "giver": 0, "drawn": "AS", "returned": "8C"}
    assert broken(record, pulls=[*pulls[::-1], both]).endswith("draws and is drawn from (R14)")


def test_revealed_cards_were_dealt_to_the_five(records):
    """R10: another player's low card in place of a low one that was turned up."""
    for record in records("random+always-reveal"):
        turned = record["maker"]["revealed"]
        rank = {card: RANKS.index(card[0]) for card in (*turned, *record["hands"][record["dealer"]])}
        most = max(rank[card] for card in turned)
        low = [place for place, card in enumerate(turned) if rank[card] < most]
        others = [card for card in record["hands"][record["dealer"]] if rank[card] < most]
        if low and others:
            forged = deepcopy(record)
            forged["maker"]["revealed"][low[0]] = others[0]
            with pytest.raises(
                ValueError, match=f"revealed {others[0]}: not dealt to player {seats(record)[0]}"
            ):
                read_deal(forged)


def test_a_wrong_trump_is_found_by_the_tricks(records):
    """R24: with another trump somebody else wins a trick, if any was ruffed or trumps were led."""
    refused = 0
    for record in records("random"):
        for trump in "SHDC".replace(record["maker"]["trump"], ""):
            broken = {**record, "maker": {"choice": "call", "revealed": [], "trump": trump}}
            places = [winning_place(trick["cards"], trump, Rules()) for trick in record["tricks"]]
            due = [
                (trick["leader"] + place) % 3 == trick["winner"]
                for trick, place in zip(record["tricks"], places, strict=True)
            ]
            if all(due):
                assert read_deal(broken).complete
                continue
            with pytest.raises(ValueError, match=rf"trick {due.index(False) + 1}: winner"):
                read_deal(broken)
            refused += 1
    assert refused > 27 * 2


def test_json_is_one_object_a_line_or_a_single_one():
    one, two = {"a": 1}, {"b": [2]}
    assert list(read_records(f"\n{json.dumps(one)}\n\n{json.dumps(two)}\n")) == [(2, one), (4, two)]
    assert list(read_records(f"\n{json.dumps(two, indent=2)}\n")) == [(2, two)]
    assert list(read_records(json.dumps("\u2028", ensure_ascii=False))) == [(1, "\u2028")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no record: a line of JSON is needed"),
        (" \n\n", "no record"),
        ('{"a": }', "line 1, column 7: no JSON: Expecting value"),
        ('{"a": 1}\n\n{"b": }\n', "line 3, column 7: no JSON: Expecting value"),
        ('\n{\n"a": 1\n"b": 2}', "line 4, column 1: no JSON: Expecting ',' delimiter"),
        ("[" * 100_000, "line 1: no JSON"),
        ('{"a": NaN}', "line 1: no JSON: NaN is no number"),
        ('{"a": 1, "a": 1}', "line 1: key 'a' is given twice"),
        ('{"b": 1}\n{"a": {"c": 1, "c": 2}}', "line 2: key 'c' is given twice"),
        ('{"trump": "S",\n"trump": "H"}', "line 1: key 'trump' is given twice"),
        ('{"a": %s}' % ("1" * 5000), "line 1: no JSON"),
    ],
)
def test_broken_json_is_named_with_its_line(text, message):
    with pytest.raises(ValueError, match=message):
        list(read_records(text))
