"""The companies, organisations and events of the world that the embedded sites share.

One table for all sites, so that an article, a forum post, a project and a place on the map agree about who founded
what, where and when. Companies are the shop's brands; everything here is made up, only the cities are real.
"""

from __future__ import annotations

from dataclasses import dataclass

from guideact.sites.world import PEOPLE, Person

__all__ = ["COMPANIES", "EVENTS", "ORGANISATIONS", "Company", "Event", "person"]


@dataclass(frozen=True)
class Company:
    """A maker of things or an organisation. `founder` is the full name of one of `PEOPLE`, `city` a key of `PLACES`."""

    name: str
    city: str
    founded: int
    founder: str
    employees: int
    trade: str
    """What it does, as a noun phrase: "stoneware pottery"."""


@dataclass(frozen=True)
class Event:
    """A gathering in 2026. `host` is the name of a company or an organisation."""

    name: str
    city: str
    venue: str
    starts: str
    """ISO date."""
    ends: str
    host: str
    visitors: int
    """How many came in the year before."""


def _companies(lines: str) -> dict[str, Company]:
    made = {}
    for line in lines.strip().splitlines():
        name, city, founded, founder, employees, trade = (part.strip() for part in line.split("|"))
        made[name] = Company(name, city, int(founded), founder, int(employees), trade)
    return made


COMPANIES: dict[str, Company] = _companies("""
    Bimbo & Bo     | Lyon      | 2008 | Chloé Martin         |   64 | furniture and gear for children
    Cafeo          | Lisboa    | 1998 | Isabel Ramos         |   41 | coffee equipment
    Decibel        | Berlin    | 1987 | Jürgen Weiß          |  310 | loudspeakers and headphones
    Fairline       | Amsterdam | 2013 | Nora Jansen          |  118 | repairable telephones
    Ferro          | Barcelona | 1931 | Pablo Navarro        |  205 | cast-iron cookware
    Fjord Press    | Stockholm | 1974 | Astrid Lindqvist     |   17 | literary publishing
    Greenhouse 9   | Amsterdam | 2004 | Bram Visser          |   29 | house plants
    Hellbach       | Hamburg   | 1952 | Lukas Schneider      |  440 | lamps and furniture
    Holzig         | München   | 1966 | Felix Braun          |   52 | wooden toys
    Hoshi          | Kyoto     | 1919 | Hana Sato            |   88 | kitchen and paper goods
    Inkwell        | Edinburgh | 2001 | Owen Campbell        |   12 | crime fiction and puzzle books
    Kickers        | Madrid    | 1979 | Carlos Moreno        |  137 | balls
    Kiln & Co      | Portland  | 1995 | Grace Bennett        |   23 | stoneware pottery
    Ladle Books    | Boston    | 2010 | Naomi Brown          |    9 | cookery books
    Lumina         | Chicago   | 1984 | Olivia Carter        |  176 | lighting
    Maren          | Hamburg   | 1990 | Lena Wagner          |  260 | outdoor clothing
    Meridian House | London    | 1968 | Amelia Hughes        |   34 | travel and nature books
    Mono           | Tokyo     | 1999 | Kenji Watanabe       |  520 | plain household goods
    Nordvik        | Helsinki  | 1947 | Aino Virtanen        |  690 | tableware and home textiles
    Optima         | Tokyo     | 1936 | Yuki Tanaka          | 1450 | cameras
    Pacer          | Boston    | 1971 | Liam O'Connor        |  380 | running shoes
    Papier         | Paris     | 1889 | Marie Dubois         |   95 | notebooks and pens
    Plain Goods    | Toronto   | 2011 | Priya Shah           |   73 | clothes without logos
    Rosenhof       | München   | 1923 | Noah Fischer         |  148 | country-house tableware
    Sonora         | Seattle   | 2009 | Daniel Kim           |  212 | headphones
    Stratos        | Kraków    | 2006 | Piotr Nowak          |  165 | light travel gear and tablets
    Tempora        | Lyon      | 1958 | Antoine Bernard      |   61 | watches
    Trailhead      | Austin    | 1992 | Ethan Brooks         |  298 | camping gear
    Velora         | Barcelona | 2002 | Sofía García         |  144 | bicycles
    Volta          | Tampere   | 1961 | Eero Lahtinen        |  233 | small electric appliances
""")
"""The thirty brands of the shop."""

ORGANISATIONS: dict[str, Company] = _companies("""
    Lumo Market              | Helsinki  | 2012 | Venla Korhonen       |  86 | online retail
    Harbour Code             | Helsinki  | 2016 | Mikko Salonen        |  24 | open-source software
    Esplanadi Reading Room   | Helsinki  | 1904 | Saara Lehto          |  11 | a public library
    Töölö Bicycle Workshop   | Helsinki  | 1999 | Ville Heikkinen      |   6 | bicycle repair for everyone
    Slow Kettle Society      | Edinburgh | 1994 | Freya Douglas        |   3 | the study of tea
    North Star Orienteering  | Tampere   | 1932 | Milla Koskinen       |   8 | orienteering
    Open Atlas Foundation    | London    | 2009 | Zoe Patel            |  19 | free maps
    Institute for Plain Text | Berlin    | 2014 | Anna Vogel           |  31 | research on readable software
""")
"""What is no brand: the shop itself, clubs, a library, a foundation."""

EVENTS: tuple[Event, ...] = (
    Event("Nordic Lamp Week", "Helsinki", "Cable Hall", "2026-04-13", "2026-04-19", "Nordvik", 18200),
    Event("Plain Text Days", "Berlin", "Alte Druckerei", "2026-05-07", "2026-05-09", "Institute for Plain Text", 640),
    Event("Harbour Code Camp", "Helsinki", "Katajanokka Terminal", "2026-06-11", "2026-06-13", "Harbour Code", 910),
    Event(
        "World Kettle Congress",
        "Edinburgh",
        "Leith Assembly Rooms",
        "2026-09-18",
        "2026-09-20",
        "Slow Kettle Society",
        275,
    ),
    Event("Gravel Sunday", "Barcelona", "Parc de la Ciutadella", "2026-04-26", "2026-04-26", "Velora", 5400),
    Event("Half-Frame Festival", "Kyoto", "Teramachi Gallery", "2026-10-02", "2026-10-11", "Optima", 7350),
    Event(
        "Midnight Sun Relay", "Tampere", "Pyynikki Park", "2026-06-20", "2026-06-21", "North Star Orienteering", 2150
    ),
    Event("Open Atlas Summit", "London", "Essex Road Hall", "2026-07-23", "2026-07-25", "Open Atlas Foundation", 1300),
)
"""In the order in which they were made up, which is not the order of their dates."""


def person(full_name: str) -> Person:
    """One of `PEOPLE` by the full name. Raises KeyError for a stranger."""
    for one in PEOPLE:
        if one.full_name == full_name:
            return one
    raise KeyError(full_name)
