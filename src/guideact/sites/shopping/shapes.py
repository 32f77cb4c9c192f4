"""The things that product pictures show, as pieces of SVG on a field of 400 by 400.

In each piece `$c` stands for the product's colour, `$d` for a darker and `$l` for a lighter one. The body must have no
fill of its own: it takes colour, pattern and shading, and is also what these are clipped to.
"""

# ruff: noqa: E501  pieces of markup, kept whole

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["SHAPES", "Shape"]

WOOD = "#c79a67"
METAL = "#b4bac3"
DARK = "#2d323b"
PAPER = "#fffaf0"


@dataclass(frozen=True)
class Shape:
    """`shadow` is (x, y, half width) of the blurred shadow on the floor."""

    body: str
    under: str = ""
    over: str = ""
    shadow: tuple[int, int, int] = (200, 334, 110)


def _line(path: str, colour: str, width: float) -> str:
    return (
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linecap="round"'
        ' stroke-linejoin="round"/>'
    )


def _path(path: str, colour: str) -> str:
    return f'<path d="{path}" fill="{colour}"/>'


def _disc(x: float, y: float, radius: float, colour: str) -> str:
    return f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{colour}"/>'


def _oval(x: float, y: float, across: float, high: float, colour: str) -> str:
    return f'<ellipse cx="{x}" cy="{y}" rx="{across}" ry="{high}" fill="{colour}"/>'


def _bar(x: float, y: float, width: float, height: float, round_: float, colour: str) -> str:
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{round_}" fill="{colour}"/>'


_TICKS = "".join(
    f'<path d="M200 112v12" stroke="{DARK}" stroke-width="4" transform="rotate({angle} 200 200)"/>'
    for angle in range(0, 360, 30)
)
_RIBS = "".join(_line(f"M{x} 238v40", "$c", 5) for x in range(104, 310, 16))
_RINGS = "".join(_line(f"M96 {y}h24", METAL, 6) for y in range(96, 320, 24))
_SPOKES = "".join(
    f'<path d="M{x - 58} 258h116" stroke="#9aa1ab" stroke-width="1.6" transform="rotate({angle} {x} 258)"/>'
    for x in (112, 292)
    for angle in (0, 45, 90, 135)
)

KITCHEN = {
    "mug": Shape(
        under=_line("M262 168h20a40 44 0 0 1 0 92h-24", "$d", 21),
        body='<path d="M108 130h156v148a44 44 0 0 1-44 44h-68a44 44 0 0 1-44-44z"/>',
        over=_oval(186, 130, 78, 15, "$d") + _oval(186, 132, 66, 10, "#5b3a26"),
        shadow=(196, 328, 100),
    ),
    "kettle": Shape(
        under=_path("M262 250l62-62 20 14-52 96z", "$d") + _line("M122 196c-4-128 160-128 156 0", DARK, 15),
        body='<path d="M106 302c-12-86 34-142 94-142s106 56 94 142a14 14 0 0 1-14 12H120a14 14 0 0 1-14-12z"/>',
        over=_oval(200, 164, 48, 10, "$d") + _disc(200, 148, 13, DARK) + _bar(104, 304, 192, 14, 7, DARK),
        shadow=(204, 326, 116),
    ),
    "pot": Shape(
        under=_bar(54, 204, 60, 26, 13, DARK) + _bar(286, 204, 60, 26, 13, DARK),
        body='<path d="M92 176h216v112a30 30 0 0 1-30 30H122a30 30 0 0 1-30-30z"/>',
        over=_path("M90 170c8-46 60-62 110-62s102 16 110 62z", "$d")
        + _bar(82, 164, 236, 17, 8, "$l")
        + _bar(180, 90, 40, 22, 10, DARK),
        shadow=(200, 326, 124),
    ),
    "plate": Shape(
        body='<circle cx="200" cy="196" r="134"/>',
        over='<circle cx="200" cy="196" r="90" fill="#fff" opacity=".26"/>'
        '<circle cx="200" cy="196" r="90" fill="none" stroke="#000" stroke-opacity=".14" stroke-width="4"/>'
        '<circle cx="200" cy="196" r="132" fill="none" stroke="#fff" stroke-opacity=".5" stroke-width="4"/>',
        shadow=(200, 338, 120),
    ),
    "bowl": Shape(
        under=_bar(152, 306, 96, 20, 8, "$d"),
        body='<path d="M72 176h256c0 84-50 132-96 138h-64c-46-6-96-54-96-138z"/>',
        over=_oval(200, 176, 128, 27, "$d") + _oval(200, 181, 112, 19, "#f4ead8"),
        shadow=(200, 330, 104),
    ),
    "glass": Shape(
        body='<path d="M128 92h144l-18 222a16 16 0 0 1-16 14h-76a16 16 0 0 1-16-14z"/>',
        over=_oval(200, 92, 72, 13, "$l")
        + '<ellipse cx="200" cy="92" rx="72" ry="13" fill="none" stroke="#fff" stroke-width="4"/>'
        + _path("M150 118l12 178h12l-8-178z", "#ffffff66"),
        shadow=(200, 332, 70),
    ),
}

HOME = {
    "lamp": Shape(
        under=_bar(193, 212, 14, 104, 4, METAL) + _oval(200, 318, 66, 15, DARK) + _oval(200, 218, 92, 12, "#fff1bd"),
        body='<path d="M150 82h100l52 136H98z"/>',
        over=_oval(200, 82, 50, 8, "$d"),
        shadow=(200, 330, 92),
    ),
    "pendant": Shape(
        under=_line("M200 0v110", DARK, 5) + _bar(184, 100, 32, 32, 6, METAL) + _disc(200, 262, 34, "#fff1bd"),
        body='<path d="M200 122c76 0 132 62 136 138H64c4-76 60-138 136-138z"/>',
        over=_bar(60, 252, 280, 14, 7, "$d"),
        shadow=(200, 350, 90),
    ),
    "chair": Shape(
        under=_line("M136 240l-18 98M264 240l18 98M160 246l-4 78M240 246l4 78", WOOD, 13)
        + _line("M150 180v50M250 180v50", WOOD, 13),
        body='<rect x="126" y="66" width="148" height="124" rx="34"/><rect x="108" y="214" width="184" height="40" rx="20"/>',
        shadow=(200, 340, 110),
    ),
    "sofa": Shape(
        under=_line("M92 300v28M308 300v28", WOOD, 14),
        body='<rect x="78" y="124" width="244" height="130" rx="30"/><rect x="40" y="184" width="72" height="124" rx="30"/>'
        '<rect x="288" y="184" width="72" height="124" rx="30"/><rect x="90" y="222" width="220" height="84" rx="16"/>',
        over=_line("M112 228h176M200 228v76M200 130v92M112 232v70M288 232v70", "$d", 4),
        shadow=(200, 334, 158),
    ),
    "vase": Shape(
        under=_line("M200 120C196 84 182 60 160 40M200 120c2-44 12-66 34-86M200 120V48", "#a9935f", 4)
        + "".join(
            f'<ellipse cx="{x}" cy="{y}" rx="9" ry="20" fill="#d9c48f" transform="rotate({turn} {x} {y})"/>'
            for x, y, turn in ((156, 36, -34), (238, 30, 36), (200, 36, 0), (176, 66, -24), (220, 62, 26))
        ),
        body='<path d="M168 112h64c-2 30 8 46 32 74 46 56 14 136-26 142h-76c-40-6-72-86-26-142 24-28 34-44 32-74z"/>',
        over=_oval(200, 112, 32, 8, "$d"),
        shadow=(200, 332, 84),
    ),
    "clock": Shape(
        body='<circle cx="200" cy="196" r="132"/>',
        over=_disc(200, 196, 102, PAPER)
        + f'<g transform="translate(0 -4)">{_TICKS}</g>'
        + _line("M200 196l-38-46", DARK, 9)
        + _line("M200 196l58-34", DARK, 6)
        + _disc(200, 196, 9, "$c"),
        shadow=(200, 342, 100),
    ),
    "candle": Shape(
        body='<rect x="136" y="168" width="128" height="156" rx="14"/>',
        over=_oval(200, 170, 64, 14, "$l")
        + _line("M200 168v-24", DARK, 4)
        + _path("M200 76c30 36 28 66 0 74-28-8-30-38 0-74z", "#ffad2f")
        + _path("M200 106c14 18 12 36 0 40-12-4-14-22 0-40z", "#fff3c2"),
        shadow=(200, 330, 86),
    ),
}

ELECTRONICS = {
    "headphones": Shape(
        under=_line("M106 236v-26a94 100 0 0 1 188 0v26", "$c", 22) + _line("M124 160a94 84 0 0 1 152 0", "$d", 8),
        body='<rect x="70" y="214" width="66" height="112" rx="30"/><rect x="264" y="214" width="66" height="112" rx="30"/>',
        over=_bar(128, 224, 22, 92, 11, DARK) + _bar(250, 224, 22, 92, 11, DARK),
        shadow=(200, 338, 130),
    ),
    "speaker": Shape(
        body='<rect x="118" y="60" width="164" height="266" rx="30"/>',
        over=_disc(200, 236, 60, DARK)
        + _disc(200, 236, 42, "#454c57")
        + _disc(200, 236, 15, "#727b88")
        + _disc(200, 118, 30, DARK)
        + _disc(200, 118, 12, "#727b88"),
        shadow=(200, 330, 92),
    ),
    "phone": Shape(
        body='<rect x="126" y="52" width="148" height="282" rx="30"/>',
        over=_bar(142, 70, 62, 74, 20, "$d")
        + _disc(173, 90, 13, "#171a20")
        + _disc(173, 124, 13, "#171a20")
        + _disc(169, 86, 4, "#7f8896")
        + _disc(169, 120, 4, "#7f8896")
        + _disc(224, 84, 6, "#fff6d6"),
        shadow=(200, 338, 80),
    ),
    "tablet": Shape(
        body='<rect x="78" y="52" width="244" height="284" rx="28"/>',
        over=_bar(108, 82, 184, 224, 8, "#fdfdfb")
        + _bar(128, 104, 110, 14, 5, "#9aa3ad")
        + "".join(_bar(128, y, 144 - (y % 3) * 16, 8, 4, "#d2d7dd") for y in range(138, 290, 20)),
        shadow=(200, 342, 120),
    ),
    "camera": Shape(
        under=_path("M146 146l16-38h76l16 38z", "$d") + _bar(92, 122, 44, 30, 8, DARK),
        body='<rect x="68" y="138" width="264" height="176" rx="28"/>',
        over=_disc(200, 228, 70, METAL)
        + _disc(200, 228, 60, DARK)
        + _disc(200, 228, 42, "#3f4957")
        + _disc(200, 228, 24, "#10141b")
        + _disc(184, 212, 10, "#ffffffaa")
        + _bar(276, 156, 38, 24, 8, "#fff8de"),
        shadow=(200, 326, 138),
    ),
    "watch": Shape(
        body='<path d="M166 34h68l8 110h-84zM158 256h84l-8 110h-68z"/>',
        over=_bar(282, 188, 16, 24, 5, METAL)
        + _disc(200, 200, 88, METAL)
        + _disc(200, 200, 74, PAPER)
        + f'<g transform="translate(66 66) scale(.67)">{_TICKS}</g>'
        + _line("M200 200v-42", DARK, 7)
        + _line("M200 200l32 20", DARK, 5)
        + _disc(200, 200, 6, "$c"),
        shadow=(200, 374, 70),
    ),
}

CLOTHING = {
    "shirt": Shape(
        body='<path d="M146 76L64 122l34 76 40-20v150h124V178l40 20 34-76-82-46c-14 32-94 32-108 0z"/>',
        over=_line("M146 76c14 32 94 32 108 0", "$d", 8) + _line("M138 182v-22M262 182v-22", "$d", 3),
        shadow=(200, 340, 100),
    ),
    "jacket": Shape(
        body='<path d="M146 72L78 112 50 272l50 14 20-88v132h160V198l20 88 50-14-28-160-68-40z"/>',
        over=_path("M146 72l54 40 54-40-10-22h-88z", "$d")
        + _line("M200 112v216", "#ffffffcc", 4)
        + _line("M140 262h36M224 262h36", "$d", 7)
        + _line("M120 198v-30M280 198v-30", "$d", 3),
        shadow=(200, 342, 112),
    ),
    "hat": Shape(
        under=_disc(200, 82, 32, "$l"),
        body='<path d="M92 250c-4-96 46-156 108-156s112 60 108 156z"/>',
        over=_bar(78, 230, 244, 60, 24, "$d") + _RIBS,
        shadow=(200, 306, 120),
    ),
    "scarf": Shape(
        under=_path("M214 178l62-14 26 138-62 10z", "$d")
        + _line("M246 318l3 16M264 315l3 16M282 312l3 16M298 309l3 16", "$d", 5),
        body='<path d="M96 92c34 58 174 58 208 0l30 56c-44 76-224 76-268 0zM138 176l70 10-16 138h-68z"/>',
        over=_line("M132 330v16M150 330v16M168 330v16M186 330v16", "$d", 5)
        + _line("M66 148c44 76 224 76 268 0", "$d", 4),
        shadow=(200, 350, 104),
    ),
    "shoe": Shape(
        body='<path d="M70 176c24 14 50 8 66-22h66c18 42 56 62 108 72 28 6 36 34 32 56H70z"/>',
        over=_path("M64 276h282v18a20 20 0 0 1-20 20H84a20 20 0 0 1-20-20z", "#fbfaf6")
        + _line("M64 296h282", "#cfd3d8", 4)
        + _line("M186 176l26-14M204 196l26-14M226 212l24-14", "#fbfaf6", 8)
        + _path("M70 176c12 8 26 10 38 4l4 96H70z", "$d"),
        shadow=(204, 318, 140),
    ),
    "boot": Shape(
        body='<path d="M122 64h108v128c14 34 74 32 100 66 10 14 10 28 8 44H122z"/>',
        over=_path("M116 298h226v34H226l-8-12h-18l-8 12h-76z", "#3b342e")
        + _bar(114, 58, 124, 26, 10, "$d")
        + _line("M196 116h34M196 144h34M198 172h36M206 200h36", PAPER, 6),
        shadow=(226, 336, 120),
    ),
}

OUTDOORS = {
    "backpack": Shape(
        under=_line("M168 90c0-48 64-48 64 0", "$d", 13)
        + _bar(84, 210, 40, 92, 18, "$d")
        + _bar(276, 210, 40, 92, 18, "$d"),
        body='<path d="M104 158a96 90 0 0 1 192 0v138a32 32 0 0 1-32 32H136a32 32 0 0 1-32-32z"/>',
        over=_line("M126 170a74 68 0 0 1 148 0", "$d", 6)
        + _bar(132, 216, 136, 94, 20, "$d")
        + _line("M146 240h108", "$l", 5)
        + _bar(190, 236, 20, 24, 6, METAL),
        shadow=(200, 334, 112),
    ),
    "tote": Shape(
        under=_line("M142 156c0-128 116-128 116 0", "$d", 13),
        body='<path d="M86 142h228l-20 188H106z"/>',
        over=_path("M86 142h228l-3 24H89z", "$d"),
        shadow=(200, 336, 104),
    ),
    "bike": Shape(
        body='<path d="M0 0"/>',
        over=_SPOKES
        + f'<circle cx="112" cy="258" r="64" fill="none" stroke="{DARK}" stroke-width="11"/>'
        + f'<circle cx="292" cy="258" r="64" fill="none" stroke="{DARK}" stroke-width="11"/>'
        + _line("M112 258l54-96 88 4-58 92zM196 258l-36-112M292 258l-44-128", "$c", 14)
        + _line("M238 116h40a14 14 0 0 1 0 22", DARK, 10)
        + _line("M136 138h48", DARK, 15)
        + _disc(196, 258, 18, METAL)
        + _line("M196 258l18 26M208 286h18", DARK, 7)
        + _disc(112, 258, 9, DARK)
        + _disc(292, 258, 9, DARK),
        shadow=(202, 330, 150),
    ),
    "helmet": Shape(
        under=_line("M128 236c4 60 40 84 76 84s62-28 66-84", DARK, 8) + _bar(190, 308, 30, 20, 8, DARK),
        body='<path d="M66 242c-6-96 60-156 136-156s140 54 134 150l-40 14H96z"/>',
        over="".join(
            f'<ellipse cx="{x}" cy="{y}" rx="11" ry="40" fill="{DARK}" transform="rotate({turn} {x} {y})"/>'
            for x, y, turn in ((132, 166, 22), (200, 150, 0), (268, 164, -22))
        )
        + _path("M66 242h34l196 8 40-14 8 14a18 18 0 0 1-14 18H80a14 14 0 0 1-14-14z", "$d"),
        shadow=(204, 336, 110),
    ),
    "ball": Shape(
        body='<circle cx="200" cy="200" r="128"/>',
        over='<g fill="none" stroke="#10131a" stroke-opacity=".4" stroke-width="5"><path d="M200 72c-52 70-52 186 0 256M200 72c52'
        ' 70 52 186 0 256M76 168c70 40 178 40 248 0M76 232c70-40 178-40 248 0"/></g>'
        + _oval(156, 132, 30, 18, "#ffffff4d"),
        shadow=(200, 340, 96),
    ),
    "kite": Shape(
        under=_line("M200 288c-40 24 26 44-4 72-16 16 8 28 20 30", DARK, 4)
        + _path("M182 312l-20-10v24zM182 312l20-10v24z", "$d")
        + _path("M202 354l-20-10v24zM202 354l20-10v24z", "$d"),
        body='<path d="M200 34l108 112-108 148L92 146z"/>',
        over=_line("M200 34v260M92 146h216", "#10131a55", 5),
        shadow=(200, 388, 50),
    ),
    "bottle": Shape(
        body='<path d="M164 136h72c30 22 36 44 36 70v96a26 26 0 0 1-26 26h-92a26 26 0 0 1-26-26v-96c0-26 6-48 36-70z"/>',
        over=_bar(166, 108, 68, 32, 4, METAL)
        + _bar(156, 62, 88, 50, 12, DARK)
        + _line("M172 74v26M200 74v26M228 74v26", "#525a66", 5),
        shadow=(200, 332, 80),
    ),
    "tent": Shape(
        under=_line("M200 84l-10-20M200 84l10-20", WOOD, 7),
        body='<path d="M200 84l152 238H48z"/>',
        over=_path("M200 150l54 172H146z", "#2b2a33")
        + _path("M200 150l18 172h36z", "$d")
        + _line("M48 322l-16 10M352 322l16 10", WOOD, 6),
        shadow=(200, 330, 170),
    ),
}

PAPER_AND_PLAY = {
    "book": Shape(
        under=_path("M112 316h190v18H124a14 14 0 0 1-12-12z", "#efe6d2"),
        body='<path d="M122 60h168a12 12 0 0 1 12 12v246H122a14 14 0 0 0-14 10V74a14 14 0 0 1 14-14z"/>',
        over=_path("M122 60h14v258h-14a14 14 0 0 0-14 10V74a14 14 0 0 1 14-14z", "$d")
        + _bar(162, 108, 116, 56, 6, PAPER)
        + _bar(176, 122, 88, 9, 4, "#8b93a0")
        + _bar(190, 142, 60, 7, 3, "#b9bfc8"),
        shadow=(206, 340, 104),
    ),
    "notebook": Shape(
        body='<rect x="104" y="66" width="198" height="268" rx="18"/>',
        over=_RINGS
        + _bar(268, 66, 12, 268, 0, DARK)
        + _bar(146, 112, 96, 56, 8, PAPER)
        + _line("M160 132h68M160 150h46", "#b9bfc8", 5),
        shadow=(204, 342, 106),
    ),
    "pen": Shape(
        under=f'<g transform="rotate(38 200 200)">{_path("M172 292h56l-28 66z", METAL)}{_path("M192 338h16l-8 22z", DARK)}</g>',
        body='<path transform="rotate(38 200 200)" d="M188 26h24a16 16 0 0 1 16 16v252h-56V42a16 16 0 0 1 16-16z"/>',
        over=f'<g transform="rotate(38 200 200)">{_bar(169, 146, 62, 12, 3, METAL)}{_bar(222, 44, 13, 92, 6, METAL)}</g>',
        shadow=(176, 352, 100),
    ),
    "plant": Shape(
        under=_line("M200 226v-90M200 216c-20-40-44-50-64-56M200 216c20-40 44-50 64-56", "#3c7a4d", 7)
        + "".join(
            f'<path d="M{x} {y}c-34-30-34-74 0-104 34 30 34 74 0 104z" fill="{shade}" transform="rotate({turn} {x} {y})"/>'
            for x, y, turn, shade in (
                (200, 160, 0, "#4fa368"),
                (176, 188, -38, "#3f8f58"),
                (224, 188, 38, "#46995f"),
                (148, 176, -78, "#57ad70"),
                (252, 176, 78, "#3f8f58"),
            )
        ),
        body='<path d="M128 232h144l-18 84a16 16 0 0 1-16 12h-76a16 16 0 0 1-16-12z"/>',
        over=_bar(116, 212, 168, 34, 10, "$d"),
        shadow=(200, 332, 86),
    ),
    "watering_can": Shape(
        under=_path("M252 292l78-132 18 10-66 146z", "$d")
        + '<ellipse cx="344" cy="156" rx="14" ry="30" fill="$l" transform="rotate(-58 344 156)"/>'
        + _line("M118 204c-84 0-76 106 0 104", "$d", 15)
        + _line("M136 182c0-78 104-78 104 0", "$d", 14),
        body='<path d="M112 178h150l14 140a10 10 0 0 1-10 10H108a10 10 0 0 1-10-10z"/>',
        over=_bar(106, 172, 162, 18, 9, "$d"),
        shadow=(196, 332, 124),
    ),
    "umbrella": Shape(
        under=_line("M200 62V306a26 26 0 0 0 52 0", WOOD, 11) + _line("M200 62V44", DARK, 8),
        body='<path d="M48 214a152 152 0 0 1 304 0c-14-22-38-22-51 0-13-22-37-22-50 0-13-22-38-22-51 0-13-22-38-22-51 0-13-22-37-22-50'
        ' 0-13-22-37-22-51 0z"/>',
        over='<g fill="none" stroke="#10131a" stroke-opacity=".25" stroke-width="3"><path d="M200 62c-46 30-92 92-101 152M200'
        ' 62c-26 40-48 96-51 152M200 62c26 40 48 96 51 152M200 62c46 30 92 92 101 152"/></g>',
        shadow=(220, 346, 60),
    ),
    "teddy": Shape(
        body='<circle cx="140" cy="78" r="30"/><circle cx="260" cy="78" r="30"/><circle cx="200" cy="130" r="76"/>'
        '<ellipse cx="200" cy="258" rx="82" ry="80"/><ellipse cx="112" cy="240" rx="28" ry="52" transform="rotate(28 112 240)"/>'
        '<ellipse cx="288" cy="240" rx="28" ry="52" transform="rotate(-28 288 240)"/><circle cx="142" cy="322" r="36"/>'
        '<circle cx="258" cy="322" r="36"/>',
        over=_disc(140, 78, 15, "$l")
        + _disc(260, 78, 15, "$l")
        + _oval(200, 154, 36, 28, "$l")
        + _oval(200, 142, 13, 9, DARK)
        + _line("M200 150v12M186 168c8 8 20 8 28 0", DARK, 4)
        + _disc(168, 118, 8, DARK)
        + _disc(232, 118, 8, DARK)
        + _oval(200, 264, 46, 48, "$l")
        + _disc(142, 326, 17, "$l")
        + _disc(258, 326, 17, "$l"),
        shadow=(200, 360, 110),
    ),
    "car": Shape(
        body='<path d="M44 254c0-30 22-40 58-46l46-62h106l58 62c34 6 46 18 46 46v34a10 10 0 0 1-10 10H54a10 10 0 0 1-10-10z"/>',
        over=_path("M162 164h34v44h-66zM210 164h36l40 44h-76z", "#e4f2f7")
        + "".join(_disc(x, 292, 40, DARK) + _disc(x, 292, 19, METAL) + _disc(x, 292, 7, DARK) for x in (118, 284))
        + _disc(344, 244, 11, "#fff3c2")
        + _line("M203 214v60", "$d", 3),
        shadow=(202, 334, 150),
    ),
}

SHAPES: dict[str, Shape] = {**KITCHEN, **HOME, **ELECTRONICS, **CLOTHING, **OUTDOORS, **PAPER_AND_PLAY}
