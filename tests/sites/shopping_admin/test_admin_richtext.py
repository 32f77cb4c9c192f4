"""The sanitiser against hostile markup."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guideact.sites.shopping_admin.richtext import ALLOWED, plain_text, sanitise

from .conftest import Office


class Reader(HTMLParser):
    """Collects what a reader of the output would find."""

    def __init__(self, markup: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, list[tuple[str, str | None]]]] = []
        self.depth = 0
        self.others: list[str] = []
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, attrs))
        self.depth += tag != "br"

    def handle_endtag(self, tag: str) -> None:
        self.depth -= 1

    def handle_comment(self, data: str) -> None:
        self.others.append(data)

    def handle_decl(self, decl: str) -> None:
        self.others.append(decl)

    def handle_pi(self, data: str) -> None:
        self.others.append(data)


def assert_clean(markup: str) -> None:
    reader = Reader(markup)
    assert reader.others == []
    assert reader.depth == 0
    for tag, attributes in reader.tags:
        assert tag in ALLOWED
        assert [name for name, _ in attributes] == (["href"] if tag == "a" else [])
        for _, value in attributes:
            assert (value or "").lower().startswith(("http://", "https://", "mailto:", "/", "#"))


HOSTILE = (
    "<script>alert(1)</script>",
    "<p>a<script>alert(1)",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "<svg><p><style><img src=x onerror=alert(1)></style></p></svg>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    "<a href=javascript:alert(1)>x</a>",
    "<a href='&#106;avascript:alert(1)'>x</a>",
    "<a href=' java\tscript:alert(1)'>x</a>",
    "<a href='//evil.example'>x</a>",
    "<a href='data:text/html,x'>x</a>",
    "<a href='/\\evil.example'>x</a>",
    '<a href="https://x.example/&quot; onmouseover=alert(1)">x</a>',
    "<p style='position:fixed' onclick=alert(1) class=x id=main>a</p>",
    "<iframe src=/x></iframe><object data=x></object><embed src=x>text",
    "<form action=/logout><input name=csrf><button>b</button></form>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<!--<img src=x onerror=alert(1)>--><![CDATA[<script>x</script>]]><?php x ?>",
    "<<script>alert(1)//<</script>",
    "<p>&lt;script&gt;alert(1)&lt;/script&gt;",
    "<textarea></p><script>alert(1)</script></textarea>",
    "</p></div></main><base href=//evil.example>",
    "<table><tr><td><script>alert(1)</script>ok<td><p>b</table>",
    "<plaintext><script>alert(1)",
    "<template><script>alert(1)</script></template>",
)


@pytest.mark.parametrize("markup", HOSTILE)
def test_hostile_markup_loses_what_is_hostile(markup: str) -> None:
    clean = sanitise(markup)
    assert_clean(clean)
    assert sanitise(clean) == clean
    assert "alert" not in clean or "<script" not in clean


WORDS = (
    "<p> </p> <b> </b> <ul> </ul> <li> <table> </table> <tr> <td> </td> <a~href='/x'> </a> <h2> <blockquote>"
    " </blockquote> <br> <script> </script> <svg> </svg> <!-- --> < > &"
    " &amp; &lt; &#x3c; \" ' x <img~src=x~onerror=y> <div> </div>"
)
PIECES = st.sampled_from([*(word.replace("~", " ") for word in WORDS.split()), " ", "\n"])


@given(st.lists(PIECES, max_size=25).map("".join))
def test_whatever_comes_in_only_allowed_markup_comes_out(markup: str) -> None:
    clean = sanitise(markup)
    assert_clean(clean)
    assert sanitise(clean) == clean


@given(st.text(max_size=60))
def test_text_survives(text: str) -> None:
    assert_clean(sanitise(text))


def test_what_the_editor_writes_stays() -> None:
    markup = (
        "<h2>Care</h2> <p>Wash <strong>cold</strong>, <em>never</em> <u>hot</u>.<br>"
        'See <a href="/page/care">here</a>.</p>'
        "<ul><li>One</li><li>Two</li></ul><ol><li>First</li></ol><blockquote>Said &amp; done</blockquote>"
        "<table><thead><tr><th>Size</th></tr></thead><tbody><tr><td>S</td></tr></tbody></table>"
    )
    assert sanitise(markup) == markup
    assert plain_text("<p>One &amp; two</p><p>three</p>") == "One & two three"


def test_browser_habits_become_clean_markup() -> None:
    assert sanitise("hello") == "<p>hello</p>"
    assert sanitise("<div>a</div><div>b</div>") == "<p>a</p><p>b</p>"
    assert sanitise("<b>a</b><i>b</i>") == "<p><strong>a</strong><em>b</em></p>"
    assert sanitise("<p>a\xa0b</p><p><br></p>") == "<p>a b</p><p><br></p>"
    assert sanitise("<p></p>") == ""


async def test_the_shipped_words_are_clean_already(office: Office) -> None:
    for sql in ("SELECT description FROM product", "SELECT body FROM cms_page"):
        for (markup,) in office.db.execute(sql).fetchall():
            assert sanitise(markup) == markup


async def test_saving_sanitises_what_is_stored_and_shown(office: Office) -> None:
    body = "<p>Hi<img src=x onerror=alert(1)></p><script>alert(1)</script>"
    await office.post("/pages/1", title="About us", slug="about-us", is_active="1", body=body)
    assert office.value("SELECT body FROM cms_page WHERE id = 1") == "<p>Hi</p>"
    office.db.execute("UPDATE cms_page SET body = ? WHERE id = 1", (body,))
    office.db.commit()
    for path in ("/pages/1", "/pages/1/preview"):
        assert "<img src=x" not in await office.get(path)
