"""The people of the boards: everybody of the world, with a few words about themselves."""

from __future__ import annotations

import random
import sqlite3

from guideact.sites.world import PEOPLE

__all__ = ["PASSWORD", "insert_members"]

PASSWORD = "password123"

COLOURS = ("#1f6f6b", "#b4532a", "#5a4a8a", "#2d6a9f", "#7a6a1e", "#9b3d5b", "#3f7a3a", "#6b4a2f", "#47566b", "#a8721a")

BIOS: dict[str, str] = {
    "emma_l": "Potter in Austin. Two kilns, one of them works. I moderate mud, paper and this town.",
    "ainov": "Runs a house on the coast and listens to the ice.",
    "jweiss": "Loudspeakers since 1987. I can hear your fridge.",
    "yuki_t": "Half frames, whole days.",
    "cmoreno": "I make balls. They are round, that is all there is to it.",
    "gracie_b": "Kiln & Co, Portland. Seven wheels, forty soups.",
    "eerola": "Small appliances with a plug. Old laptop, good mood.",
    "marie.d": "Paper by day, watercolours by night, nothing after four.",
    "liv_carter": "Light. Mostly from below.",
    "luki_hh": "Draws lamps, planes boards, drinks both black.",
    "sofi_bcn": "Velora, Barcelona. Ask me about gravel. Everyone does.",
    "hwalsh": "Reads, reviews, forgets the milk.",
    "astrid_l": "Small publisher, large cello.",
    "pnowak": "Counts grams. Knows a rooster.",
    "hanasato": "Kyoto. Paper, tea, steam.",
    "noahf": "Looking for the horizon.",
    "isa_ramos": "Everything between the bean and the cup.",
    "liam_oc": "Shoes that are counted in miles.",
    "venlak": "Lumo Market's first employee. Opinions are my own, parcels are not.",
    "chloe_m": "Two children, one bear, no sleep.",
    "dkim": "Headphones by day, chain grease by night.",
    "mia_h": "Learns one thing a day, forgets two.",
    "ethanb": "Trailhead. The path starts behind the car park.",
    "nora_j": "Phones that open. Bicycles that close.",
    "owen_c": "Publishes crimes. Commits none.",
    "millak": "Orienteering in Tampere. There is no pond.",
    "zoe_p": "Free maps for everyone.",
    "freya_d": "Keeper of the society's kettles, and of Hamish.",
    "villeh": "Bicycle workshop, Tuesdays and Thursdays. I kill plants.",
    "mikkos": "Harbour Code. Small patches, large coffee.",
    "annavogel": "Plain text is beautiful.",
    "saaral": "Librarian. Upstairs there is tea.",
    "priya_s": "Plain goods, plain words. Looks after this place.",
    "bramv": "The ninth greenhouse on the left.",
    "felixb": "Wooden toys, ten fingers.",
    "naomi_b": "Cookery books that get stained.",
    "amelia_h": "Meridian House. Asleep somewhere near Lyon.",
    "antoine_b": "Watches. Always on time, rarely early.",
    "pablo_n": "Third generation of iron.",
    "kenji_w": "One good version of everything. My bed is a bench.",
    "lena_w": "Wind and weekends.",
    "juliap": "Eats tacos for science.",
    "tmorris": "Measures trees with a rope.",
    "joec": "Asks first.",
    "ewa_k": "Seventeen piles of pilea.",
    "camille_l": "Writes letters. Answers letters.",
    "avathompson": "I live in a cardboard box and get letters.",
    "ren_k": "Mends with gold. Well, with brass.",
    "maxschulz": "My loaf fell while my mother talked.",
    "sanne_dv": "Eighteen square metres.",
}
_PLAIN = (
    "Here for the comments.",
    "Mostly reading.",
    "{city}. Says little, votes often.",
    "New here, be kind.",
    "Lives in {city}, would rather be on a train.",
    "I know a bit about a lot.",
    "",
    "Weekends only.",
)


def insert_members(connection: sqlite3.Connection, chance: random.Random) -> None:
    """Everybody in the order of the world, so that ids are the same as there; Emma is 1."""
    for number, person in enumerate(PEOPLE, start=1):
        joined = (
            f"{chance.randint(2016, 2024)}-{chance.randint(1, 12):02}-{chance.randint(1, 28):02} 09:{number % 60:02}:00"
        )
        if person.handle == "emma_l":
            joined = "2017-05-14 18:20:00"
        connection.execute(
            "INSERT INTO member (id, username, full_name, email, password, city, bio, colour, joined_at, last_login_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                number,
                person.handle,
                person.full_name,
                person.email,
                PASSWORD,
                person.city,
                BIOS.get(person.handle, _PLAIN[number % len(_PLAIN)].format(city=person.city)),
                COLOURS[number % len(COLOURS)],
                joined,
                f"2026-03-{chance.randint(1, 15):02} {chance.randint(7, 22):02}:{chance.randint(0, 59):02}:00",
            ),
        )
        connection.execute("INSERT INTO preference (member_id) VALUES (?)", (number,))
    connection.execute(
        "INSERT INTO blocked (member_id, other_id) SELECT 1, id FROM member"
        " WHERE username IN ('cmoreno', 'gretah', 'sakura_i') ORDER BY id"
    )
