"""The little world that all embedded sites share: one moment, people, brands and places.

All of it is made up. Mail addresses end in the domains that are reserved for examples.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

__all__ = ["BRANDS", "NOW", "PEOPLE", "PLACES", "STAFF", "Person", "Place", "plain"]

NOW = datetime(2026, 3, 16, 10, 0, tzinfo=ZoneInfo("Europe/Helsinki"))
"""The constant present of every site, a Monday; the browser's Date is frozen to it as well."""


@dataclass(frozen=True)
class Place:
    """A city with some of its streets. In `street`, `{n}` stands for the number of the house."""

    city: str
    country: str
    postcode: str
    streets: tuple[str, ...]
    phone: str
    """Country and area code."""


@dataclass(frozen=True)
class Person:
    """Somebody who shops, writes and reviews on the sites. `city` names a `Place`."""

    first_name: str
    last_name: str
    city: str
    handle: str
    """Nickname in reviews and posts."""

    @property
    def full_name(self) -> str:
        return f"{self.first_name} {self.last_name}"

    @property
    def email(self) -> str:
        domain = ("example.com", "example.org", "example.net")[len(self.first_name + self.last_name) % 3]
        if self.handle == "emma_l":
            domain = "example.com"
        return f"{plain(self.first_name)}.{plain(self.last_name)}@{domain}".lower()


def plain(text: str) -> str:
    """Text in plain ASCII letters, as mail addresses and web addresses want it: Jürgen Weiß -> Jurgen-Weiss."""
    for letter, instead in (("ß", "ss"), ("ø", "o"), ("Ø", "O"), ("ł", "l"), ("Ł", "L"), ("æ", "ae"), ("đ", "d")):
        text = text.replace(letter, instead)
    ascii_only = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return ascii_only.replace("'", "").replace(" ", "-")


def _places() -> dict[str, Place]:
    lines = (
        "Helsinki|Finland|00100|Mannerheimintie {n};Bulevardi {n};Fredrikinkatu {n};Hämeentie {n}|+358 40",
        "Tampere|Finland|33100|Hämeenkatu {n};Satakunnankatu {n};Pyynikintie {n}|+358 50",
        "Turku|Finland|20100|Linnankatu {n};Aurakatu {n}|+358 44",
        "Berlin|Germany|10115|Torstraße {n};Invalidenstraße {n};Kastanienallee {n};Sonnenallee {n}|+49 30",
        "Hamburg|Germany|20357|Schanzenstraße {n};Lange Reihe {n}|+49 40",
        "München|Germany|80331|Sendlinger Straße {n};Müllerstraße {n}|+49 89",
        "Austin|United States|78701|{n} Congress Avenue;{n} Barton Springs Road;{n} East 6th Street|+1 512",
        "Portland|United States|97209|{n} NW Lovejoy Street;{n} SE Hawthorne Boulevard|+1 503",
        "Chicago|United States|60614|{n} North Clark Street;{n} West Fullerton Avenue|+1 312",
        "Boston|United States|02116|{n} Newbury Street;{n} Tremont Street|+1 617",
        "Seattle|United States|98103|{n} Fremont Avenue North;{n} Stone Way North|+1 206",
        "Tokyo|Japan|150-0001|{n} Jingumae, Shibuya;{n} Ebisu, Shibuya|+81 3",
        "Kyoto|Japan|604-8005|{n} Kawaramachi-dori;{n} Teramachi-dori|+81 75",
        "Madrid|Spain|28004|Calle de Fuencarral {n};Calle de Hortaleza {n}|+34 91",
        "Barcelona|Spain|08012|Carrer de Verdi {n};Gran de Gràcia {n}|+34 93",
        "Paris|France|75011|{n} rue Oberkampf;{n} rue de Charonne|+33 1",
        "Lyon|France|69001|{n} rue de la République;{n} montée de la Grande-Côte|+33 4",
        "London|United Kingdom|N1 8LT|{n} Upper Street;{n} Essex Road|+44 20",
        "Edinburgh|United Kingdom|EH1 2NG|{n} Victoria Street;{n} Leith Walk|+44 131",
        "Stockholm|Sweden|116 46|Götgatan {n};Bondegatan {n}|+46 8",
        "Kraków|Poland|31-042|ulica Floriańska {n};ulica Grodzka {n}|+48 12",
        "Lisboa|Portugal|1200-109|Rua da Rosa {n};Rua do Século {n}|+351 21",
        "Toronto|Canada|M6J 1H4|{n} Queen Street West;{n} Ossington Avenue|+1 416",
        "Amsterdam|Netherlands|1015 CJ|Prinsengracht {n};Haarlemmerdijk {n}|+31 20",
    )
    places = {}
    for line in lines:
        city, country, postcode, streets, phone = line.split("|")
        places[city] = Place(city, country, postcode, tuple(streets.split(";")), phone)
    return places


PLACES: dict[str, Place] = _places()


def _people() -> tuple[Person, ...]:
    lines = """
    Emma|Lopez|Austin|emma_l
    Aino|Virtanen|Helsinki|ainov
    Jürgen|Weiß|Berlin|jweiss
    Yuki|Tanaka|Tokyo|yuki_t
    Carlos|Moreno|Madrid|cmoreno
    Grace|Bennett|Portland|gracie_b
    Eero|Lahtinen|Tampere|eerola
    Marie|Dubois|Paris|marie.d
    Olivia|Carter|Chicago|liv_carter
    Lukas|Schneider|Hamburg|luki_hh
    Sofía|García|Barcelona|sofi_bcn
    Henry|Walsh|London|hwalsh
    Astrid|Lindqvist|Stockholm|astrid_l
    Piotr|Nowak|Kraków|pnowak
    Hana|Sato|Kyoto|hanasato
    Noah|Fischer|München|noahf
    Isabel|Ramos|Lisboa|isa_ramos
    Liam|O'Connor|Boston|liam_oc
    Venla|Korhonen|Helsinki|venlak
    Chloé|Martin|Lyon|chloe_m
    Daniel|Kim|Seattle|dkim
    Mia|Hoffmann|Berlin|mia_h
    Ethan|Brooks|Austin|ethanb
    Łukasz|Zieliński|Kraków|lukasz_z
    Nora|Jansen|Amsterdam|nora_j
    Owen|Campbell|Edinburgh|owen_c
    Elina|Mäkinen|Turku|elina_m
    Haruto|Suzuki|Tokyo|haruto_s
    Priya|Shah|Toronto|priya_s
    Matteo|Rossi|Lyon|matteo_r
    Ava|Thompson|Chicago|avathompson
    Jonas|Becker|Hamburg|jbecker
    Lucía|Fernández|Madrid|lucia_f
    Samuel|Reed|Portland|samreed
    Ingrid|Öberg|Stockholm|ingrid_o
    Tuomas|Niemi|Tampere|tuomasn
    Zoe|Patel|London|zoe_p
    Gabriel|Costa|Lisboa|gabcosta
    Hannah|Müller|München|hannah_mue
    Jack|Murphy|Boston|jackm
    Sakura|Ito|Kyoto|sakura_i
    Camille|Laurent|Paris|camille_l
    Benjamin|Scott|Seattle|benscott
    Aleksandra|Wójcik|Kraków|ola_w
    Ville|Heikkinen|Helsinki|villeh
    Ruth|Goldman|Toronto|ruthg
    Pablo|Navarro|Barcelona|pablo_n
    Freya|Douglas|Edinburgh|freya_d
    Max|Schulz|Berlin|maxschulz
    Amelia|Hughes|London|amelia_h
    Kenji|Watanabe|Tokyo|kenji_w
    Sanne|de Vries|Amsterdam|sanne_dv
    Ella|Rantanen|Turku|ellar
    Thomas|Keller|Hamburg|tkeller
    Julia|Peterson|Austin|juliap
    Antoine|Bernard|Lyon|antoine_b
    Marta|Silva|Lisboa|marta_s
    Oskar|Nyström|Stockholm|oskar_n
    Leah|Morgan|Portland|leah_m
    Felix|Braun|München|felixb
    Carmen|Ortega|Madrid|carmen_o
    Isaac|Turner|Chicago|isaac_t
    Milla|Koskinen|Tampere|millak
    Ewa|Kamińska|Kraków|ewa_k
    Victor|Hugo Lima|Lisboa|vhlima
    Naomi|Brown|Boston|naomi_b
    Ren|Kobayashi|Kyoto|ren_k
    Emil|Sandberg|Stockholm|emil_s
    Charlotte|Evans|London|lottie_e
    Diego|Castro|Barcelona|diego_c
    Anna|Vogel|Berlin|annavogel
    Mikko|Salonen|Helsinki|mikkos
    Rachel|Adams|Seattle|rachel_a
    Bram|Visser|Amsterdam|bramv
    Élodie|Petit|Paris|elodie_p
    William|Grant|Toronto|willgrant
    Saara|Lehto|Turku|saaral
    Lena|Wagner|Hamburg|lena_w
    Joseph|Clark|Chicago|joec
    Inés|Vidal|Barcelona|ines_v
    Tyler|Morris|Austin|tmorris
    Greta|Holm|Stockholm|gretah
    Fumiko|Mori|Tokyo|fumi_m
    Callum|Fraser|Edinburgh|callum_f
    """
    return tuple(Person(*line.strip().split("|")) for line in lines.strip().splitlines())


PEOPLE: tuple[Person, ...] = _people()
"""Eighty-four people; the first, Emma Lopez, is the one whose account the benchmark signs in to."""

STAFF: tuple[tuple[str, str, str], ...] = (
    ("admin", "Morgan Hale", "Administrator"),
    ("catalog.kim", "Kim Sandoval", "Catalog"),
    ("sales.ari", "Ari Peltola", "Sales"),
    ("sales.jo", "Jo Whitaker", "Sales"),
)
"""(user name, full name, role) of the people who run the sites."""

BRANDS: dict[str, str] = {
    "Bimbo & Bo": "Things for children, made by parents.",
    "Cafeo": "Everything between the bean and the cup.",
    "Decibel": "Loud where it should be.",
    "Fairline": "Phones that open.",
    "Ferro": "Pots, pans and tools of honest metal.",
    "Fjord Press": "A small publisher by the sea.",
    "Greenhouse 9": "Plants from the ninth greenhouse on the left.",
    "Hellbach": "Lamps and furniture, drawn in Stuttgart.",
    "Holzig": "Wooden toys.",
    "Hoshi": "Japanese kitchen and paper goods.",
    "Inkwell": "Crime, puzzles and a little maths.",
    "Kickers": "Balls.",
    "Kiln & Co": "A pottery with seven wheels.",
    "Ladle Books": "Cookery books that get stained.",
    "Lumina": "Light.",
    "Maren": "Clothes for wind and weekends.",
    "Meridian House": "Books on the world and how to walk it.",
    "Mono": "One good version of every ordinary thing.",
    "Nordvik": "A house on the coast, and what belongs in it.",
    "Optima": "Cameras.",
    "Pacer": "Shoes that are counted in miles.",
    "Papier": "Paper, and reasons to use it.",
    "Plain Goods": "Clothes without a logo.",
    "Rosenhof": "From a farmhouse with too many rooms.",
    "Sonora": "Sound.",
    "Stratos": "Light gear for long days.",
    "Tempora": "Watches.",
    "Trailhead": "For the path behind the car park.",
    "Velora": "Bicycles and what one wears on them.",
    "Volta": "Small appliances with a plug.",
}
