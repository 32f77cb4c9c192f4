"""Markup that is remembered, because the same data always look the same: cards of products, stars, the menu."""

from __future__ import annotations

import functools

import jinja2
from markupsafe import Markup

from guideact.sites.shopping.layout import MenuEntry
from guideact.sites.shopping.listing import Card

_REMEMBERED = 4096


@functools.lru_cache(_REMEMBERED)
def _card(environment: jinja2.Environment, product: Card, view: str, heading: str, icons: str) -> Markup:
    template = environment.get_template("_card.html")
    return Markup(
        template.render(product=product, view=view, heading=heading, icons=icons, stars=stars(product.rating, icons))
    )


@jinja2.pass_context
def card(context: jinja2.runtime.Context, product: Card, view: str = "grid", heading: str = "h2") -> Markup:
    """Filter: `{{ product|card("list") }}`. `view` is grid or list, `heading` the level of the product's name."""
    return _card(context.environment, product, view, heading, context["icons"])


@functools.lru_cache(_REMEMBERED)
def stars(rating: float, icons: str) -> Markup:
    """Filter: five stars, filled as far as `rating` (0 to 5) goes; `icons` is the address of icons.svg."""
    wide = f"{rating * 20:.1f}"
    return Markup(
        '<span class="stars" role="img" aria-label="{} out of 5 stars"><svg viewBox="0 0 100 20" width="90" height="18"'
        ' aria-hidden="true" focusable="false"><use class="stars-off" href="{}#five-stars"></use>'
        '<svg width="{}" height="20" viewBox="0 0 {} 20"><use class="stars-on" href="{}#five-stars" width="100"'
        ' height="20"></use></svg></svg></span>'
    ).format(f"{rating:.1f}", icons, wide, wide, icons)


@functools.lru_cache(_REMEMBERED)
def _menu(environment: jinja2.Environment, entries: tuple[MenuEntry, ...], icons: str) -> Markup:
    return Markup(environment.get_template("_menu.html").render(menu=entries, icons=icons))


@jinja2.pass_context
def menu(context: jinja2.runtime.Context, entries: tuple[MenuEntry, ...]) -> Markup:
    """Filter: the categories under the header, with what opens below each."""
    return _menu(context.environment, entries, context["icons"])
