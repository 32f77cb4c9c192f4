"""Pictures of posts: a set drawn by code, and those that members sent."""

# ruff: noqa: E501  pieces of markup, kept whole

from __future__ import annotations

import base64

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites.web import not_found, row

__all__ = ["PICTURES", "ROUTES", "draw"]

PICTURES: dict[str, str] = {
    "bicycle": "Bicycle",
    "bookshelf": "Bookshelf",
    "citynight": "City at night",
    "coast": "Coast",
    "cups": "Three cups",
    "dog": "Dog",
    "harbour": "Harbour",
    "kiln": "Kiln",
    "lamp": "Lamp",
    "letter": "Letter",
    "lighthouse": "Lighthouse",
    "loaf": "Loaf",
    "map": "Map",
    "mountain": "Mountains",
    "nighttrain": "Night train",
    "plant": "Plant",
    "pot": "Cooking pot",
    "snow": "Snow",
    "stool": "Stool",
    "teapot": "Teapot",
    "tent": "Tent",
    "toycar": "Toy car",
}
"""Name in the address -> the word that the form shows."""

_SKIES = {
    "day": ("#bfe3ee", "#f3efdf"),
    "dusk": ("#f2a97c", "#f8e0b8"),
    "night": ("#16213f", "#3b4a7a"),
    "room": ("#efe6d8", "#e2d3bd"),
    "cool": ("#d5e0e4", "#eef2f0"),
    "green": ("#d8e8d2", "#f1f3e2"),
}

_WAVES = '<path d="M0 330q50-18 100 0t100 0 100 0 100 0 100 0 100 0 100 0 100 0v120H0z" fill="#2f7f93"/><path d="M0 370q50-18 100 0t100 0 100 0 100 0 100 0 100 0 100 0 100 0v80H0z" fill="#24667a"/>'
_TABLE = '<path d="M0 340h800v110H0z" fill="#b98d5e"/><path d="M0 340h800v10H0z" fill="#a67a4c"/>'
_STARS = "".join(
    f'<circle cx="{(n * 137) % 800}" cy="{(n * 71) % 210 + 8}" r="{1.2 + n % 3 * 0.6:g}" fill="#fdf6d8"/>'
    for n in range(40)
)

_SCENES: dict[str, tuple[str, str]] = {
    "bicycle": ("day", '<path d="M0 350h800v100H0z" fill="#9fb98a"/><g fill="none" stroke="#22333b" stroke-width="9"><circle cx="280" cy="310" r="86"/><circle cx="530" cy="310" r="86"/></g><g fill="none" stroke="#c0432f" stroke-width="12" stroke-linejoin="round" stroke-linecap="round"><path d="M280 310l70-130h150l30 130M350 180l50 130 100-130M400 310H280M500 180l-10-40h44"/></g><path d="M322 172h58" stroke="#22333b" stroke-width="14" stroke-linecap="round"/><circle cx="400" cy="310" r="16" fill="#22333b"/>'),
    "bookshelf": ("room", '<path d="M130 40h540v390H130z" fill="#7c5836"/><path d="M150 60h500v160H150zM150 245h500v165H150z" fill="#5c3f25"/>' + "".join(f'<rect x="{160 + n * 35}" y="{90 + n * 37 % 40}" width="28" height="{130 - n * 37 % 40}" fill="{("#b4532a", "#2d6a9f", "#e0b04a", "#3f7a3a", "#8a3f5b", "#efe3c8")[n % 6]}"/>' for n in range(14)) + "".join(f'<rect x="{164 + n * 40}" y="{280 + n * 53 % 50}" width="32" height="{130 - n * 53 % 50}" fill="{("#e0b04a", "#1f6f6b", "#efe3c8", "#9c3d2a", "#5a4a8a")[n % 5]}"/>' for n in range(9)) + '<circle cx="585" cy="375" r="34" fill="#c9744d"/><path d="M570 345q-30-60-10-80m25 78q5-70 30-75m-20 80q30-40 50-35" stroke="#3f7a3a" stroke-width="7" fill="none"/>'),
    "citynight": ("night", _STARS + '<circle cx="640" cy="95" r="44" fill="#fbeec2"/>' + "".join(f'<rect x="{n * 67}" y="{170 + (n * 89) % 130}" width="{58}" height="300" fill="{("#0f1830", "#1a2545", "#121d3a")[n % 3]}"/>' for n in range(12)) + "".join(f'<rect x="{10 + n * 21 % 780}" y="{250 + n * 47 % 150}" width="8" height="11" fill="#f4cf6b"/>' for n in range(60)) + "".join(f'<path d="M{220 + n * 43} {80 + n * 29 % 90}q8-10 14 0 6-10 14 0-8 2-14 9-6-7-14-9z" fill="#0b1226"/>' for n in range(9))),
    "coast": ("day", '<circle cx="620" cy="110" r="50" fill="#fbe3a1"/><path d="M0 250q120-60 230-20t180-10 160 20 230-30v240H0z" fill="#86b07a"/>' + _WAVES + '<path d="M0 450V380q180-50 330-10t200 80z" fill="#ead9ae"/><path d="M180 385l60-70" stroke="#c0432f" stroke-width="6"/><circle cx="170" cy="398" r="22" fill="none" stroke="#22333b" stroke-width="5"/><circle cx="236" cy="392" r="22" fill="none" stroke="#22333b" stroke-width="5"/>'),
    "cups": ("cool", _TABLE + '<path d="M120 240h90v60q0 45-45 45t-45-45z" fill="#3b2a20"/><path d="M300 200h140v80q0 66-70 66t-70-66z" fill="#f6f2ea"/><path d="M440 215q55 0 50 45t-60 40" fill="none" stroke="#f6f2ea" stroke-width="16"/><path d="M540 230h120v60q0 56-60 56t-60-56z" fill="#2d6a9f"/><path d="M660 240q44 0 40 36t-48 32" fill="none" stroke="#2d6a9f" stroke-width="13"/><ellipse cx="370" cy="202" rx="70" ry="14" fill="#8a5a36"/><ellipse cx="600" cy="232" rx="60" ry="12" fill="#d9b48a"/><ellipse cx="165" cy="242" rx="45" ry="9" fill="#1a100a"/><path d="M350 170q-16-26 0-48t0-46m40 94q-16-26 0-48" stroke="#fff" stroke-width="6" fill="none" opacity=".7"/>'),
    "dog": ("green", '<path d="M0 340q200-50 400-10t400-20v140H0z" fill="#7fa35f"/><path d="M300 350V240q0-60 80-60h110q40 0 50 40l10 130h-36l-10-80H370l-20 80z" fill="#9b6a3c"/><path d="M300 250l-70-20q-30-10-20-50l20-50 60-14 50 30 10 70z" fill="#9b6a3c"/><path d="M288 128l40-20 18 70-30 10z" fill="#6d4626"/><circle cx="262" cy="168" r="7" fill="#22160c"/><ellipse cx="214" cy="188" rx="14" ry="10" fill="#22160c"/><path d="M540 225q50-30 50-80" stroke="#9b6a3c" stroke-width="18" fill="none" stroke-linecap="round"/><path d="M290 250l60-20 6 20-60 22z" fill="#c0432f"/>'),
    "harbour": ("dusk", '<path d="M0 260h800v30H0z" fill="#5b4a5e"/><path d="M520 260v-90h40v-40h30v40h90v90z" fill="#6d566b"/>' + _WAVES + '<path d="M150 310h220l-30 60H190z" fill="#7c2f3a"/><path d="M255 310V130l100 170z" fill="#fbf3e2"/><path d="M247 310V160l-70 145z" fill="#f0dcc0"/><path d="M470 330h110l-16 40h-78z" fill="#22333b"/><path d="M524 330v-70" stroke="#22333b" stroke-width="6"/>' + "".join(f'<path d="M{420 + n * 70} {90 + n * 37 % 60}q14-16 26 0 12-16 26 0" stroke="#4a3b50" stroke-width="4" fill="none"/>' for n in range(4))),
    "kiln": ("room", '<path d="M0 390h800v60H0z" fill="#8d7a68"/><path d="M260 120q0-30 30-30h220q30 0 30 30v270H260z" fill="#5f6770"/><path d="M300 170h200v170H300z" fill="#2a1a14"/><path d="M300 170h200v170H300z" fill="#f06a2a" opacity=".75"/><path d="M320 340v-40h40v40zm70 0v-70h44v70zm66 0v-34h30v34z" fill="#ffd38a"/><circle cx="520" cy="240" r="9" fill="#e2e6ea"/><path d="M270 90l20-40h220l20 40z" fill="#4a5159"/><path d="M590 390V300h80v90zM110 390v-60h90v60z" fill="#b57d5a"/>'),
    "lamp": ("room", '<path d="M0 370h800v80H0z" fill="#9a7a5c"/><path d="M330 130h140l60 110H270z" fill="#f0a93c"/><path d="M270 240h260l110 150H160z" fill="#ffe9a8" opacity=".55"/><path d="M392 240h16v130h-16z" fill="#3a3f47"/><path d="M330 370h140v14H330z" fill="#3a3f47"/><path d="M600 250h110v120H600z" fill="#6b4a2f"/><path d="M620 210h14v40h-14zm22-10h16v50h-16zm26 14h12v36h-12z" fill="#2d6a9f"/>'),
    "letter": ("room", '<path d="M0 0h800v450H0z" fill="#8a6b4c"/><path d="M140 90h420v270H140z" fill="#fbf6e9" transform="rotate(-6 350 220)"/><g stroke="#39507a" stroke-width="5" fill="none" transform="rotate(-6 350 220)"><path d="M180 140q60-14 120 0t140-4M180 180q80-12 150 0t170-4M180 220q60 12 130 0t180 2M180 260q90-14 150 0t120 0"/></g><path d="M560 100l140 250-18 12-140-248z" fill="#1f2d3d"/><path d="M682 362l18-12 8 40z" fill="#d6b25e"/><path d="M90 300h150v100H90z" fill="#e6d3ae"/><path d="M90 300l75 56 75-56" stroke="#b9986a" stroke-width="5" fill="none"/>'),
    "lighthouse": ("dusk", '<path d="M0 330q150-80 320-20t480-10v150H0z" fill="#5e6f58"/><path d="M360 120h80l24 230H336z" fill="#fbf6ea"/><path d="M356 170h88l6 50H350zM346 270h108l6 50H340z" fill="#c0432f"/><path d="M352 84h96v36h-96z" fill="#2a3a46"/><path d="M366 92h68v22h-68z" fill="#ffe08a"/><path d="M344 84l56-40 56 40z" fill="#c0432f"/><path d="M434 92l366-50v120zM366 92L0 60v90z" fill="#fff3c4" opacity=".45"/>' + '<path d="M0 400q50-18 100 0t100 0 100 0 100 0 100 0 100 0 100 0 100 0v60H0z" fill="#2f6f86"/>'),
    "loaf": ("cool", _TABLE + '<ellipse cx="400" cy="338" rx="250" ry="22" fill="#8c6842"/><path d="M170 320q0-150 230-150t230 150q0 20-20 20H190q-20 0-20-20z" fill="#b9722e"/><path d="M200 300q20-100 200-104t200 104" fill="none" stroke="#8f521c" stroke-width="10"/><path d="M270 250q40-40 60-40m30 40q40-44 60-44m36 50q30-36 50-36" stroke="#f0cf9a" stroke-width="14" fill="none" stroke-linecap="round"/>'),
    "map": ("green", '<path d="M90 60l200 40 220-50 200 50v290l-200-50-220 50-200-40z" fill="#f6efd8"/><path d="M290 100v290M510 50v290" stroke="#d3c59a" stroke-width="4"/><g fill="none" stroke="#7fa35f" stroke-width="4"><path d="M130 160q80-40 130 10t110 20M120 200q90-30 140 10t120 30M130 240q90-20 140 10"/></g><path d="M110 320q150-70 260-20t330-60" stroke="#3d7fa8" stroke-width="12" fill="none"/><ellipse cx="590" cy="170" rx="50" ry="28" fill="#8fc3dd"/><path d="M170 360l120-140 130 60 180-150" stroke="#c0432f" stroke-width="5" stroke-dasharray="14 10" fill="none"/><path d="M585 118l34 34m0-34l-34 34" stroke="#c0432f" stroke-width="9"/>'),
    "mountain": ("day", '<circle cx="150" cy="90" r="46" fill="#fbe3a1"/><path d="M0 350L190 130l110 130 150-190 180 220 80-90 90 100v150H0z" fill="#6f8aa0"/><path d="M450 70l60 74-30 14-30-20-34 16-24-10zM190 130l40 48-34 8-36-10z" fill="#fbfdff"/><path d="M0 360q220-70 420-20t380-20v130H0z" fill="#5f8a55"/><path d="M560 330h80v60h-80z" fill="#7c5836"/><path d="M548 332l52-44 52 44z" fill="#5a3c22"/>'),
    "nighttrain": ("night", _STARS + '<path d="M0 360h800v90H0z" fill="#1a1f33"/><path d="M0 376h800" stroke="#59617f" stroke-width="6"/><path d="M60 220h700q40 0 40 40v100H60q-30 0-30-30v-80q0-30 30-30z" fill="#2b5c8a"/><path d="M30 300h770v16H30z" fill="#e0b04a"/>' + "".join(f'<rect x="{90 + n * 100}" y="240" width="66" height="44" rx="6" fill="{"#ffe08a" if n != 3 else "#23344f"}"/>' for n in range(7)) + "".join(f'<circle cx="{110 + n * 110}" cy="368" r="17" fill="#0b1020"/>' for n in range(7))),
    "plant": ("green", _TABLE + '<path d="M320 250h160l-20 100H340z" fill="#c9744d"/><path d="M310 236h180v24H310z" fill="#b5623d"/>' + "".join(f'<path d="M400 240q{dx} {dy} {dx * 2} {dy * 1.3:g}q{-dx * 0.2:g} {-dy * 0.9:g} {-dx * 2} {-dy * 1.3:g}" fill="{colour}"/>' for dx, dy, colour in ((-90, -60, "#2e7d46"), (90, -70, "#3b9456"), (-40, -120, "#3b9456"), (50, -130, "#2e7d46"), (-110, -10, "#57a86b"), (110, -20, "#57a86b"))) + '<path d="M400 240V110" stroke="#1f5a32" stroke-width="8"/>'),
    "pot": ("room", _TABLE + '<path d="M230 200h340v100q0 46-46 46H276q-46 0-46-46z" fill="#9c3d2a"/><path d="M220 186h360v22H220z" fill="#7c2c1c"/><path d="M180 210h50v30h-50zm390 0h50v30h-50z" fill="#7c2c1c"/><path d="M250 186q150-56 300 0z" fill="#b4532a"/><circle cx="400" cy="152" r="14" fill="#d8b25a"/><path d="M330 130q-16-28 0-52t0-44m70 70q-16-28 0-52t0-44m70 96q-16-28 0-52" stroke="#fff" stroke-width="7" fill="none" opacity=".75"/>'),
    "snow": ("cool", '<path d="M0 300q200-60 400-20t400-30v200H0z" fill="#fbfdff"/><path d="M120 310l50-170 50 170zM250 320l40-130 40 130zM620 300l56-190 56 190z" fill="#35604f"/><path d="M145 226l25-86 25 86q-26-14-50 0zM640 232l36-122 34 122q-34-16-70 0z" fill="#fff"/><path d="M420 330v-90l80-50 80 50v90z" fill="#9c3d2a"/><path d="M406 246l94-62 94 62-10 12-84-54-84 54z" fill="#fff"/><path d="M478 330v-50h44v50z" fill="#ffe08a"/>' + "".join(f'<circle cx="{n * 97 % 800}" cy="{n * 61 % 440}" r="{3 + n % 3}" fill="#fff"/>' for n in range(50))),
    "stool": ("room", '<path d="M0 380h800v70H0z" fill="#a98a64"/><path d="M260 170h280q14 0 14 18t-14 18H260q-14 0-14-18t14-18z" fill="#8a5a2c"/><path d="M290 206l-40 190h24l46-190zm220 0l40 190h-24l-46-190zM360 206l-10 176h20l16-176z" fill="#6d4420"/><path d="M276 300h248v14H276z" fill="#7c5026"/><path d="M610 396v-70h70v70z" fill="#47566b"/><path d="M604 316h82v14h-82z" fill="#33404f"/>'),
    "teapot": ("cool", _TABLE + '<path d="M280 340q-60-20-60-90 0-90 170-90t170 90q0 70-60 90z" fill="#1f6f6b"/><path d="M230 250l-90-70 14-14 100 46z" fill="#1f6f6b"/><path d="M550 200q90-10 80 60t-100 60" fill="none" stroke="#1f6f6b" stroke-width="20"/><path d="M310 166q80-40 160 0z" fill="#2a8a85"/><circle cx="390" cy="138" r="14" fill="#e0b04a"/><path d="M400 170q-30 60 10 100t-10 68" stroke="#e8c35a" stroke-width="5" fill="none"/>'),
    "tent": ("dusk", '<path d="M0 330L200 190l140 120 160-150 300 180v110H0z" fill="#8b6f7c"/><path d="M0 350q200-40 400-10t400-10v120H0z" fill="#5e7a4c"/><path d="M240 380q20-170 160-180t170 180z" fill="#e0862f"/><path d="M400 200q-60 60-66 180h110q0-120-44-180z" fill="#7a3c14"/><path d="M240 380q120-160 160-180t170 180" fill="none" stroke="#fbe3a1" stroke-width="4"/><path d="M240 380l-50 20m380-20l50 20" stroke="#efe3c8" stroke-width="3"/>'),
    "toycar": ("room", _TABLE + '<path d="M180 300q0-40 40-40h60l60-70h140l70 70h60q30 0 30 40v20H180z" fill="#c98f4a"/><path d="M300 260l40-52h60v52zm116-52h56l50 52H416z" fill="#efe0bf"/><circle cx="280" cy="320" r="42" fill="#6b4423"/><circle cx="540" cy="320" r="42" fill="#6b4423"/><circle cx="280" cy="320" r="14" fill="#e0b04a"/><circle cx="540" cy="320" r="14" fill="#e0b04a"/><path d="M196 300h430" stroke="#a8722f" stroke-width="6"/>'),
}  # fmt: skip


def draw(name: str) -> str:
    """The SVG of a picture, 16 by 9. Raises KeyError for one that there is not."""
    sky, scene = _SCENES[name]
    top, bottom = _SKIES[sky]
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 450"><defs><linearGradient id="s" x2="0" y2="1">'
        f'<stop stop-color="{top}"/><stop offset="1" stop-color="{bottom}"/></linearGradient></defs>'
        f'<path d="M0 0h800v450H0z" fill="url(#s)"/>{scene}</svg>'
    )


async def picture(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in _SCENES:
        not_found("There is no such picture.")
    return Response(draw(name), media_type="image/svg+xml", headers={"Cache-Control": "max-age=86400"})


async def upload(request: Request) -> Response:
    found = row(request, "SELECT mime, content FROM upload WHERE id = ?", request.path_params["number"])
    if found is None:
        not_found("There is no such picture.")
    return Response(
        base64.b64decode(found["content"]), media_type=found["mime"], headers={"X-Content-Type-Options": "nosniff"}
    )


ROUTES = [Route("/picture/{name}.svg", picture), Route("/upload/{number:int}", upload)]
