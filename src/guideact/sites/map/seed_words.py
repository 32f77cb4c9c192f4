"""The words of the map's seed: what members write about places, keep in lists, report and look for."""

from __future__ import annotations

__all__ = ["LISTS", "OPENINGS", "OWN_REVIEWS", "REMARKS", "REPORTS", "SEARCHES"]

OWN_REVIEWS: tuple[tuple[str, str, int, int, int, str], ...] = (
    ("b1", "gracie_b", 5, 40, 9, "Collected my order in two minutes, then spent an hour with the lamps upstairs."),
    (
        "b1",
        "tuomasn",
        3,
        21,
        4,
        "Friendly, but only half of the catalogue is on show. Is the tent in the window for sale?",
    ),
    ("b1", "zoe_p", 4, 9, 2, "Good advice on kettles. It closes at four on Saturdays, so do not come after lunch."),
    ("b1", "eerola", 4, 118, 6, "They let me plug in every kettle of ours. As the maker of some of them I approve."),
    (
        "b2",
        "astrid_l",
        5,
        33,
        11,
        "The linen is on the second floor and worth the stairs. They mended a cup that I had given up.",
    ),
    ("b2", "jweiss", 4, 61, 3, "Beautiful house. The lift was out of order when I was there."),
    (
        "b2",
        "hanasato",
        5,
        190,
        8,
        "The quietest shop on the Esplanadi. The blue bowls are even bluer than in the pictures.",
    ),
    (
        "b3",
        "saaral",
        5,
        15,
        12,
        "I look after it, so I am no judge, but the long table by the window is the best desk in town.",
    ),
    ("b3", "villeh", 4, 72, 5, "Quiet, warm, and the shelf finder on the screen really finds shelves."),
    ("b3", "owen_c", 5, 230, 7, "They had a crime novel of ours that we no longer have ourselves."),
    ("b4", "ainov", 5, 12, 14, "My brakes squeal no more. They showed me how, so next time I can do it myself."),
    ("b4", "sofi_bcn", 4, 48, 6, "Honest people. Closed on Mondays, as I found out with a flat tyre."),
    ("b4", "mikkos", 5, 160, 9, "Twenty years of my gears in one place. Ask for the stand by the door."),
    ("b4", "astrid_l", 2, 203, 1, "Three days became eight. The repair itself was fine."),
    (
        "b5",
        "maxschulz",
        4,
        27,
        3,
        "Nice open evening, bad coffee. Ring the lower bell, the upper one belongs to a dentist.",
    ),
    (
        "b6",
        "liv_carter",
        4,
        90,
        5,
        "Came for the lamps last year. The light in the hall itself is terrible, which is rather funny.",
    ),
    ("b6", "luki_hh", 3, 330, 2, "Large and draughty. Take a coat, even in April."),
    ("b7", "isa_ramos", 5, 18, 10, "As good as at home in Lisbon. The grinder is louder than I remember building it."),
    ("b7", "venlak", 4, 29, 4, "Best espresso near the station. Six stools are not many at half past eight."),
    ("b7", "noahf", 3, 77, 1, "Good coffee, no conversation possible."),
    ("b8", "ruthg", 4, 35, 8, "My kettle came back after six days with a new switch and a note about limescale."),
    ("b8", "elina_m", 5, 101, 5, "They had a part for a toaster from 1974."),
    ("b9", "pablo_n", 5, 66, 4, "I brought one record and stayed for four."),
    ("b9", "dkim", 4, 140, 6, "As a competitor: the room is better than ours."),
    ("b10", "marie.d", 4, 54, 3, "A well-kept corner. The table to try the pens at is always covered in signatures."),
    ("b11", "freya_d", 5, 44, 9, "The kettle is slow, as it should be. Try the smoked one."),
    ("b11", "ellar", 2, 83, 2, "Forty minutes for a pot. I know that it is the idea, but my train did not."),
    (
        "b12",
        "ethanb",
        5,
        150,
        7,
        "My own shop, so read this as you like: the wall of maps is the best thing we ever did.",
    ),
    ("b12", "millak", 4, 25, 5, "They know their compasses. The boots are sold by people who walk."),
    ("b13", "ainov", 3, 14, 3, "Easy to find, and open late. At five in the afternoon the queue reaches the door."),
    (
        "n307465178",
        "emma_l",
        4,
        300,
        2,
        "A table at the window and the cathedral in full view. The soup was better than the cake.",
    ),
    ("w8033120", "emma_l", 5, 298, 6, "Went for one hour and stayed for three. Closed on Mondays!"),
    ("w596937289", "emma_l", 5, 297, 4, "A library with sewing machines and a view. I want one in Austin."),
)
"""(place, who, stars, days ago, how many found it helpful, text)."""

OPENINGS: dict[int, tuple[str, ...]] = {
    2: ("I had hoped for more.", "Not my kind of place.", "Once was enough.", "Disappointing."),
    3: ("All right.", "Neither good nor bad.", "Fine if you are nearby.", "Mixed feelings."),
    4: ("I come here often.", "A good find.", "Recommended by a friend, and rightly so.", "Happy to come back."),
}
"""By stars; four and five share theirs."""

_FOOD = (
    (
        "The staff remembered what I had ordered last time.",
        "Go early, at noon there is a queue.",
        "Fair prices for this part of town.",
        "The lunch is simple and fresh.",
        "There is always a seat at the back.",
    ),
    ("The food was good, the music was not.", "Nice people, small portions.", "It took a while, but it came warm."),
    ("We waited for half an hour.", "Too loud to talk.", "The card machine was broken and nobody had told us."),
)
_SHOP = (
    (
        "Somebody who knows the goods has time for you.",
        "Everything is where one looks for it.",
        "They ordered what was missing, and it came in two days.",
        "Small, but they have the right things.",
    ),
    ("The choice is smaller than it was.", "Helpful people, hurried air.", "Prices are a little above the others."),
    ("Nobody to ask anything.", "The shelves were half empty.", "They closed ten minutes before the time on the door."),
)
_SIGHT = (
    (
        "Take your time for the upper floor.",
        "On a weekday morning you have it to yourself.",
        "The guided tour is worth the extra half hour.",
        "Good for an hour when it rains.",
    ),
    ("Interesting, but the signs could be larger.", "Half of it was being rebuilt.", "Fine for one visit."),
    ("Crowded and warm.", "The cloakroom was full.", "Less to see than the poster promises."),
)
_BED = (
    ("Quiet rooms to the yard.", "The breakfast alone is worth it.", "Five minutes from the station on foot."),
    ("Clean, but the walls are thin.", "Good bed, small window.", "The lift takes its time."),
    ("The heating could not be turned down.", "Check-in took an hour.", "Trams under the window from five on."),
)
REMARKS = {
    "cafes": _FOOD,
    "restaurants": _FOOD,
    "bars": _FOOD,
    "bakeries": _FOOD,
    "fast-food": _FOOD,
    "museums": _SIGHT,
    "galleries": _SIGHT,
    "theatres": _SIGHT,
    "libraries": _SIGHT,
    "hotels": _BED,
    "pharmacies": _SHOP,
    "supermarkets": _SHOP,
    "bookshops": _SHOP,
    "bicycle-shops": _SHOP,
    "home": _SHOP,
    "electronics": _SHOP,
    "sport-shops": _SHOP,
}
"""By category: praise, something in between, complaints."""

LISTS: tuple[tuple[str, str, str, bool, int, tuple[tuple[str, str, str], ...]], ...] = (
    (
        "emma_l",
        "Lamp Week",
        "For the trip in April. Everything on foot, please.",
        False,
        30,
        (
            ("b6", "red", "Fair ground. Tickets are in the blue folder."),
            ("b2", "blue", "Ask about the repair desk."),
            ("b1", "green", "Collect the order here."),
            ("w596937289", "purple", "If it rains."),
            ("b7", "orange", "Breakfast."),
        ),
    ),
    (
        "emma_l",
        "Coffee and cake",
        "",
        True,
        280,
        (
            ("n307465178", "green", "The soup, not the cake."),
            ("n151006533", "red", ""),
            ("n606996900", "purple", "Ask for the sofa upstairs."),
            ("b11", "yellow", "Bring time."),
        ),
    ),
    (
        "emma_l",
        "Rainy afternoons",
        "Museums and long tables.",
        False,
        120,
        (
            ("w8033120", "orange", "Closed on Mondays."),
            ("w8042215", "blue", ""),
            ("b3", "red", "The long table by the window."),
            ("n5887336141", "green", "Go in through the cinema."),
        ),
    ),
    (
        "emma_l",
        "To be sorted",
        "",
        False,
        8,
        (("n6049453002", "blue", ""), ("60.16783,24.95253", "red", "Bench with a view.")),
    ),
    (
        "venlak",
        "Where we eat at work",
        "For new colleagues at Lumo Market.",
        True,
        210,
        (("n151006533", "blue", "Fridays."), ("b7", "orange", "Quick."), ("n1379054406", "green", "Salads.")),
    ),
    (
        "villeh",
        "Good bicycle parking",
        "Roofed, or at least seen by many people.",
        True,
        95,
        (("b4", "red", "Mine."), ("w596937289", "blue", "North side."), ("b3", "green", "")),
    ),
    (
        "mikkos",
        "Harbour Code Camp",
        "What guests ask for.",
        True,
        20,
        (("b5", "red", ""), ("w123814071", "orange", "Lunch.")),
    ),
    (
        "saaral",
        "Places to read",
        "Besides ours.",
        True,
        150,
        (("b3", "red", ""), ("n369550855", "blue", "The dome."), ("w596937289", "purple", "")),
    ),
)
"""(owner, name, description, public, days ago, ((place, colour, note), ...))."""

REPORTS: tuple[tuple[str, str, str, str, int, str], ...] = (
    ("emma_l", "n606996900", "hours", "The hours are missing. The door says Mon to Sat from 9.", 270, "checked"),
    ("emma_l", "b7", "missing", "There is seating outside from May on.", 60, "mended"),
    ("villeh", "n299983771", "moved", "The post office has moved to the corner.", 45, "new"),
    ("ainov", "b13", "hours", "On Sundays it closes at six, not at five.", 31, "mended"),
    ("saaral", "n1007994731", "name", "The library was renamed.", 18, "checked"),
    ("mikkos", "b5", "other", "The upper bell is not ours.", 12, "declined"),
    ("venlak", "n1369465571", "closed", "Gone since the new year.", 6, "new"),
)
"""(who, place, kind, details, days ago, status)."""

SEARCHES: tuple[tuple[str, int, int, str], ...] = (
    ("emma_l", 300, 40, "Cafe Engel"),
    ("emma_l", 298, 15, "Ateneum"),
    ("emma_l", 297, 210, "library"),
    ("emma_l", 60, 30, "espresso"),
    ("emma_l", 31, 12, "Cable Hall"),
    ("emma_l", 31, 9, "Vuorikatu 14"),
    ("emma_l", 30, 75, "Nordvik House"),
    ("emma_l", 12, 20, "pharmacy"),
    ("emma_l", 3, 55, "bicycle parking"),
    ("emma_l", 1, 5, "Lumo Market Store"),
    ("villeh", 4, 2, "Töölönlahdenkatu"),
    ("ainov", 2, 44, "Apteekki"),
)
"""(who, days ago, minutes, query)."""
