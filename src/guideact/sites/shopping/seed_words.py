"""Settings, promotions, the shop's own pages, messages and search terms, all written by hand."""

# ruff: noqa: E501  prose and tables, kept one entry a line

from __future__ import annotations

import sqlite3
from datetime import date

from guideact.sites.shopping.pricing import SETTING_DEFAULTS, Promotion, PromotionKind
from guideact.sites.state import fold

__all__ = ["insert_messages", "insert_pages", "insert_promotions", "insert_search_terms", "insert_settings"]

SETTINGS: dict[str, str] = {
    **SETTING_DEFAULTS,
    "general.store_name": "Lumo Market",
    "general.timezone": "Europe/Helsinki",
    "general.locale": "en_US",
    "general.currency": "USD",
    "general.weight_unit": "g",
    "general.first_day_of_week": "Monday",
    "store.email": "hello@lumo-market.example",
    "store.phone": "+358 9 555 0100",
    "store.street": "Bulevardi 12",
    "store.city": "Helsinki",
    "store.postcode": "00120",
    "store.country": "Finland",
    "store.opening_hours": "Mon-Fri 9:00-18:00, Sat 10:00-16:00",
    "tax.display": "excluding",
    "tax.based_on": "shipping address",
    "payment.card_enabled": "1",
    "payment.invoice_enabled": "1",
    "payment.cash_on_delivery_enabled": "1",
    "payment.invoice_days": "14",
    "email.order_copy_to": "orders@lumo-market.example",
    "email.sender_name": "Lumo Market",
    "email.send_shipment_notice": "1",
    "catalog.products_per_page": "24",
    "catalog.low_stock": "5",
    "catalog.allow_guest_reviews": "1",
    "catalog.reviews_need_approval": "1",
    "catalog.show_out_of_stock": "1",
    "customer.default_group": "General",
    "customer.guest_checkout": "1",
    "newsletter.confirm_by_email": "0",
}


def insert_settings(connection: sqlite3.Connection) -> None:
    """The shop's settings, grouped by the part before the dot."""
    connection.executemany("INSERT INTO setting (key, value) VALUES (?, ?)", sorted(SETTINGS.items()))


# name, description, code, kind, amount, minimum, group, from, until, active
_PROMOTIONS: tuple[tuple[str, str, str, PromotionKind, int, int, str, str, str, bool], ...] = (
    ("Welcome discount", "Ten percent for everyone who is new to the shop.", "WELCOME10", "percent", 10, 0, "", "", "", True),
    ("Spring delivery", "Standard delivery is on us in March, from 40 dollars.", "SPRINGSHIP", "free_shipping", 0, 4000, "",
     "2026-03-01", "2026-03-31", True),
    ("Twenty off two hundred", "A round sum off a large order.", "TAKE20", "fixed", 2000, 20000, "", "2025-09-01", "2026-12-31", True),
    ("Black Friday 2025", "A quarter off everything, for four days.", "BLACK25", "percent", 25, 0, "", "2025-11-27", "2025-11-30", True),
    ("Summer picnic", "Fifteen percent for the warm weeks.", "PICNIC15", "percent", 15, 3000, "", "2025-06-15", "2025-08-15", True),
    ("Back to school", "Five dollars off bags, books and pens.", "SCHOOL5", "fixed", 500, 2500, "", "2025-08-10", "2025-09-15", True),
    ("Wholesale terms", "Eight percent on every order of wholesale customers.", "", "percent", 8, 0, "Wholesale", "2025-01-01", "", True),
    ("Retailer terms", "Five percent on every order of retailers.", "", "percent", 5, 0, "Retailer", "2025-01-01", "", True),
    ("Newsletter thank-you", "For readers of the weekly letter.", "LETTER7", "percent", 7, 2000, "", "2025-03-01", "", True),
    ("Winter delivery", "Free delivery over the holidays.", "WINTERSHIP", "free_shipping", 0, 0, "", "2025-12-01", "2026-01-06", True),
    ("New Year", "Start the year with 12 percent off.", "NEWYEAR12", "percent", 12, 5000, "", "2026-01-01", "2026-01-31", True),
    ("Easter basket", "Ten dollars off from 80 dollars.", "EASTER10", "fixed", 1000, 8000, "", "2026-03-28", "2026-04-07", True),
    ("Staff discount", "For people who work here. Not to be passed on.", "STAFF30", "percent", 30, 0, "", "", "", False),
    ("Press sample", "Half price for reviewers in the press.", "PRESS50", "percent", 50, 0, "", "2025-01-01", "2025-12-31", False),
    ("Old customers' club", "Replaced by the newsletter's code.", "CLUB6", "percent", 6, 0, "", "2025-01-01", "", False),
)  # fmt: skip


def insert_promotions(connection: sqlite3.Connection) -> list[Promotion]:
    """Insert the promotions; as `pricing` knows them."""
    found = []
    for key, (name, description, code, kind, amount, minimum, group, starts, ends, active) in enumerate(_PROMOTIONS, 1):
        connection.execute(
            "INSERT INTO promotion (id, name, description, code, kind, amount, minimum_cents, customer_group, starts_on,"
            " ends_on, is_active) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (key, name, description, code, kind, amount, minimum, group, starts or None, ends or None, int(active)),
        )
        found.append(
            Promotion(
                id=key,
                name=name,
                kind=kind,
                amount=amount,
                code=code,
                minimum_cents=minimum,
                customer_group=group,
                starts_on=date.fromisoformat(starts) if starts else None,
                ends_on=date.fromisoformat(ends) if ends else None,
                is_active=active,
            )
        )
    return found


_PAGES: tuple[tuple[str, str, str, bool, str], ...] = (
    ("about-us", "About us", "2025-10-02", True, """
<p>Lumo Market began in 2011 as a stall with eleven mugs and a borrowed till. Today we are twenty-four people on Bulevardi in
Helsinki, and we still choose every product at a table, by hand, after living with it for a month.</p>
<h2>What we look for</h2>
<ul><li>Things that can be repaired, by you or by their maker.</li><li>Makers who answer the telephone.</li>
<li>Prices that we would pay ourselves.</li></ul>
<h2>The shop in numbers</h2>
<table><thead><tr><th>Year</th><th>People</th><th>Products</th></tr></thead><tbody>
<tr><td>2011</td><td>2</td><td>11</td></tr><tr><td>2016</td><td>7</td><td>94</td></tr>
<tr><td>2021</td><td>15</td><td>212</td></tr><tr><td>2026</td><td>24</td><td>336</td></tr></tbody></table>
<h2>Visit us</h2><p>Bulevardi 12, 00120 Helsinki. Monday to Friday 9:00-18:00, Saturday 10:00-16:00.</p>"""),
    ("delivery-and-returns", "Delivery and returns", "2026-01-15", True, """
<h2>Delivery</h2>
<table><thead><tr><th>Method</th><th>Time</th><th>Price</th></tr></thead><tbody>
<tr><td>Standard delivery</td><td>3 to 5 working days</td><td>$5.90, free from $100</td></tr>
<tr><td>Express delivery</td><td>the next working day</td><td>$14.90</td></tr>
<tr><td>Store pickup</td><td>ready in two hours</td><td>free</td></tr></tbody></table>
<p>You receive the tracking number by mail as soon as the parcel leaves us. We deliver with DHL, UPS, FedEx and Posti.</p>
<h2>Returns</h2>
<p>You may return anything within thirty days, unused and in its box. Write to us first, so that we can send you the label.</p>
<ul><li>Return parcels are free in the European Union.</li><li>Outside of it the label costs $9.00.</li>
<li>Books and plants can only be returned when they arrive damaged.</li></ul>
<h2>Refunds</h2><p>We pay the money back within five working days after the parcel has reached us, in the way in which you paid.</p>"""),
    ("size-guide", "Size guide", "2025-09-20", True, """
<h2>Tops and jackets</h2>
<table><thead><tr><th>Size</th><th>Chest</th><th>Waist</th></tr></thead><tbody>
<tr><td>S</td><td>88-95 cm</td><td>73-80 cm</td></tr><tr><td>M</td><td>96-103 cm</td><td>81-88 cm</td></tr>
<tr><td>L</td><td>104-111 cm</td><td>89-97 cm</td></tr><tr><td>XL</td><td>112-120 cm</td><td>98-107 cm</td></tr></tbody></table>
<h2>Shoes and boots</h2>
<table><thead><tr><th>EU</th><th>UK</th><th>US</th><th>Foot length</th></tr></thead><tbody>
<tr><td>37</td><td>4</td><td>6.5</td><td>23.5 cm</td></tr><tr><td>38</td><td>5</td><td>7.5</td><td>24.1 cm</td></tr>
<tr><td>39</td><td>6</td><td>8.5</td><td>24.8 cm</td></tr><tr><td>40</td><td>6.5</td><td>9</td><td>25.4 cm</td></tr>
<tr><td>41</td><td>7.5</td><td>10</td><td>26.0 cm</td></tr><tr><td>42</td><td>8</td><td>10.5</td><td>26.7 cm</td></tr>
<tr><td>43</td><td>9</td><td>11.5</td><td>27.3 cm</td></tr><tr><td>44</td><td>9.5</td><td>12</td><td>27.9 cm</td></tr>
<tr><td>45</td><td>10.5</td><td>13</td><td>28.6 cm</td></tr></tbody></table>
<p>Between two sizes? Take the larger one for boots and the smaller one for everything knitted.</p>"""),
    ("payment-methods", "Ways to pay", "2025-11-11", True, """
<p>You choose how to pay in the last step of the checkout.</p>
<ul><li><strong>Credit card.</strong> You enter your card on the bank's page once the order is placed.</li>
<li><strong>Invoice.</strong> Payable within 14 days of delivery.</li>
<li><strong>Cash on delivery.</strong> You pay the courier when the parcel arrives. Please have the exact sum ready.</li></ul>
<p>Prices are in US dollars. Eight percent tax is added in the checkout.</p>"""),
    ("privacy-policy", "Privacy policy", "2025-05-25", True, """
<p>We keep what we need to send you a parcel, and nothing that we do not.</p>
<h2>What we store</h2><ul><li>Your name, addresses and orders, for as long as tax law asks us to: ten years.</li>
<li>Your reviews, under the nickname you choose.</li><li>Your mail address for the newsletter, until you unsubscribe.</li></ul>
<h2>What we never do</h2><ul><li>Sell or rent any of it.</li><li>Build profiles.</li><li>Write to you more than once a week.</li></ul>
<h2>Your rights</h2><p>Write to privacy@lumo-market.example and we will show, correct or delete your data within 30 days.</p>"""),
    ("terms-of-sale", "Terms of sale", "2025-05-25", True, """
<p>The contract is made when we confirm the order by mail. Until the parcel leaves us you may cancel it without giving a reason.</p>
<h2>Guarantee</h2><p>Everything we sell carries a guarantee of two years, some things a longer one; the product's page says so.</p>
<h2>Mistakes</h2><p>If a price is obviously wrong we may withdraw from the sale. That has happened twice in fifteen years.</p>"""),
    ("sustainability", "Sustainability", "2025-04-22", True, """
<p>We publish our numbers every April. In 2025 one parcel caused 0.61 kg of carbon dioxide, 14 percent less than the year before.</p>
<ul><li>All boxes are made of recycled card.</li><li>The warehouse runs on wind power.</li>
<li>Returned goods are repaired and sold on the first Saturday of each month.</li></ul>"""),
    ("gift-wrapping", "Gift wrapping and messages", "2025-11-20", True, """
<p>Add a message of up to 200 letters in the checkout. We print it on a card and leave the invoice out of the parcel.</p>
<p>Wrapping is free. We use brown paper and a linen ribbon, in one colour only, so that nobody has to choose.</p>"""),
    ("careers", "Work with us", "2026-02-27", True, """
<p>Two places are open at the moment:</p>
<ul><li><strong>Warehouse lead</strong>, full time, Helsinki. Apply by March 31, 2026.</li>
<li><strong>Product photographer</strong>, 60 percent, Helsinki or remote. Apply by April 12, 2026.</li></ul>
<p>Write to jobs@lumo-market.example. A letter is enough; we read all of them.</p>"""),
    ("press", "Press", "2025-10-30", True, """
<p>Pictures and facts for journalists. Contact: Morgan Hale, press@lumo-market.example, +358 9 555 0107.</p>
<p>“The last shop on the street that still irons its ribbons.” Bulevardi Post, December 2024</p>"""),
    ("black-friday-2025", "Black Friday 2025", "2025-11-24", False, """
<p>A quarter off everything from November 27 to November 30, 2025, with the code BLACK25.</p>"""),
    ("summer-lookbook-2025", "Summer lookbook 2025", "2025-05-30", False, """
<p>Twelve outfits for the long evenings, photographed on Suomenlinna.</p>"""),
)  # fmt: skip


def insert_pages(connection: sqlite3.Connection) -> None:
    """The shop's own pages."""
    connection.executemany(
        "INSERT INTO cms_page (slug, title, updated_at, is_active, body) VALUES (?, ?, ?, ?, ?)",
        [
            (slug, title, f"{day} 11:00:00", int(active), " ".join(body.strip().splitlines()))
            for slug, title, day, active, body in _PAGES
        ],
    )


# name, mail, telephone, subject, body, read, day
_MESSAGES: tuple[tuple[str, str, str, str, str, int, str], ...] = (
    ("Grace Bennett", "grace.bennett@example.com", "", "Where is my parcel?",
     "The tracking page has said “in the sorting centre” for six days now. Could you please ask the carrier?", 1, "2026-01-12"),
    ("Tom Archer", "tom.archer@example.net", "+44 20 555 0190", "Bulk order of mugs",
     "We would like 120 Harbour mugs for a conference in May. Do you give a discount on such a number?", 1, "2026-01-20"),
    ("Hannah Müller", "hannah.muller@example.net", "", "Missing screw",
     "The box of the Studio Chair held seven screws instead of eight. Could you send one more?", 1, "2026-01-27"),
    ("Lise Aubert", "lise.aubert@example.org", "", "Collaboration",
     "I write about small kitchens and would love to try the Steam & Simmer Set for an article.", 0, "2026-02-02"),
    ("Kenji Watanabe", "kenji.watanabe@example.net", "+81 3 555 0121", "Voltage of the kettle",
     "Does the Variable Electric Kettle work with 100 volts? I could not find it on the page.", 1, "2026-02-05"),
    ("Carmen Ortega", "carmen.ortega@example.net", "", "Change of address",
     "I moved last week. My account has the new address, but the newsletter still goes to my old mail.", 1, "2026-02-11"),
    ("Miriam Stone", "miriam.stone@example.com", "", "Gift card",
     "Do you sell gift cards? My sister can never decide.", 0, "2026-02-14"),
    ("Ville Heikkinen", "ville.heikkinen@example.net", "+358 40 555 0163", "Invoice needed",
     "Please send me the invoice for my last order once more; my employer needs it as a PDF.", 1, "2026-02-19"),
    ("Noor Haddad", "noor.haddad@example.net", "", "Size of the Trail Pack",
     "I am 1.62 m tall. Is the short back length the right one for me?", 0, "2026-02-24"),
    ("Daniel Kim", "daniel.kim@example.org", "", "Headphones crackle",
     "The left ear of my Quiet One crackles when I walk. It is four months old. How do I use the guarantee?", 0, "2026-03-01"),
    ("Paul Ferrand", "paul.ferrand@example.com", "", "Return to the store",
     "Can I bring a parcel back to the store on Bulevardi instead of sending it?", 1, "2026-03-04"),
    ("Ella Rantanen", "ella.rantanen@example.org", "", "Praise",
     "The ribbon was ironed! I have never seen that. Thank you for a lovely parcel.", 0, "2026-03-07"),
    ("Jorge Blanco", "jorge.blanco@example.org", "+34 91 555 0134", "Spare lid",
     "My Cast Iron Casserole fell and the lid broke. Can I buy the lid alone?", 0, "2026-03-10"),
    ("Freya Douglas", "freya.douglas@example.org", "", "Back in stock?",
     "When will the Leather Tote be available again? I would wait until May.", 0, "2026-03-13"),
    ("Anonymous", "nobody@example.com", "", "Cookie banner",
     "Your cookie banner is the only polite one I have met this year.", 0, "2026-03-15"),
)  # fmt: skip


def insert_messages(connection: sqlite3.Connection) -> None:
    """What people wrote through the contact page."""
    connection.executemany(
        "INSERT INTO contact_message (name, email, phone, subject, body, is_read, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [(*message[:6], f"{message[6]} 14:{10 + at}:00") for at, message in enumerate(_MESSAGES)],
    )


_SEARCHES = {
    "mug": 214, "kettle": 133, "lamp": 187, "backpack": 171, "headphones": 166, "rain coat": 41, "bike": 158, "helmet": 92,
    "sofa": 77, "notebook": 119, "candle": 64, "teapot": 38, "umbrella": 83, "watch": 105, "scarf": 71, "boots": 96,
    "bottle": 128, "tent": 69, "plant": 142, "bear": 58, "gift card": 47, "vase": 61, "speaker": 88, "phone case": 54,
    "beanie": 49, "nordvik": 66, "trailhead": 59, "kids": 101, "wooden racer": 22, "cast iron": 31, "planner 2026": 44,
    "fountain pen": 35, "espresso": 29, "air fryer": 27, "camera": 86, "football": 73, "kite": 33, "breton top": 26,
    "hoodie": 62, "running shoes": 39, "soup": 18, "e-reader": 24,
}  # fmt: skip


def insert_search_terms(connection: sqlite3.Connection) -> None:
    """What visitors searched for, and how many products have all the words in what the search looks at."""
    texts = [
        fold(f"{name} {brand} {sku} {material} {category}")
        for name, brand, sku, material, category in connection.execute(
            "SELECT p.name, p.brand, p.sku, p.material, c.name FROM product p JOIN category c ON c.id = p.category_id"
        ).fetchall()
    ]
    connection.executemany(
        "INSERT INTO search_term (term, results, uses) VALUES (?, ?, ?)",
        [
            (term, sum(all(word in text for word in fold(term).split()) for text in texts), uses)
            for term, uses in sorted(_SEARCHES.items())
        ],
    )
