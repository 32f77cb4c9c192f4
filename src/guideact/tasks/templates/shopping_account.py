"""The customer's own data: addresses, phone number, newsletter, and a word to the shop."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.tasks.shop import open_account
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA, Params, Query, Template
from guideact.types import Change, Check, StateCheck


def _state(*required: Change) -> Check:
    return Check(state=(StateCheck(site="shopping", required=required),))


# --- a new address ------------------------------------------------------------------------------------------------

_PEOPLE = (
    ("Rosa", "Lopez", "77 Maple Avenue", "60614", "Chicago", "United States"),
    ("Jonas", "Berg", "Sveavägen 24", "11157", "Stockholm", "Sweden"),
    ("Aino", "Virtanen", "Hämeenkatu 9 B", "33100", "Tampere", "Finland"),
    ("Carla", "Neumann", "Lindenstraße 3", "50674", "Köln", "Germany"),
)


def _new_params(db: Query) -> Sequence[Params]:
    names = ("first_name", "last_name", "street", "postcode", "city", "country")
    return [dict(zip(names, person, strict=True)) for person in _PEOPLE]


def _new_check(db: Query, p: Params) -> Check:
    values = {name: {"~": value} for name, value in p.items()}
    return _state(
        Change(
            table="address",
            op="insert",
            values={**values, "customer_id": 1, "is_default_billing": 0, "is_default_shipping": 0},
        )
    )


def _new(page: Page, p: Params) -> Solver:
    yield from open_account(page, "Address book")
    yield from page.click(
        "link",
        "Add new address",
        say=(
            "Click “Add new address” at the top right of the address book.",
            "Your book lists what it has so far; a button above it starts an empty form.",
        ),
    )
    yield from page.type(
        "First name",
        p["first_name"],
        say=(
            f"Replace the first name by {p['first_name']}.",
            f"The parcel is for somebody else, so the first field has to read {p['first_name']}.",
        ),
    )
    yield from page.type(
        "Last name",
        p["last_name"],
        say=(
            f"Enter {p['last_name']} as the last name.",
            f"Next to it comes the family name, {p['last_name']}.",
        ),
    )
    yield from page.type(
        "Street address",
        p["street"],
        say=(
            f"Put {p['street']} in the field for the street.",
            f"Street and number share one long field: {p['street']}.",
        ),
    )
    yield from page.type(
        "Postcode",
        p["postcode"],
        say=(
            f"The postcode is {p['postcode']}.",
            f"Fill in {p['postcode']} below the street, on the left.",
        ),
    )
    yield from page.type(
        "City",
        p["city"],
        say=(
            f"Write {p['city']} into “City”.",
            f"To the right of the postcode, name the town: {p['city']}.",
        ),
    )
    yield from page.select(
        "Country",
        p["country"],
        say=(
            f"Choose {p['country']} as the country.",
            f"Countries come from a list, in which {p['country']} is the right entry.",
        ),
    )
    yield from page.click(
        "button",
        "Save address",
        say=(
            "Store the address with the button at the end of the form.",
            "Leave the two boxes about defaults empty and press “Save address”; the book shows one card more.",
        ),
    )
    yield from page.finish(
        say=(
            "The new card among the additional addresses is the proof that it was saved.",
            "A message tells you that the address was saved, and you are back in the book.",
        )
    )


# --- which address is the default ---------------------------------------------------------------------------------


def _default_params(db: Query) -> Sequence[Params]:
    rows = db.execute("SELECT id, street, city FROM address WHERE customer_id = 1 ORDER BY id").fetchall()
    return [
        {"street": row["street"], "city": row["city"], "use": use, "purpose": purpose}
        for row in rows[1:]
        for use, purpose in (("billing", "bills"), ("shipping", "parcels"))
    ]


def _default_check(db: Query, p: Params) -> Check:
    column = f"is_default_{p['use']}"
    new = db.execute("SELECT id FROM address WHERE street = ? AND customer_id = 1", (p["street"],)).fetchone()
    old = db.execute(f"SELECT id FROM address WHERE customer_id = 1 AND {column} = 1").fetchone()
    return _state(
        Change(table="address", op="update", where={"id": new["id"]}, values={column: 1}),
        Change(table="address", op="update", where={"id": old["id"]}, values={column: 0}),
    )


def _default(page: Page, p: Params) -> Solver:
    yield from open_account(page, "Address book")
    yield from page.click(
        "button",
        f"Use {p['street']}, {p['city']} as default {p['use']} address",
        what=f"the card of {p['street']}",
        say=(
            f"On the card of {p['street']}, click “Use for {p['use']}”.",
            f"Each further address offers two shortcuts at its foot. “Use for {p['use']}” on the card of {p['street']} "
            "is the one to press.",
        ),
    )
    yield from page.finish(
        say=(
            f"At the top of the book, the default {p['use']} address is now {p['street']}.",
            "The two cards at the beginning show what is used by default; the change can be seen there.",
        )
    )


def _default_by_form(page: Page, p: Params) -> Solver:
    yield from open_account(page, "Address book")
    yield from page.click(
        "link",
        f"Edit address {p['street']}",
        what=f"the card of {p['street']}",
        say=(
            f"Choose “Edit” on the card of {p['street']}.",
            f"Open the form of {p['street']}, for the default can be set there too.",
        ),
    )
    yield from page.click(
        "checkbox",
        f"Use as my default {p['use']} address",
        say=(
            f"Tick “Use as my default {p['use']} address”.",
            "Two boxes under the form decide what the address is used for; set the right one.",
        ),
    )
    yield from page.click(
        "button",
        "Save address",
        say=(
            "Keep the change with “Save address”.",
            "Nothing else needs to be touched, so save the form.",
        ),
    )
    yield from page.finish(
        say=(
            "The book names the address among the defaults now.",
            "It is done when the first cards of the book have changed.",
        )
    )


# --- a new phone number -------------------------------------------------------------------------------------------


def _phone_params(db: Query) -> Sequence[Params]:
    return [{"phone": phone} for phone in ("+1 512 555 0199", "+1 737 555 0123", "+358 40 555 0170")]


def _phone_check(db: Query, p: Params) -> Check:
    return _state(Change(table="customer", op="update", where={"id": 1}, values={"phone": p["phone"]}))


def _phone(page: Page, p: Params) -> Solver:
    yield from open_account(page, "My account")
    yield from page.click(
        "link",
        "Edit contact information",
        say=(
            "Follow “Edit contact information” under your name and e-mail address.",
            "The first card holds what the shop knows about you; a link below it opens that for editing.",
        ),
    )
    yield from page.type(
        "Phone number",
        p["phone"],
        say=(
            f"Overwrite the phone number with {p['phone']}.",
            f"Only the third field changes. It must read {p['phone']}.",
        ),
    )
    yield from page.click(
        "button",
        "Save",
        say=(
            "Press “Save” at the bottom of the form.",
            "With the number in place, save the form; your account page then shows it.",
        ),
    )
    yield from page.finish(
        say=(
            "You see the new number on your account page.",
            "A message confirms that the information was saved, which is the end of it.",
        )
    )


# --- the newsletter -----------------------------------------------------------------------------------------------


def _letter_params(db: Query) -> Sequence[Params]:
    return [{"email": email} for email in ("nora.quist@example.net", "piet@example.org", "hana.sato@example.com")]


def _letter_check(db: Query, p: Params) -> Check:
    values = {"email": p["email"], "status": "subscribed", "customer_id": None}
    return _state(Change(table="newsletter_subscriber", op="insert", values=values))


def _letter(page: Page, p: Params) -> Solver:
    yield from page.type(
        "Email address for the newsletter",
        p["email"],
        what="the form for the newsletter, at the foot of the page",
        say=(
            f"Enter {p['email']} in the field at the foot of the page.",
            f"The dark band near the end of the page asks for an address: {p['email']}.",
        ),
    )
    yield from page.click(
        "button",
        "Subscribe",
        say=(
            "Press “Subscribe” beside it.",
            "The button to the right of the address signs it up, and the shop says thank you.",
        ),
    )
    yield from page.finish(
        say=(
            "The shop thanks for the subscription at the top of the page.",
            "No further confirmation is asked for, so this was all.",
        )
    )


# --- a message to the shop ----------------------------------------------------------------------------------------

_MESSAGES = (
    ("Spare lid", "Can I buy a spare lid for the Whistle Kettle 2.0 L?"),
    ("Opening hours at Easter", "Is your store in Helsinki open on Good Friday?"),
    ("Invoice address", "Please send future invoices to my office address."),
    ("Gift wrapping", "Do you wrap presents, and what does it cost?"),
)


def _message_params(db: Query) -> Sequence[Params]:
    return [{"subject": subject, "body": body} for subject, body in _MESSAGES]


def _message_check(db: Query, p: Params) -> Check:
    row = db.execute("SELECT first_name || ' ' || last_name AS name, email FROM customer WHERE id = 1").fetchone()
    values = {"name": row["name"], "email": row["email"], "subject": {"~": p["subject"]}, "body": {"~": p["body"]}}
    return _state(Change(table="contact_message", op="insert", values=values))


def _fill_message(page: Page, p: Params) -> Solver:
    yield from page.type(
        "Subject",
        p["subject"],
        say=(
            f"Give the message the subject “{p['subject']}”.",
            f"Your name and address are filled in already. What it is about goes into “Subject”: “{p['subject']}”.",
        ),
    )
    yield from page.type(
        "What is on your mind?",
        p["body"],
        say=(
            f"Write your question in the large box: “{p['body']}”",
            f"The box at the end of the form is for the text itself, “{p['body']}”.",
        ),
    )
    yield from page.click(
        "button",
        "Send message",
        say=(
            "Send it off with the button “Send message”.",
            "Below the text is the button that hands the message over, which is answered within a day.",
        ),
    )
    yield from page.finish(
        say=(
            "The shop confirms at the top that it has received the message.",
            "An empty form and a word of thanks mean that it is on its way.",
        )
    )


def _message(page: Page, p: Params) -> Solver:
    yield from page.click(
        "link",
        "Contact us",
        direction="up",
        say=(
            "Click “Contact us” in the thin line at the very top.",
            "Above the logo runs a line of small links, and “Contact us” is at its right end.",
        ),
    )
    yield from _fill_message(page, p)


def _message_from_help(page: Page, p: Params) -> Solver:
    yield from page.reach_text("Your account", what="the links at the foot of the page")
    yield from page.click(
        "link",
        "Contact us",
        near="Help",
        say=(
            "Under “Help”, at the foot of the page, choose “Contact us”.",
            "The column “Help” among the last links of the page has the form you need.",
        ),
    )
    yield from _fill_message(page, p)


TEMPLATES = (
    Template(
        id="shopping.address_new",
        sites=("shopping",),
        logins={"shopping": EMMA},
        intents=(
            "Save a new address in my address book: {first_name} {last_name}, {street}, {postcode} {city}, {country}. "
            "My defaults stay as they are.",
            "I send presents to {first_name} {last_name} now and then. Keep the address in my book, not as a default: "
            "{street}, {postcode} {city}, {country}.",
        ),
        params=_new_params,
        check=_new_check,
        solve=_new,
        wrong_value=lambda db, p: {**p, "street": p["street"].replace("9", "6").replace("7", "1") + "a"},
    ),
    Template(
        id="shopping.address_default",
        sites=("shopping",),
        logins={"shopping": EMMA},
        intents=(
            "From now on, {purpose} should go to {street} by default: make it my default {use} address.",
            "Make {street} in {city} my default {use} address, and change nothing else.",
        ),
        params=_default_params,
        check=_default_check,
        solve=_default,
        second_route=_default_by_form,
    ),
    Template(
        id="shopping.phone",
        sites=("shopping",),
        logins={"shopping": EMMA},
        intents=(
            "I have a new phone number, {phone}. Update my account.",
            "Please change the phone number of my account to {phone}.",
        ),
        params=_phone_params,
        check=_phone_check,
        solve=_phone,
        wrong_value=lambda db, p: {**p, "phone": p["phone"][:-1] + "8"},
    ),
    Template(
        id="shopping.newsletter",
        sites=("shopping",),
        intents=(
            "Subscribe {email} to the shop's newsletter.",
            "A friend without an account wants the weekly letter. Sign up {email}.",
        ),
        params=_letter_params,
        check=_letter_check,
        solve=_letter,
        wrong_value=lambda db, p: {**p, "email": "x" + p["email"]},
    ),
    Template(
        id="shopping.contact",
        sites=("shopping",),
        logins={"shopping": EMMA},
        intents=(
            "Send the shop a message with the subject “{subject}”: “{body}”",
            "I have a question for the shop. Write to them, subject “{subject}”, text “{body}”",
        ),
        params=_message_params,
        check=_message_check,
        solve=_message,
        second_route=_message_from_help,
        wrong_value=lambda db, p: {**p, "body": p["body"] + " Or not?"},
    ),
)
