"""The components as they come out."""

from __future__ import annotations

import pytest
from django.template import Context, Template

from annotate.models import Project


def rendered(source: str, **context: object) -> str:
    return " ".join(Template(source).render(Context(context)).split())


@pytest.mark.parametrize(
    ("tone", "icon"), [("info", "info"), ("ok", "check"), ("warn", "warn"), ("danger", "danger")]
)
def test_a_callout_has_the_icon_of_its_tone(tone, icon):
    text = rendered("{% callout tone %}<p>{{ name }}</p>{% endcallout %}", tone=tone, name="a<b")
    assert f'<div class="callout {tone}">' in text
    assert f"icons.svg#{icon}" in text
    assert "<div><p>a&lt;b</p></div> </div>" in text


def test_a_callout_refuses_an_unknown_tone():
    with pytest.raises(KeyError):
        rendered('{% callout "warning" %}{% endcallout %}')


def test_a_callout_with_a_label_is_a_section():
    text = rendered(
        '{% callout "danger" label="Sent back" role="alert" id="back" autofocus=True %}x'
        "{% endcallout %}"
    )
    assert text.startswith(
        '<section class="callout danger" aria-label="Sent back" id="back" role="alert"'
        ' tabindex="-1" autofocus>'
    )
    assert text.endswith("</section>")


def test_a_callout_with_a_heading_is_a_section_of_that_name():
    text = rendered(
        '{% callout labelled_by="title" css="silent" %}<h2 id="title">x</h2>{% endcallout %}'
    )
    assert text.startswith('<section class="callout info silent" aria-labelledby="title">')


def test_a_hidden_callout_can_take_the_focus_once_shown():
    assert 'tabindex="-1" hidden>' in rendered("{% callout hidden=True %}x{% endcallout %}")


def test_an_empty_state_has_a_title_and_a_way_out():
    text = rendered('{% empty_state "No <pairs>" %}<p>Choose.</p>{% endempty_state %}')
    assert text == '<div class="empty"> <h2>No <pairs></h2> <p>Choose.</p> </div>'


def test_an_empty_state_escapes_a_title_from_the_page():
    text = rendered("{% empty_state title %}x{% endempty_state %}", title="<b>")
    assert "<h2>&lt;b&gt;</h2>" in text


def test_a_scrollable_joins_and_escapes_its_label():
    text = rendered(
        '{% scrollable "Pairs of " name css="tall" id="pairs" %}<table></table>{% endscrollable %}',
        name='"x"',
    )
    assert text == (
        '<div class="table-scroll tall" id="pairs" aria-label="Pairs of &quot;x&quot;"'
        ' tabindex="0" role="region"> <table></table> </div>'
    )


def test_a_scrollable_is_labelled_by_a_heading():
    text = rendered('{% scrollable labelled_by="h" element="figure" %}x{% endscrollable %}')
    assert text == (
        '<figure class="table-scroll" aria-labelledby="h" tabindex="0" role="region"> x </figure>'
    )


def test_only_a_simulated_project_says_so():
    source = '{% simulated_notice project "votes" more="They say nothing." %}'
    assert rendered(source, project=Project(is_simulated=False)) == ""
    assert (
        "<strong>Simulated.</strong> A program made up these votes so that you can try the page."
        " They say nothing."
    ) in rendered(source, project=Project(is_simulated=True))
