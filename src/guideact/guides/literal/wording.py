"""How guides put things in English: the wordings by which `read` tells acts, places and values apart."""

from __future__ import annotations

import re


def _any(*patterns: str, flags: int = 0) -> re.Pattern[str]:
    """One pattern that any of these fits. A plain capital letter counts unless the flags say otherwise."""
    return re.compile("|".join(patterns), flags)


ENTER = _any(
    r"\b(?:press|hit|with|by|use|the|confirm with|of|and|tap|using|then|pressing|"
    r"via)\s+(?:a press of\s+)?(?:the\s+)?Enter\b",
    r"\bEnter key\b",
    r"\bkey Enter\b",
    r"^Enter (?:starts|sends|leads|takes|brings|is|does|then|opens|turns|gets|shows|lists)\b",
    r"\bReturn key\b",
    r"\bpress(?:ing)? Return\b",
    r"\bEnter\b(?=[^“]*$)(?<!^Enter)",
)
"""The Enter key, and not the word for typing."""

BACK = _any(
    r"\b(?:go|going|goes|turn|step|head|come|get|return|leave|lead|leads|move|back out|"
    r"backwards?)\b[^.;]*\bback\b",
    r"\bgo(?:ing)? back\b",
    r"\bback (?:to|towards|one|a page|from|out|again|button|arrow|key)\b",
    r"\breturn(?:ing)? (?:to|from|the way|once|now|by)\b",
    r"\bthe way you came\b",
    r"\bthe page (?:before|you came from)\b",
    r"\bprevious page\b",
    r"^Back\b",
    r"\bone page back\b",
    r"\bbrowser's back\b",
    r"\breturn\b(?=[^“]*$)",
    r"\bleave (?:this|the) (?:page|product|article|thread|post|issue)\b",
    flags=re.IGNORECASE,
)
"""Going back a page."""

SCROLL = _any(
    r"\bscroll(?!\s+bar\b)\w*",
    r"\bscroll bar\b",
    r"\bpage down\b",
    r"\b(?:move|go|travel|continue|roll|run|keep going)\b[^.;“]*\b(?:down|lower|downwards|up again|"
    r"up)\b[^.;“]*\b(?:page|screen|list|section|this|view|until|past|get closer|where)\b",
    r"\blower (?:down|on (?:this|the) page|in (?:this|the))\b",
    r"\bmove (?:further|the page)\b",
    r"\b(?:is|lies|sits) (?:below|above) (?:the visible|what you see|the part)",
    r"\bfurther (?:up|down)[,;:]? (?:out of|is|you)",
    r"\bdownwards\b",
    r"\bmouse wheel\b",
    r"\bmore below\b",
    r"\bslide up\b",
    r"\broll the page\b",
    r"\btop part of the page holds\b",
    r"\breturn towards the top\b",
    r"\bonly part of the list\b",
    r"\bpassed .* on the way down\b",
    r"\bgo (?:down|up) (?:one|a) screen",
    r"\bgo up again\b",
    r"\bmore (?:is|lies) (?:below|above)\b",
    flags=re.IGNORECASE,
)
"""Scrolling."""

TYPE = _any(
    r"^(?:\w+ ){0,3}?(?:type|set|write|enter|fill|put|overwrite|replace|key in|insert|paste|give|spell|"
    r"add the text|note down)\b",
    r"\b(?:typ(?:e|ing)|writ(?:e|ing|ten)|enter(?:ing)?(?! key)|fill(?:ing)?(?: in| out)?|overwrite|"
    r"replac(?:e|ing)|key in|insert|put(?:ting)?)\b(?![^.]*\bEnter\b$)",
    r"\b(?:should|must|is to|has to|ought to|shall) (?:read|say|hold|contain|become|stand|be|go)\b",
    r"\bmake it (?:say|read)\b",
    r"\bhave it (?:contain|say|read)\b",
    r"\bread[s]? “",
    r"\bgo(?:es)? (?:into|in|below|under|on|here|there)\b",
    r"\bdescribe it as\b",
    r"\bcall (?:it|the)\b",
    r"\bname it\b",
    r"\bchange [^.;]* (?:to|into) (?:“|\d)",
    r"\b(?:look|search) for “",
    r"\bstart(?:s)? (?:a|with|to|typing)\b[^.;]*\bsearch",
    r"\bsearch(?:ing)? (?:for|with|words?)\b",
    r"\bgive (?:it|the search|“)",
    r"\btakes? “[^”]+”",
    r"\bbelongs\b",
    r"\blet [^.;]* say\b",
    r"\bis for “",
    r"\basks? for\b",
    r"\b(?:text|words|title|name|value|number|password|code|address|date|weight|quantity|postcode|"
    r"phone) (?:to enter |here )?(?:is|are|becomes?)\b",
    r"\bwhile “[^”]+” stands\b",
    r"\bwants to know\b",
    r"\bhere (?:it is|they are|that is|this is)\b",
    r"\bas (?:stop|start|the start|the destination|your)\b",
    r"\bneeds is “",
    flags=re.IGNORECASE,
)
"""Something is to be typed, perhaps."""

TYPE_SURELY = _any(
    r"(?:^|\b(?:and|then|to|so|it|finally|now|next)[,:]? )(?:\w+ly )?(?:type|write|enter|fill|put|overwrite|"
    r"replace|key in|insert|give (?:it|the|this|“)|let|name the|call the)\b",
    r"\bstart typing\b",
    r"\bclick into\b",
    r"\bstart to write\b",
    r"\bshould (?:read|say|contain|stand)\b",
    r"\bmake it (?:say|read)\b",
    r"\bmust read\b",
    flags=re.IGNORECASE,
)
"""Something is to be typed."""

SELECT = _any(
    r"\b(?:choose|select|pick|set|change|switch|take|turn|order|sort)\b",
    r"\bdrop-?down\b",
    r"\bset to\b",
    r"\bhas an entry\b",
    r"\bthe (?:list|choice)\b",
    r"\b(?:option|entry)\b",
    r"\bis the (?:one|value|role|status|entry) (?:for|to)\b",
    flags=re.IGNORECASE,
)
"""Something is to be chosen."""

DONE = _any(
    r"\b(?:answer|asked for|report (?:it|them|that|this)|that (?:is|was|completes|settles)|job is done|"
    r"is done|you are (?:through|done|finished)|stop here|finish(?:ed)?(?: here)?|complete(?:s|d)?|"
    r"nothing (?:is|else|more|remains)|compare (?:it|what)|is what you were asked|all done|task|was all|"
    r"is all|came to|went through|it worked|tells you (?:so|that)|confirms|no more|wanted)\b",
    flags=re.IGNORECASE,
)
"""The end."""

CLICK = _any(
    r"\b(?:click|press|open|follow|tick|mark|choose|pick|unfold|take|go to|go on|visit|use|push|hit|tap|"
    r"confirm|save|send|submit|bring up|close|add|remove|delete|store|publish|start|switch|uncheck|clear|"
    r"restrict|answer the|continue)\b",
    flags=re.IGNORECASE,
)
"""Something is to be acted on."""

MINE = _any(
    r"\byour (?:own )?(?:first |full |user )?name\b",
    r"\bnamed after you\b",
    r"\byour (?:round )?(?:picture|portrait|initials?)\b",
    r"\b(?:account|user|own|personal) menu\b",
    r"\bwhat belongs to you\b",
    flags=re.IGNORECASE,
)
"""What belongs to whoever is signed in."""

BESIDE = _any(
    r"(?:\bbeside|\bnext to|\bunder|\bbelow|\babove|\bover|\bof|\brow of|\bcard of|\bcard|\bon|\bline|\brow|"
    r"\bleft of|\bright of|\bbehind|\bwhere|\bcolumn|\b(?:comment|post|review|written|one|reply) (?:by|"
    r"from)|\bcomment|\bbefore|\bafter|\bfrom)\s+(?:the\s+)?(?:\w+\s+)?$",
    flags=re.IGNORECASE,
)
"""What stands before a quotation that says where, and not what."""

BEFORE_VALUE = _any(
    r"(?:\btype|\bwrit\w+|\benter|\btyping|\bput|\binsert|\bsay|\bsays|\bread|\breads|\bcontain|\bcontains|"
    r"\bwith|\bby|\bto|\bbe|\bbecome|\bbecomes|\bas|\bwords?|\btext|\bis|\bare|\bfor|\bof|\bname|\btitle|"
    r"\bcode|\bpassword|\btake|\bgive|\bwhile|\bcall it|\bname it|\bthis:|[:,])\s*(?:the\s+)?(?:\w+\s+)?$",
    flags=re.IGNORECASE,
)
"""What stands before a text to enter."""

AFTER_VALUE = _any(
    r"^\s*(?:into\b|in the\b|in “|goes\b|belongs\b|is what\b|as\b|below\b|under\b|there\b|here\b|stands\b|"
    r"where\b|beside\b|on\b|with the search\b|and nothing)",
    flags=re.IGNORECASE,
)
"""What stands behind one."""

BEFORE_TARGET = _any(
    r"(?:\binto|\bin|\bunder|\bbelow|\bbeside|\bfill|\bset|\bfield|\bbox|\bfor|\bchange|\blabelled|\bcalled|"
    r"\bon|\bsays|\bnext to|\bgive|\bafter|^|[.;:,]|\bhave|\bfill in)\s*(?:the\s+)?(?:field\s+|box\s+|"
    r"list\s+)?$",
    flags=re.IGNORECASE,
)
"""What stands before the name of a field."""

AFTER_TARGET = _any(
    r"^\s*(?:with\b|should\b|must\b|field\b|box\b|takes\b|asks\b|to\b|by\b|is for\b|needs\b|has\b|list\b|"
    r"reads?\b|wants\b|is the (?:one|field)|,? which\b|goes\b|read\b|:|is\b)",
    flags=re.IGNORECASE,
)
"""What stands behind one."""
