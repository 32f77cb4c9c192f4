"""What can be done in a step: every verb on every target it fits, and the features of each.

An act names no value yet: what is typed, chosen or answered is a choice of its own that follows (`values.py`).
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

from guideact.models.builtin.bags import Bag, BagBuilder
from guideact.models.builtin.recall import named, slotted
from guideact.models.builtin.view import EDITABLE, View
from guideact.models.builtin.words import hashes, padded
from guideact.types import Candidate, Direction, Verb

MOST_WORDS = 8
"""Words of a candidate's name that become features, the first of them."""


@dataclass(frozen=True)
class Act:
    """A verb and what it is done to."""

    verb: Verb
    target: Candidate | None = None
    direction: Direction | None = None
    """Of a scroll."""


def acts_of(view: View) -> list[Act]:
    """All that can be done on this page, in a fixed order. Never empty: finishing is always possible."""
    seen = view.observation
    acts: list[Act] = []
    for candidate in seen.candidates:
        if "disabled" in candidate.states:
            continue
        if candidate.options:
            acts.append(Act("select", candidate))
        else:
            acts.append(Act("click", candidate))
        if candidate.role in EDITABLE and not candidate.options and "readonly" not in candidate.states:
            acts.append(Act("type", candidate))
        if "scrollable" in candidate.states:
            acts += [Act("scroll", candidate, "down"), Act("scroll", candidate, "up")]
    if seen.scroll.max_y - seen.scroll.y > 1:
        acts.append(Act("scroll", None, "down"))
    if seen.scroll.y > 1:
        acts.append(Act("scroll", None, "up"))
    return [*acts, Act("press_enter"), Act("go_back"), Act("finish")]


def act_bag(view: View, acts: list[Act], context: list[str] | None = None) -> Bag:
    """The features of each act. `context` replaces that of the view (training leaves some of it out)."""
    if context is not None:
        bag = _untold_bag(view, acts, context)
    elif (known := view.bags.get("act")) is not None:
        bag = known
    else:
        bag = view.bags["act"] = _untold_bag(view, acts, view.context)
    return _told_bag(view, acts, bag) if view.guide else bag


def _untold_bag(view: View, acts: list[Act], context: list[str]) -> Bag:
    """Without what a guide says, in whose place each act has the same empty row."""
    builder = BagBuilder()
    around = hashes(context)
    everywhere = hashes([*context, *view.lines])
    shared, nothing = builder.row(context), builder.row([])
    members = []
    for act in acts:
        if act.target is None:
            own, keys = _plain(view, act)
            own += _recalled(view, act, "", "", "")
            pairs = everywhere
        else:
            own, keys = _on_candidate(view, act, act.target)
            if view.recalled:
                rank = view.ranks[act.target.mark]
                name = slotted(view.goal, named(act.target))
                own += _recalled(view, act, act.target.role, name, f"{min(rank[0], 3)} {rank[1]}")
            pairs = around
        members.append((shared, builder.row(own, keys, pairs), nothing))
    return builder.bag(members)


def _told_bag(view: View, acts: list[Act], bag: Bag) -> Bag:
    """The bag with what the guide says of each act."""
    builder = BagBuilder()
    said = hashes(view.guide_words)
    rows = []
    for act in acts:
        told = _told(view, act)
        rows.append(builder.row(told, told[:1], said))
    return bag.with_last(builder.bag([[row] for row in rows]))


def _plain(view: View, act: Act) -> tuple[list[str], list[str]]:
    """Features of an act without a target, and those of them that are combined with the context."""
    name = f"{act.verb} {act.direction or ''}"
    scroll = view.observation.scroll
    seen = "open seen" if _sees_open(view) else "open unseen" if view.open_slots else "all told"
    depth = f"{scroll.y > 1} {scroll.max_y - scroll.y > 1}"
    keys = [f"a:{name}", f"a:{name} {seen}"]
    return [*keys, f"a:{name} {depth}", f"a:{name} {seen} {depth} {view.place}"], keys


def _sees_open(view: View) -> bool:
    return any(view.is_open(words) == "next" for words, _, _ in view.landmarks)


def _on_candidate(view: View, act: Act, target: Candidate) -> tuple[list[str], list[str]]:
    text = target.name or target.text or target.placeholder
    match = view.goal.match(text)
    kind = f"{act.verb}{act.direction or ''} {target.role}"
    named = f"{kind} {view.label(text)}"
    mention = view.mentions(match.words)
    is_open = view.is_open(match.words)
    order, rank = view.ranks[target.mark]
    near, how_near, _ = view.nearest(target)
    near_state = f"{how_near} {view.mentions(near)} {view.is_open(near)}"
    filling = view.filling(target) if target.value or act.verb in ("type", "select") else ""
    told = view.mentions(padded(text))
    asked = len(match.asked)
    related = f"{min(asked, 3)} of {min(match.content, 4)}"
    beside = view.slot_state(match.slot)
    best = asked > 0 and asked >= view.most_asked
    behind = view.asked_behind.get(match.blanked, 0) if act.verb == "click" else 0
    closes = view.lore.closes(text) if act.verb == "click" else ""
    rare = view.lore.rarest(match.asked)
    first = view.first_asked in match.asked
    ahead = f"{min(behind, 3)} {behind > 0 and behind == view.most_behind}"
    keys = [
        f"a:{named}",
        f"a:{kind} {match.kind} {mention.split()[0]} {is_open}",
        f"a:{kind} {rare if rare == view.rarest_open else '-'} {beside} {told.split()[0]} {ahead.split()[1]}",
    ]
    x, y = target.box.centre
    own = [
        *keys,
        f"b:{kind}",
        f"b:{kind} {match.kind} {mention} {is_open} {rank}",
        f"b:{match.kind} {min(match.length, 5)}",
        f"b:{kind} share {round(match.share * 4)}",
        f"b:{named} told {told}",
        f"c:{kind} told {told}",
        f"i:{kind} {rare} {related}",
        f"i:{kind} {rare} {told.split()[0]} {rare == view.rarest_open} {best}",
        f"i:{kind} {rare} {first} {told.split()[0]}",
        f"i:{kind} {rare} {told.split()[0]} {match.kind} {is_open}",
        f"l:{kind} {ahead}",
        f"k:{kind} {closes} {min(len(view.open_slots), 2)} {told}",
        f"k:{kind} {closes} {view.closed} {asked > 0}",
        f"l:{kind} {ahead} {told.split()[0]} {best}",
        f"c:{kind} {related}",
        f"c:{kind} {related} {beside}",
        f"c:{kind} {match.kind} {related} {mention} {is_open}",
        f"c:{kind} {best} {told}",
        f"c:{kind} {best} {beside} {filling}",
        f"c:{kind} {beside} {told} {filling}",
        f"b:{named} order {min(order, 3)}",
        f"b:{named} {rank}",
        f"b:{named} near {near_state}",
        f"b:{kind} near {near_state}",
        f"b:{named} near {near_state} {rank}",
        f"b:{kind} {rank}",
        f"b:{kind} turn {view.turns[target.mark]} {filling}",
        f"b:{named} turn {view.turns[target.mark]}",
        f"b:{kind} {int(x // 360)} {int(y // 225)}",
        f"b:{kind} {int(x // 180)} {int(y // 150)} {match.kind}",
        f"b:{named} in frame {target.frame != ''}",
    ]
    words = view.label(text).split()[:MOST_WORDS]
    own += [f"w:{kind} {word}" for word in words]
    own += [f"w:{word}" for word in words]
    own += [f"r:{word} {told == 'never'}" for word in match.asked]
    own += [f"s:{kind} {state}" for state in target.states]
    own += [f"s:{named} {state}" for state in target.states]
    if filling:
        own += [f"v:{kind} {filling}", f"v:{named} {filling}"]
    if target.options:
        own += _options(view, kind, named, target)
    return own, keys


def _options(view: View, kind: str, named: str, target: Candidate) -> list[str]:
    """Whether one of a list's options is asked for, and is chosen already."""
    wanted = [option for option in target.options if view.goal.match(option).kind in ("whole", "words")]
    valued = [option for option in wanted if view.goal.match(option).kind == "whole"]
    state = "none"
    if wanted:
        best = (valued or wanted)[0]
        chosen = any(option == target.value for option in valued or wanted)
        state = f"{'value' if valued else 'words'} {'chosen' if chosen else 'not chosen'} {view.mentions(padded(best))}"
    return [f"o:{kind} {state}", f"o:{named} {state}", f"o:{named} has {state.split()[0]}"]


def _recalled(view: View, act: Act, role: str, name: str, rank: str) -> Sequence[str]:
    """What plans of similar requests did here."""
    if not view.recalled:
        return ()
    verb = verb_of(act)
    found = tuple((*each.when(verb, role, name), *each.coming) for each in view.standings)
    return _recalled_as(act.verb, verb, role, rank, found)


@functools.lru_cache(maxsize=20_000)
def _recalled_as(
    plain: str, verb: str, role: str, rank: str, found: tuple[tuple[str, str, str, str, str, str], ...]
) -> tuple[str, ...]:
    """Features of how plans speak of an act and when it is due, with what comes next in each (`Standing.coming`)."""
    features = []
    for number, (how, due, coming, its_rank, there, similar) in enumerate(found[:2]):
        is_next = "next" in due
        first = "next" if is_next else due.partition("+")[0]
        now = f"{how} {'next' if is_next else due or '-'}"
        features += [
            f"q{number}:{now}",
            f"q{number}:{now} {similar}",
            f"q{number}:{now} {there}",
            f"q{number}:{verb} {now} {similar}",
            f"q{number}:{plain} {role} {how} {due}",
            f"q{number}:{verb} {first} {coming} {there} {similar}",
        ]
        if is_next:
            features += [f"q{number}:{how} rank {rank} {its_rank}", f"q{number}:{how} rank {rank == its_rank}"]
    nexts = [how for how, due, *_ in found if "next" in due and how != "role"]
    return (
        *features,
        f"qn:{nexts.count('exact')} {nexts.count('blank')} of {len(found)}",
        f"qn:{nexts.count('exact')} {len(nexts)} {found[0][-1]}",
    )


def verb_of(act: Act) -> str:
    """The verb, with the direction of a scroll."""
    return f"{act.verb} {act.direction}" if act.direction else act.verb


def _told(view: View, act: Act) -> list[str]:
    """What a guide says of an act; the first is what its words are combined with."""
    if act.target is None:
        return [f"hk:{act.verb} {act.direction or ''}"]
    target = act.target
    kind = f"{act.verb} {target.role}"
    said = view.in_guide(target.name or target.text or target.placeholder)
    _, rank = view.ranks[target.mark]
    near, how_near, _ = view.nearest(target)
    near_said = bool(near) and near in view.guide_padded
    value = any(padded(option) in view.guide_quotes for option in target.options)
    return [
        f"hk:{kind}",
        f"h:{said}",
        f"h:{kind} {said}",
        f"h:{said} {rank}",
        f"h:{said} near {how_near} {near_said}",
        f"h:{kind} option {value}",
    ]
