"""The small markdown: what it makes of a text, and that nothing gets through it."""

from __future__ import annotations

import pytest

from guideact.sites.reddit.markdown import excerpt, markdown


@pytest.mark.parametrize(
    ("text", "markup"),
    [
        ("One\nline\n\nTwo", "<p>One<br>line</p><p>Two</p>"),
        ("**b** *i* ~~s~~ `a*b*`", "<p><strong>b</strong> <em>i</em> <del>s</del> <code>a*b*</code></p>"),
        ("## Head\n- a\n- b\n1. c", "<h3>Head</h3><ul><li>a</li><li>b</li></ul><ol><li>c</li></ol>"),
        ("> said\n> twice", "<blockquote>said twice</blockquote>"),
        ("[x](https://a.example/b)", '<p><a href="https://a.example/b" rel="nofollow">x</a></p>'),
        ("2 * 3 * 4", "<p>2 * 3 * 4</p>"),
        ("see f/coffee", '<p>see <a href="/f/coffee">f/coffee</a></p>'),
        ("```\n<b>\n```", "<pre><code>&lt;b&gt;</code></pre>"),
    ],
)
def test_markup(text: str, markup: str) -> None:
    assert markdown(text) == markup


@pytest.mark.parametrize(
    "text",
    ["<script>x</script>", "[x](javascript:alert(1))", '[x](https://a"onclick=b)', "[x](//evil.example)", "a\0b"],
)
def test_nothing_gets_through(text: str) -> None:
    made = str(markdown(text))
    assert "<script" not in made
    assert 'javascript:alert(1)"' not in made
    assert '"onclick' not in made
    assert 'href="//' not in made
    assert "\0" not in made


def test_excerpt_is_cut_at_a_word() -> None:
    assert excerpt("**One** [two](https://x.example) three", 100) == "One two three"
    assert excerpt("word " * 100, 23) == "word word word word…"
