"""Work that begins on the map and goes on in the shop, or the other way round."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.tasks.map_deeds import open_place
from guideact.tasks.map_survey import closing, minutes, named, way
from guideact.tasks.shop import PRICE, add_to_cart, open_listed
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA, EMMA_MAP, Params, Query, Template
from guideact.types import AnswerCheck, Change, Check, StateCheck

_SITES = ("map", "shopping")
_LOGINS = {"map": EMMA_MAP, "shopping": EMMA}
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def _to_the_shop(page: Page) -> Solver:
    yield from page.click(
        "link",
        "Visit the web shop",
        say=(
            "Go over to the shop with “Visit the web shop”, below the facts.",
            "The place belongs to a shop on the web: under the table of facts, “Visit the web shop” leads there.",
        ),
    )


# --- a message with a fact from the map ---------------------------------------------------------------------------


def _message_params(db: Query) -> Sequence[Params]:
    return [
        {"place": "Lumo Market Pickup Kaisaniemi", "day": "Saturday", "subject": "Pickup"},
        {"place": "Lumo Market Store", "day": "Saturday", "subject": "Store"},
        {"place": "Lumo Market Pickup Kaisaniemi", "day": "Wednesday", "subject": "Parcel"},
    ]


def _message_check(db: Query, p: Params) -> Check:
    time = closing(named(p["place"])["hours"], _DAYS.index(p["day"]))
    values = {"body": {"~": f"{p['subject']}: is {time} right for {p['day']}?"}}
    return Check(
        state=(StateCheck(site="shopping", required=(Change(table="contact_message", op="insert", values=values),)),)
    )


def _message(page: Page, p: Params) -> Solver:
    yield from open_place(page, p["place"])
    yield from page.reach_text(p["day"], what="the table of opening hours")
    time = page.read(p["day"]).split("–")[-1]
    yield from _to_the_shop_back_up(page)
    yield from page.type(
        "What is on your mind?",
        f"{p['subject']}: is {time} right for {p['day']}?",
        say=(
            f"Write the sentence into the large field, with the closing time that the map gave for {p['day']}.",
            "Put the question together: the words you were given, and in the gap the time that you have just read.",
        ),
    )
    yield from page.click(
        "button",
        "Send message",
        say=(
            "Send the message with the button under the field.",
            "“Send message” hands it to the shop, which thanks you on the next page.",
        ),
    )
    yield from page.finish(
        say=(
            "The shop has confirmed that it received your message.",
            "With the thanks of the shop on the screen the task is complete.",
        )
    )


def _to_the_shop_back_up(page: Page) -> Solver:
    yield from page.click(
        "link",
        "Visit the web shop",
        direction="up",
        say=(
            "Keep the later time of that line in mind, and go on to the shop by “Visit the web shop”.",
            "The link “Visit the web shop”, just above the hours, leads to the shop's contact page.",
        ),
    )


# --- a price in a note --------------------------------------------------------------------------------------------


def _price_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT p.name FROM shop.product p WHERE p.status = 'enabled' AND p.stock > 5 AND p.special_price_cents IS NULL"
        " AND p.price_cents BETWEEN 3000 AND 20000 AND p.id NOT IN (SELECT product_id FROM shop.product_option)"
        " AND NOT EXISTS (SELECT 1 FROM shop.product q WHERE q.id <> p.id AND instr(q.name, p.name)) ORDER BY p.id"
    ).fetchall()
    lists = ("Lamp Week", "To be sorted", "Rainy afternoons")
    places = ("Lumo Market Pickup Kaisaniemi", "Lumo Market Store", "Lumo Market Store")
    return [
        {"product": rows[7 * at + 3]["name"], "list": name, "place": place}
        for at, (name, place) in enumerate(zip(lists, places, strict=True))
    ]


def _price_check(db: Query, p: Params) -> Check:
    (cents,) = db.execute("SELECT price_cents FROM shop.product WHERE name = ?", (p["product"],)).fetchone()
    (number,) = db.execute("SELECT id FROM place_list WHERE member_id = 1 AND name = ?", (p["list"],)).fetchone()
    values = {"list_id": number, "place": named(p["place"])["id"], "note": {"~": f"${cents / 100:.2f}"}}
    return Check(state=(StateCheck(site="map", required=(Change(table="saved_place", op="insert", values=values),)),))


def _price(page: Page, p: Params) -> Solver:
    yield from open_place(page, p["place"])
    yield from _to_the_shop(page)
    yield from page.search(p["product"])
    yield from page.reach("link", p["product"])
    price = yield from page.reach_below(p["product"], PRICE, what="the price")
    for back in range(3):
        yield from page.go_back(say=_BACK[back])
        if page.find("button", "Save") is not None and page.seen.url.split("/")[-2:-1] == ["place"]:
            break
    yield from page.click(
        "button",
        "Save",
        direction="up",
        say=(
            "Press “Save” beside “Directions”.",
            "Here again, use the button with the ribbon to keep the place.",
        ),
    )
    yield from page.select(
        "List",
        p["list"],
        say=(
            f"Choose “{p['list']}” as the list.",
            f"In the small window, have “List” show “{p['list']}”.",
        ),
    )
    yield from page.type(
        "Note",
        price,
        say=(
            "Write the price that you saw in the shop into “Note”, as it was written there.",
            "The note is to be the amount from the shop, dollar sign and cents included.",
        ),
    )
    yield from page.click(
        "button",
        "Save place",
        say=(
            "Finish with “Save place”.",
            "The window closes once “Save place” is pressed, and the place is in the list.",
        ),
    )
    yield from page.finish(
        say=(
            "A green note over the map confirms where the place was saved.",
            "The map has kept the place with the price beside it. That was all.",
        )
    )


_BACK = (
    (
        "Remember the price on the card, and go back a page.",
        "The card shows what it costs. With that in mind, return by the browser's back button.",
    ),
    (
        "Go back once more; the map is not there yet.",
        "One step back is not enough, as you came by the shop's contact page.",
    ),
    (
        "Another step back brings you to the place on the map.",
        "Return again, until the page of the place is on the screen.",
    ),
)


# --- from the map into the cart -----------------------------------------------------------------------------------


def _cart_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT p.name FROM shop.product p WHERE p.status = 'enabled' AND p.stock > 12"
        " AND p.special_price_cents IS NULL AND p.price_cents < 9000"
        " AND p.id NOT IN (SELECT product_id FROM shop.product_option)"
        " AND NOT EXISTS (SELECT 1 FROM shop.product q WHERE q.id <> p.id AND instr(q.name, p.name)) ORDER BY p.id"
    ).fetchall()
    starts = (("Kampin kappeli", 2), ("Nordvik House", 3), ("Cafe Engel", 2))
    return [
        {"start": start, "quantity": quantity, "product": rows[9 * at + 5]["name"]}
        for at, (start, quantity) in enumerate(starts)
    ]


def _cart_check(db: Query, p: Params) -> Check:
    (product,) = db.execute("SELECT id FROM shop.product WHERE name = ?", (p["product"],)).fetchone()
    _, seconds = way("foot", p["start"], "Lumo Market Store")
    change = Change(table="cart_item", op="insert", values={"product_id": product, "quantity": p["quantity"]})
    return Check(
        answer=AnswerCheck(kind="number", expected=(str(minutes(seconds)),)),
        state=(StateCheck(site="shopping", required=(change,)),),
    )


def _cart(page: Page, p: Params) -> Solver:
    yield from open_place(page, "Lumo Market Store")
    yield from page.click(
        "link",
        "Directions",
        near="Share",
        say=(
            "Press “Directions” under the name of the store.",
            "The green button “Directions” makes the store the destination.",
        ),
    )
    yield from page.type(
        "Start",
        p["start"],
        say=(
            f"The walk begins at “{p['start']}”: type that into “Start”.",
            f"Enter “{p['start']}” in the upper field.",
        ),
    )
    yield from page.click(
        "button",
        "Get directions",
        say=(
            "Have the walk worked out by “Get directions”.",
            "The button below the fields lists the routes; “On foot” is marked already.",
        ),
    )
    yield from page.reach_text("Step by step", what="the part “Step by step”")
    walk = (yield from page.reach_matches(r"^(\d+) min$", what="the line with the whole time"))[0].group(1)
    yield from page.click(
        "link",
        "B: Lumo Market Store",
        direction="up",
        what="the pin at the end of the blue line",
        say=(
            "Note the minutes of the first route, then click the pin B at the end of the line.",
            "The end of the route has a pin with the letter B, which leads back to the page of the store.",
        ),
    )
    yield from _to_the_shop(page)
    yield from page.search(p["product"])
    yield from open_listed(page, p["product"])
    yield from add_to_cart(page, p["product"], quantity=p["quantity"])
    yield from page.finish(
        walk,
        say=(
            "The shop has put the goods in the cart; answer with the minutes noted before.",
            "Both parts are done. What is left is to report how long the walk takes, as the map said.",
        ),
    )


TEMPLATES = (
    Template(
        id="map.ask_the_shop",
        sites=_SITES,
        start="__MAP__/",
        logins=_LOGINS,
        intents=(
            "Look up on the map when {place} closes on a {day}. Then write to the shop, by the contact form that the "
            "place's page links to: “{subject}: is [time] right for {day}?”, with the time as the map writes it.",
            "The map says until when {place} is open on a {day}. Ask the shop about it in its contact form (there is a "
            "link on the page of the place), in these words: “{subject}: is [time] right for {day}?” Put in the "
            "closing time as the map writes it.",
        ),
        params=_message_params,
        check=_message_check,
        solve=_message,
    ),
    Template(
        id="map.price_in_a_note",
        sites=_SITES,
        start="__MAP__/",
        logins=_LOGINS,
        intents=(
            "Save {place} on the map to my list “{list}”, with the price of the {product} in the web shop as the note "
            "(just the price, such as $12.00). The place's page has a link to the shop.",
            "I want {place} in my list “{list}” on the map. The note should be what the {product} costs in the shop "
            "that the page links to: only the amount, written like $12.00.",
        ),
        params=_price_params,
        check=_price_check,
        solve=_price,
    ),
    Template(
        id="map.walk_and_cart",
        sites=_SITES,
        start="__MAP__/",
        logins=_LOGINS,
        intents=(
            "How many minutes is the walk from {start} to the Lumo Market Store? And put {quantity} of the {product} "
            "in my cart in the web shop, which the store's page on the map links to.",
            "Find out on the map how many minutes I walk from {start} to the Lumo Market Store. From the store's page "
            "go to the web shop and add {quantity} × {product} to my cart. Answer with the minutes.",
        ),
        params=_cart_params,
        check=_cart_check,
        solve=_cart,
        wrong_value=lambda db, p: {**p, "quantity": p["quantity"] + 1},
    ),
)
