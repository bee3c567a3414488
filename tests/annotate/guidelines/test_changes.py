"""What is marked in a guideline that has changed."""

import re

from annotate.guidelines.changes import paragraph_digests, shown_guideline

BEFORE = "# Write\n\nLook twice.\n\n- Say **what** you see.\n- Name no people.\n"


def marked(text, seen):
    return shown_guideline(text, seen=seen)


def changed_elements(html):
    return re.findall(r'<(\w+) data-changed="">', html)


def test_the_same_text_has_no_marks_and_no_version():
    paragraphs = marked(BEFORE, paragraph_digests(BEFORE))
    assert (paragraphs.version, paragraphs.is_changed, paragraphs.changed) == ("", False, 0)
    assert "data-changed" not in paragraphs.html


def test_a_first_look_has_a_version_but_no_marks():
    paragraphs = marked(BEFORE, None)
    assert paragraphs.version
    assert (paragraphs.is_changed, paragraphs.changed) == (False, 0)


def test_new_paragraphs_items_and_code_are_marked_wherever_they_stand():
    after = (
        "# Write\n\nLook three times.\n\n- Name no people.\n- Count.\n- Say **what** you see.\n"
        "```\n<b>code</b>\n```\n"
    )
    paragraphs = marked(after, paragraph_digests(BEFORE))
    assert paragraphs.changed == 3
    assert changed_elements(paragraphs.html) == ["p", "li", "code"]
    assert paragraphs.html.count("Changed: ") == 2
    assert "&lt;b&gt;code" in paragraphs.html


def test_a_paragraph_that_was_taken_out_changes_the_guideline_without_a_mark():
    paragraphs = marked("# Write\n\nLook twice.\n", paragraph_digests(BEFORE))
    assert (paragraphs.is_changed, paragraphs.changed) == (True, 0)


def test_what_an_admin_types_stays_text_where_it_is_marked():
    paragraphs = marked("<script>alert(1)</script>\n", paragraph_digests(BEFORE))
    assert "<script>" not in paragraphs.html
