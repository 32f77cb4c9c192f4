"""What kinds of places there are: names for OpenStreetMap's tags, and the categories that the map offers."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["CATEGORIES", "Category", "category_of", "kind_name"]


@dataclass(frozen=True)
class Category:
    """A group of kinds. `kinds` are tags as `key=value`; `colour` is that of its markers, `icon` a symbol's name."""

    slug: str
    plural: str
    singular: str
    icon: str
    colour: str
    kinds: frozenset[str]
    top: bool = False
    """Offered as a button above the map."""


def _categories(lines: str) -> tuple[Category, ...]:
    made = []
    for line in lines.strip().splitlines():
        slug, plural, singular, icon, colour, kinds, *top = (part.strip() for part in line.split("|"))
        made.append(Category(slug, plural, singular, icon, colour, frozenset(kinds.split()), bool(top)))
    return tuple(made)


CATEGORIES = _categories("""
cafes | Cafés | Café | cup | #9a5b1f | amenity=cafe | top
restaurants | Restaurants | Restaurant | fork | #c2410c | amenity=restaurant amenity=food_court | top
museums | Museums | Museum | museum | #6d28d9 | tourism=museum | top
hotels | Hotels | Hotel | bed | #be185d | tourism=hotel tourism=hostel | top
pharmacies | Pharmacies | Pharmacy | cross | #047857 | amenity=pharmacy shop=medical_supply | top
supermarkets | Supermarkets | Supermarket | basket | #1d4ed8 | shop=supermarket shop=convenience shop=grocery | top
bicycle-parking | Bicycle parking | Bicycle parking | bike | #0f766e | amenity=bicycle_parking | top
fast-food | Fast food | Fast food | burger | #c2410c | amenity=fast_food
bars | Bars and pubs | Bar or pub | glass | #a16207 | amenity=bar amenity=pub amenity=nightclub
bakeries | Bakeries and sweets | Bakery | cup | #9a5b1f | shop=bakery shop=confectionery shop=deli
bookshops | Bookshops | Bookshop | book | #1d4ed8 | shop=books shop=stationery
bicycle-shops | Bicycle shops | Bicycle shop | bike | #0f766e | shop=bicycle amenity=bicycle_repair_station
city-bikes | City bike stations | City bike station | bike | #ca8a04 | amenity=bicycle_rental
clothes | Clothes shops | Clothes shop | bag | #1d4ed8 | shop=clothes shop=boutique shop=shoes
home | Home and furniture | Home shop | bag | #1d4ed8 | shop=furniture shop=interior_decoration shop=houseware \
shop=kitchen shop=bed shop=department_store shop=hardware
electronics | Electronics | Electronics shop | bag | #1d4ed8 | shop=electronics shop=mobile_phone shop=computer \
shop=hifi shop=repair
malls | Shopping centres | Shopping centre | bag | #1d4ed8 | shop=mall
sport-shops | Sports and outdoor shops | Sports shop | bag | #1d4ed8 | shop=sports shop=outdoor
galleries | Galleries | Gallery | museum | #6d28d9 | tourism=gallery shop=art amenity=arts_centre
theatres | Theatres and cinemas | Theatre or cinema | mask | #6d28d9 | amenity=theatre amenity=cinema \
amenity=events_venue
libraries | Libraries | Library | book | #4338ca | amenity=library
sights | Sights and artworks | Sight | star | #6d28d9 | tourism=artwork tourism=attraction historic=memorial \
historic=monument tourism=viewpoint
churches | Churches | Church | church | #57534e | amenity=place_of_worship
parks | Parks and playgrounds | Park | tree | #15803d | leisure=park leisure=playground leisure=garden
fitness | Sports and fitness | Sports centre | star | #15803d | leisure=fitness_centre leisure=sports_centre \
leisure=dance
doctors | Doctors and dentists | Doctor | cross | #047857 | amenity=doctors amenity=dentist amenity=clinic
hairdressers | Hairdressers and beauty | Hairdresser | scissors | #be185d | shop=hairdresser shop=beauty \
shop=beauty_salon shop=massage shop=cosmetics
opticians | Opticians | Optician | bag | #1d4ed8 | shop=optician
banks | Banks and exchange | Bank | bank | #334155 | amenity=bank amenity=bureau_de_change
atms | Cash machines | Cash machine | bank | #334155 | amenity=atm
post | Post and parcels | Post office | letter | #b45309 | amenity=post_box amenity=post_office amenity=parcel_pickup
toilets | Public toilets | Public toilet | toilet | #334155 | amenity=toilets
parking | Car parks | Car park | parking | #1e40af | amenity=parking
taxis | Taxi stands | Taxi stand | car | #a16207 | amenity=taxi
stations | Stations | Station | train | #1e40af | railway=station railway=subway_entrance amenity=bus_station \
amenity=ferry_terminal
embassies | Embassies | Embassy | flag | #334155 | amenity=embassy office=diplomatic
""")
"""In the order in which they are listed; the ones marked `top` come first."""

_BY_KIND = {kind: category for category in CATEGORIES for kind in category.kinds}
_OTHER = Category("other", "Other places", "Place", "pin", "#475569", frozenset())

_NAMES = {
    "amenity=arts_centre": "Arts centre",
    "amenity=atm": "Cash machine",
    "amenity=bar": "Bar",
    "amenity=bicycle_rental": "City bike station",
    "amenity=bureau_de_change": "Currency exchange",
    "amenity=cafe": "Café",
    "amenity=events_venue": "Event venue",
    "amenity=nightclub": "Nightclub",
    "amenity=parking": "Car park",
    "amenity=place_of_worship": "Place of worship",
    "amenity=parcel_pickup": "Parcel pickup",
    "amenity=pub": "Pub",
    "amenity=taxi": "Taxi stand",
    "amenity=toilets": "Public toilet",
    "amenity=townhall": "Town hall",
    "amenity=university": "University",
    "historic=memorial": "Memorial",
    "historic=monument": "Monument",
    "office=association": "Association",
    "office=ngo": "Organisation",
    "office=foundation": "Foundation",
    "office=government": "Public office",
    "railway=station": "Station",
    "railway=subway_entrance": "Metro entrance",
    "shop=alcohol": "Wine and spirits shop",
    "shop=beauty": "Beauty salon",
    "shop=bed": "Bed shop",
    "shop=books": "Bookshop",
    "shop=convenience": "Convenience store",
    "shop=deli": "Delicatessen",
    "shop=department_store": "Department store",
    "shop=doityourself": "Hardware store",
    "shop=florist": "Florist",
    "shop=funeral_directors": "Funeral directors",
    "shop=hairdresser": "Hairdresser",
    "shop=houseware": "Homeware shop",
    "shop=interior_decoration": "Interior decoration shop",
    "shop=jewelry": "Jeweller",
    "shop=kiosk": "Kiosk",
    "shop=laundry": "Laundry",
    "shop=mall": "Shopping centre",
    "shop=massage": "Massage",
    "shop=optician": "Optician",
    "shop=pawnbroker": "Pawnbroker",
    "shop=repair": "Repair shop",
    "shop=supermarket": "Supermarket",
    "shop=tailor": "Tailor",
    "shop=travel_agency": "Travel agency",
    "tourism=artwork": "Artwork",
    "tourism=gallery": "Gallery",
    "tourism=hostel": "Hostel",
    "tourism=hotel": "Hotel",
    "tourism=museum": "Museum",
}


def category_of(kind: str) -> Category:
    """The category of a tag; a group for the rest where it has none."""
    return _BY_KIND.get(kind, _OTHER)


def kind_name(kind: str) -> str:
    """A tag in words: shop=clothes -> Clothes shop."""
    if kind in _NAMES:
        return _NAMES[kind]
    key, _, value = kind.partition("=")
    words = value.replace("_", " ").casefold()
    return f"{words.capitalize()} shop" if key == "shop" else words.capitalize()
