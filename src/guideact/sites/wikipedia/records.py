"""The encyclopedia's own lighthouses, bridges, ships, films, books and prizes: the facts that articles and lists share.

All of it is made up; it lies on the Morrow Islands, which no atlas has. Winners of the cups are the world's people,
companies and towns, drawn once and the same on every machine.
"""

from __future__ import annotations

import functools
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from guideact.sites.companies import COMPANIES
from guideact.sites.world import PEOPLE, PLACES

__all__ = ["RECORDS", "THINGS", "Kind", "Record", "thing"]


@dataclass(frozen=True)
class Kind:
    """A family of things with the same facts. `rows` maps a title to its values, in the order of `names`."""

    label: str
    picture: str
    """First part of the picture's name, or empty."""
    names: tuple[str, ...]
    rows: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Record:
    """A cup or a prize and who won it, year by year. `winner` is the column that counts wins."""

    caption: str
    held: str
    first: int
    head: tuple[str, ...]
    winner: str
    rows: Callable[[], tuple[tuple[str, ...], ...]]

    @property
    def most_wins(self) -> tuple[str, int] | None:
        """Who won most often, and how often; None where several did."""
        at = self.head.index(self.winner)
        (first, wins), (_, others) = Counter(row[at] for row in self.rows() if row[at] != "not held").most_common(2)
        return (first, wins) if wins > others else None


def _kind(label: str, picture: str, lines: str) -> Kind:
    head, *rest = [[part.strip() for part in line.split("|")] for line in lines.strip().splitlines()]
    return Kind(label, picture, tuple(head[1:]), {title: tuple(values) for title, *values in rest})


THINGS: dict[str, Kind] = {
    "lighthouses": _kind(
        "Lighthouse",
        "lighthouse",
        """
        Name              | Island           | First lit | Height (m) | Range (nmi) | Designer           | Automated
        Tarn Point Light  | [[Tarnholm]]     | 1858 | 31 | 17 | Ottilie Grandholm  | 1974
        Skerrow Light     | [[Skerrow]]      | 1871 | 24 | 14 | Ottilie Grandholm  | 1979
        Long Ness Light   | [[Tarnholm]]     | 1889 | 42 | 21 | Barnabas Keld      | 1982
        Gullhaven Light   | [[Gullhaven]]    | 1834 | 19 | 11 | unknown            | 1968
        Old Fall Light    | [[Oldfall]]      | 1902 | 36 | 18 | Barnabas Keld      | 1985
        Ember Rock Light  | Ember Rock       | 1911 | 47 | 23 | Philippa Sandglass | 1991
        Quiet Head Light  | [[Brackle]]      | 1866 | 22 | 13 | Ottilie Grandholm  | 1977
        Seven Oars Light  | Seven Oars       | 1924 | 28 | 16 | Philippa Sandglass | 1988
        """,
    ),
    "bridges": _kind(
        "Bridge",
        "bridge",
        """
        Name                 | Crosses        | Opened | Length (m) | Design            | Engineer
        Tarnholm Bridge      | Tarn Sound     | 1937 | 612  | Suspension bridge | Edda Spanwright
        Ferrymen's Bridge    | River Fall     | 1884 | 148  | Stone arch bridge | Josef Quoin
        Oldfall Viaduct      | Fall Valley    | 1896 | 334  | Brick viaduct     | Josef Quoin
        Lantern Bridge       | Gullhaven Dock | 1961 | 96   | Bascule bridge    | Edda Spanwright
        Brackle Causeway     | Brackle Shoals | 1973 | 1140 | Causeway          | Harald Rubblestone
        Ladder Bridge        | Skerrow Gorge  | 2008 | 74   | Truss footbridge  | Nkemi Tressel
        """,
    ),
    "ships": _kind(
        "Ship",
        "ship",
        """
        Name           | Type           | Launched | Length (m) | Yard              | Home port
        Morrow Star    | Car ferry      | 1968 | 84 | Gullhaven Yard      | [[Gullhaven]]
        Quiet Venture  | Cargo steamer  | 1907 | 52 | Oldfall Iron Works  | [[Oldfall]]
        Harbour Queen  | Paddle steamer | 1891 | 38 | Oldfall Iron Works  | [[Gullhaven]]
        Amber Lark     | Ketch          | 1926 | 21 | Brackle Boatyard    | [[Brackle]]
        Hark           | Icebreaker     | 1954 | 63 | Gullhaven Yard      | [[Oldfall]]
        Second Thought | Lifeboat       | 1983 | 14 | Brackle Boatyard    | [[Skerrow]]
        """,
    ),
    "films": _kind(
        "Film",
        "poster",
        """
        Name | Released | Director | Minutes | Music | After
        The Slow Ferry                     | 1987 | [[Agda Nightwater]]  | 96  | Ludo Pennywhistle | an original script
        Murder on Pier Nine (film) | 2014 | Ruben Halfpenny | 118 | Vesna Drumlin | [[Murder on Pier Nine]]
        Eleven Umbrellas                   | 1999 | [[Agda Nightwater]]  | 104 | Ludo Pennywhistle | an original script
        A Kettle for Two                   | 2006 | Tilda Underhay       | 92  | Vesna Drumlin     | an original script
        Night on the Viaduct               | 1958 | [[Cornelius Dusk]]   | 81  | Otmar Celeste     | an original script
        The Cartographer's Daughter (film) | 2019 | [[Agda Nightwater]] | 131 | Vesna Drumlin | [[Oda Winterkiln]]
        Winter Timetable                   | 1972 | [[Cornelius Dusk]]   | 89  | Otmar Celeste     | an original script
        """,
    ),
    "books": _kind(
        "Book",
        "cover",
        """
        Name                            | Author                | Publisher          | Published | Pages | Genre
        The Lighthouse Keeper's Almanac | [[Hedda Marrowby]]    | [[Fjord Press]]    | 1996 | 312 | Novel
        A Short History of Bread        | Florian Teigwart      | [[Fjord Press]]    | 2011 | 368 | History
        The Cartographer's Daughter     | [[Oda Winterkiln]]    | [[Fjord Press]]    | 2003 | 284 | Novel
        Small Houses                    | Cosima Brandhorn      | [[Fjord Press]]    | 2025 | 240 | Architecture
        The Clockmaker's Paradox        | [[Silas Penhollow]]   | [[Inkwell]]        | 2009 | 336 | Crime fiction
        Murder on Pier Nine             | [[Silas Penhollow]]   | [[Inkwell]]        | 2012 | 298 | Crime fiction
        Maths for Curious Parents       | Wilma Zahlmeier       | [[Inkwell]]        | 2018 | 208 | Mathematics
        Forty Soups                     | [[Pia Ladlow]]        | [[Ladle Books]]    | 2012 | 176 | Cookery
        Salads After Dark               | [[Pia Ladlow]]        | [[Ladle Books]]    | 2016 | 192 | Cookery
        Night Trains of Europe          | Emeric Traverse       | [[Meridian House]] | 2004 | 420 | Travel
        The Patient Gardener            | [[Dorothea Mulch]]    | [[Meridian House]] | 1979 | 256 | Gardening
        Birds You Already Know          | Ansel Featherstow     | [[Meridian House]] | 1991 | 128 | Nature
        Knots and Where to Use Them     | Brisa Hawserly        | [[Meridian House]] | 1984 | 144 | Handbook
        The Bear Who Counted to Ten     | Lotte Brumley         | [[Bimbo & Bo]]     | 2015 | 32  | Picture book
        """,
    ),
}


def thing(title: str) -> tuple[Kind, tuple[str, ...]]:
    """The kind and the facts of a thing. Raises KeyError for one that is not in the tables."""
    for kind in THINGS.values():
        if title in kind.rows:
            return kind, kind.rows[title]
    raise KeyError(title)


# --- who won what -----------------------------------------------------------------------------------------------

_TOWNS = ("Gullhaven", "Oldfall", "Tarnholm", "Brackle", "Skerrow")
_ADJECTIVES = (
    "Silent",
    "Borrowed",
    "Second",
    "Salt",
    "Paper",
    "Northern",
    "Unlit",
    "Patient",
    "Hollow",
    "Late",
    "Green",
)
_NOUNS = (
    "Harbour",
    "Ledger",
    "Winter",
    "Key",
    "Witness",
    "Stair",
    "Lamp",
    "Orchard",
    "Tide",
    "Bell",
    "Letter",
    "Ferry",
)
_SUBJECTS = ("Stairwells", "Laundry", "Bus stops", "Neighbours", "Puddles", "Bakers", "Tram lines", "Kites", "Doors")


def _chance(name: str) -> random.Random:
    return random.Random(f"20260316/wikipedia/record/{name}")


def _years(first: int, pause: tuple[int, ...] = ()) -> Iterator[tuple[int, bool]]:
    """Every year up to 2025 and whether the contest was held in it."""
    for year in range(first, 2026):
        yield year, year not in pause


def _clock(seconds: int) -> str:
    return f"{seconds // 3600}:{seconds % 3600 // 60:02}:{seconds % 60:02}"


@functools.cache
def _harbour_cup() -> tuple[tuple[str, ...], ...]:
    chance = _chance("Harbour Cup")
    made = []
    for year, held in _years(1994, (2001, 2020)):
        if not held:
            made.append((str(year), "not held", "–", "–", "–"))
            continue
        first, second = chance.sample(_TOWNS, 2)
        minutes, seconds = chance.randrange(21, 26), chance.randrange(60)
        made.append(
            (str(year), first, second, f"{minutes}:{seconds:02}", chance.choice(("calm", "swell", "fog", "gale")))
        )
    return tuple(made)


@functools.cache
def _golden_kettle() -> tuple[tuple[str, ...], ...]:
    chance = _chance("Golden Kettle")
    makers = ("Cafeo", "Volta", "Stratos", "Rosenhof", "Ferro", "Hoshi", "Kiln & Co", "Trailhead")
    designers = [person.full_name for person in PEOPLE[10:40]]
    made = []
    for year, held in _years(2003, (2020,)):
        if held:
            maker = chance.choice(makers)
            work = f"{chance.choice(_ADJECTIVES)} {chance.choice(('Spout', 'Whistle', 'Pour', 'Steam', 'Lid'))}"
            made.append((str(year), f"[[{maker}]]", work, chance.choice(designers), str(chance.randrange(71, 99))))
        else:
            made.append((str(year), "not held", "–", "–", "–"))
    return tuple(made)


@functools.cache
def _lantern() -> tuple[tuple[str, ...], ...]:
    chance = _chance("Inspector's Lantern")
    writers = [person.full_name for person in PEOPLE[30:52]]
    titles = chance.sample([f"The {a} {n}" for a in _ADJECTIVES for n in _NOUNS], 30)
    cities = sorted({person.full_name: person.city for person in PEOPLE}.items())
    homes = dict(cities)
    made = []
    for year, _ in _years(1998):
        writer = chance.choice(writers)
        made.append((str(year), writer, titles[year - 1998], homes[writer], f"{chance.randrange(184, 460)}"))
    return tuple(made)


@functools.cache
def _relay() -> tuple[tuple[str, ...], ...]:
    chance = _chance("Midnight Sun Relay")
    teams = ("Pyynikki Owls", "Aura Runners", "Töölö Compass", "Kraków Contour", "Edinburgh Thistle", "Torstraße Moss")
    made = []
    for year, _ in _years(1996):
        team = chance.choice(teams)
        row = (str(year), team, _clock(chance.randrange(15_900, 19_400)), str(chance.randrange(90, 240)))
        made.append((*row, chance.choice(("clear", "rain", "mist", "wind"))))
    return tuple(made)


@functools.cache
def _gravel() -> tuple[tuple[str, ...], ...]:
    chance = _chance("Gravel Sunday")
    riders = [person.full_name for person in PEOPLE[1:30]]
    made = []
    for year, _ in _years(2009):
        rider = chance.choice(riders)
        km = str(chance.choice((88, 92, 96, 104, 110)))
        made.append((str(year), rider, km, _clock(chance.randrange(10_300, 14_800)), str(chance.randrange(300, 980))))
    return tuple(made)


@functools.cache
def _half_frame() -> tuple[tuple[str, ...], ...]:
    chance = _chance("Half-Frame Prize")
    people = PEOPLE[20:60]
    made = []
    for year, _ in _years(2002):
        person = chance.choice(people)
        made.append(
            (
                str(year),
                person.full_name,
                PLACES[person.city].country,
                chance.choice(_SUBJECTS),
                str(chance.choice((36, 48, 72))),
            )
        )
    return tuple(made)


@functools.cache
def _lamp() -> tuple[tuple[str, ...], ...]:
    chance = _chance("Nordic Lamp Prize")
    makers = ("Lumina", "Hellbach", "Nordvik", "Volta", "Mono", "Rosenhof")
    made = []
    for year, _ in _years(1999):
        maker = chance.choice(makers)
        name = chance.choice(("Low", "Folded", "Morning", "Moth", "Bell", "Seam", "Tide"))
        work = f"{name} {chance.choice(('Lamp', 'Lantern', 'Shade', 'Light'))}"
        made.append((str(year), f"[[{maker}]]", work, COMPANIES[maker].city, str(chance.randrange(24, 71))))
    return tuple(made)


@functools.cache
def _chess() -> tuple[tuple[str, ...], ...]:
    chance = _chance("Three Rivers Chess Cup")
    players = [person.full_name for person in PEOPLE[40:80]]
    made = []
    for year, _ in _years(1989):
        first, second = chance.sample(players, 2)
        made.append(
            (str(year), first, second, f"{chance.randrange(13, 18) / 2:g}", chance.choice(("Lyon", "Kraków", "Berlin")))
        )
    return tuple(made)


@functools.cache
def _pour() -> tuple[tuple[str, ...], ...]:
    chance = _chance("Silent Pour")
    pourers = [person.full_name for person in PEOPLE[5:35]]
    made = []
    for year, _ in _years(1997):
        loudness = f"{chance.randrange(180, 420) / 10:.1f}"
        made.append((str(year), chance.choice(pourers), loudness, f"{chance.randrange(12, 31)}"))
    return tuple(made)


@functools.cache
def _long_table() -> tuple[tuple[str, ...], ...]:
    chance = _chance("Long Table Award")
    cooks = [person.full_name for person in PEOPLE[50:84]]
    made = []
    for year, _ in _years(2005):
        dish = chance.choice(
            ("Stews", "Dumplings", "Pickles", "Rice", "Leftovers", "Crusts", "Beans", "Pies", "Noodles")
        )
        made.append(
            (
                str(year),
                chance.choice(cooks),
                f"{chance.choice(_ADJECTIVES)} {dish}",
                chance.choice(("Ladle Books", "Fjord Press", "Meridian House")),
            )
        )
    return tuple(made)


RECORDS: dict[str, Record] = {
    "Harbour Cup": Record(
        "Results of the Harbour Cup",
        "Gullhaven",
        1994,
        ("Year", "Winner", "Second", "Time (min)", "Sea"),
        "Winner",
        _harbour_cup,
    ),
    "Golden Kettle": Record(
        "Winners of the Golden Kettle",
        "Edinburgh",
        2003,
        ("Year", "Winner", "Design", "Designer", "Points"),
        "Winner",
        _golden_kettle,
    ),
    "Inspector's Lantern": Record(
        "Winners of the Inspector's Lantern",
        "Edinburgh",
        1998,
        ("Year", "Writer", "Book", "Home", "Pages"),
        "Writer",
        _lantern,
    ),
    "Midnight Sun Relay": Record(
        "Winners of the Midnight Sun Relay",
        "Tampere",
        1996,
        ("Year", "Team", "Time", "Teams at the start", "Weather"),
        "Team",
        _relay,
    ),
    "Gravel Sunday": Record(
        "First at the finish of Gravel Sunday",
        "Barcelona",
        2009,
        ("Year", "Rider", "Distance (km)", "Time", "Riders at the start"),
        "Rider",
        _gravel,
    ),
    "Half-Frame Prize": Record(
        "Winners of the Half-Frame Prize",
        "Kyoto",
        2002,
        ("Year", "Photographer", "Country", "Series", "Frames"),
        "Photographer",
        _half_frame,
    ),
    "Nordic Lamp Prize": Record(
        "Winners of the Nordic Lamp Prize",
        "Helsinki",
        1999,
        ("Year", "Winner", "Lamp", "City", "Entries"),
        "Winner",
        _lamp,
    ),
    "Three Rivers Chess Cup": Record(
        "Winners of the Three Rivers Chess Cup",
        "Lyon, Kraków and Berlin",
        1989,
        ("Year", "Winner", "Second", "Points", "Venue"),
        "Winner",
        _chess,
    ),
    "Silent Pour": Record(
        "Winners of the Silent Pour",
        "Edinburgh",
        1997,
        ("Year", "Winner", "Loudness (dB)", "Pourers"),
        "Winner",
        _pour,
    ),
    "Long Table Award": Record(
        "Winners of the Long Table Award",
        "Boston",
        2005,
        ("Year", "Writer", "Book", "Publisher"),
        "Writer",
        _long_table,
    ),
}
