"""The language of articles: what becomes of every construct, and that nothing in it becomes markup by itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guideact.sites.wikipedia.diffs import compare
from guideact.sites.wikipedia.markup import (
    categories_of,
    lead_text,
    plain_text,
    redirect_target,
    render_article,
    sections,
    slug_of,
    with_section,
)


def known(title: str) -> bool:
    return title in ("Kettle", "Tea")


def shown(source: str) -> str:
    rendered = render_article(source, "Title", known)
    return str(rendered.lead + rendered.body)


def test_inline_marks() -> None:
    assert shown("'''a''' and ''b'' and '''''c'''''") == "<p><b>a</b> and <i>b</i> and <b><i>c</i></b></p>"


def test_links_tell_what_is_missing() -> None:
    page = shown("[[Kettle]] [[Tea|a cup]] [[Nothing]] [[Kettle#Parts of it|x]] [[Category:A b|cats]]")
    assert '<a class="wl" href="/wiki/Kettle">Kettle</a>' in page
    assert '<a class="wl" href="/wiki/Tea">a cup</a>' in page
    assert '<a class="missing" href="/wiki/Nothing"' in page
    assert 'href="/wiki/Kettle#Parts_of_it"' in page
    assert '<a href="/category/A_b">cats</a>' in page


def test_headings_are_numbered_and_can_be_edited() -> None:
    rendered = render_article("lead\n\n== A ==\nx\n\n=== B ===\ny\n\n== C ==\nz<ref>r</ref>\n", "Title", known)
    assert [(one.number, one.text, one.section) for one in rendered.headings] == [
        ("1", "A", 1),
        ("1.1", "B", 2),
        ("2", "C", 3),
        ("3", "References", -1),
    ]
    assert 'href="/edit/Title?section=2"' in rendered.body
    assert "/edit/" not in render_article("== A ==\n", "Title", known, editable=False).body


def test_a_reference_used_twice_has_one_note_and_two_ways_back() -> None:
    page = shown("a<ref>Book</ref> b<ref>Book</ref> c<ref>Other</ref>")
    assert page.count('<li id="note-') == 2
    assert 'href="#ref-1-2"' in page
    assert 'id="ref-2-1"' in page


def test_tables_are_sortable_from_four_rows_on() -> None:
    rows = "\n".join(f"| {at} | [[Kettle|x]]" for at in range(4))
    page = shown(f"{{| Caption\n! Year ! Name\n{rows}\n|}}")
    assert 'class="wikitable sortable"' in page
    assert '<button type="button" class="sort-button">Year</button>' in page
    assert page.count("<tr>") == 5
    assert "sortable" not in shown("{| Caption\n! Year\n| 1\n|}")


def test_a_box_of_facts() -> None:
    page = shown("{{infobox\nkind = Thing\nimage = emblem-X\ncaption = C\nFounded = 1950\nEmpty =\n}}\ntext")
    assert '<th scope="row">Founded</th><td>1950</td>' in page
    assert "Empty" not in page
    assert 'src="/media/emblem-X.svg"' in page


def test_templates() -> None:
    assert "<details" in shown("{{collapse More}}\ninside\n{{end}}")
    assert shown("{{collapse More}}\nnever closed").count("</details>") == 1
    assert shown("{{end}}") == ""
    assert "<blockquote>" in shown("{{quote Words | Somebody}}")
    assert render_article("{{disambiguation}}\n", "T", known).is_disambiguation


@pytest.mark.parametrize(
    "source",
    [
        "<script>alert(1)</script>",
        "[[<img src=x>|<b>]]",
        '[["onclick=x]]',
        "== <i>x</i> ==",
        '{{infobox\n<b> = <script>\nimage = "><script>\n}}',
        "{| <script>\n! <script>\n| <script>\n|}",
        '{{image "><script> | <script>}}',
        '{{map "><script>}}',
        "<ref><script></ref>",
    ],
)
def test_no_source_becomes_markup_of_its_own(source: str) -> None:
    page = shown(source)
    assert "<script" not in page
    assert "<img src=x" not in page
    assert '"onclick' not in page.replace("&#34;", "")


@given(st.text(alphabet="[]{}|!='<>#*abc \n&\"", max_size=80))
def test_any_source_makes_a_page(source: str) -> None:
    page = shown(source)
    assert "<script" not in page
    plain_text(source)
    lead_text(source)
    assert "".join(sections(source)) == source


def test_sections_can_be_replaced() -> None:
    source = "lead\n\n== A ==\none\n\n== B ==\ntwo\n"
    assert len(sections(source)) == 3
    assert with_section(source, 1, "== A ==\nnew\n") == "lead\n\n== A ==\nnew\n\n== B ==\ntwo\n"
    with pytest.raises(IndexError):
        with_section(source, 7, "x")


def test_words_without_markup() -> None:
    source = "{{infobox\nkind = Thing\nSize = [[Tea|big]]\n}}\n'''A''' [[Kettle|pot]]<ref>r</ref>.\n\n== H ==\n* one\n"
    assert plain_text(source) == "Size: big. A pot. H one"
    assert lead_text(source) == "A pot."


def test_small_questions() -> None:
    assert redirect_target("#redirect [[Tea]]") == "Tea"
    assert redirect_target("text") is None
    assert categories_of("[[Category:A]]\n[[Category:B]]\n[[Category:A]]") == ("A", "B")
    assert slug_of("Kiln & Co") == "Kiln_Co"
    assert slug_of("Töölö") == "Toolo"
    assert slug_of("kettle") == "Kettle"


def test_comparing_marks_the_words_that_changed() -> None:
    (_, line) = compare("the year 1962 was", "the year 1926 was")
    assert line.kind == "changed"
    assert line.old == "the year <del>1962</del> was"
    assert line.new == "the year <ins>1926</ins> was"
    assert compare("a\n", "a\n") == []
    assert [one.kind for one in compare("a\n", "a\nb\n")] == ["gap", "same", "added"]
    assert [one.kind for one in compare("a\nb\n", "a\n")] == ["gap", "same", "removed"]
    assert compare("<b>", "<i>")[1].old == "&lt;<del>b</del>&gt;"
