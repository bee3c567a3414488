"""The page of a guideline's examples, and the examples beside the work."""

import pytest
from django.urls import reverse

from annotate.examples.services import add_example
from annotate.guidelines.versions import shown_examples
from annotate.models import GuidelineExample, GuidelineVersion
from tests.cast import client_of, count_queries, make_clip, make_project
from tests.work import hold, make_work, submit_write_up

pytestmark = pytest.mark.django_db
HOSTILE = "<script>alert(1)</script>"


def address(project, name="guideline", *args):
    return reverse(f"annotate:{name}", args=[project.slug, *(args or ("write",))])


def add(project, admin, clip=None, **fields):
    values = {"kind": "write", "is_good": True, "comment": f"Good. {HOSTILE}"}
    return add_example(
        project=project,
        clip=clip or make_clip(project),
        parts=[("Overview", f"A diver. {HOSTILE}")],
        admin=admin,
        **{**values, **fields},
    )


def test_finished_work_becomes_an_example_in_two_steps(project, anna, ada):
    done = submit_write_up(anna, make_work(make_clip(project)))
    client = client_of(ada)
    link = f"{address(project, 'new_example')}?work={done.pk}"
    page = client.get(address(project)).text
    assert "No examples yet" in page
    assert link in page
    form = client.get(link)
    assert "A diver jumps from a tall board" in form.text
    sent = {f"part-{place}": text for place, text in enumerate(["One.", "Two.", "", ""])}
    saved = client.post(link, {**sent, "tone": "bad", "comment": "Too short."})
    assert saved.url == address(project)
    [example] = shown_examples(project, "write")
    assert example.parts == [["Overview", "One."], ["Objects", "Two."]]
    assert (example.is_good, example.comment) == (False, "Too short.")
    page = client.get(address(project)).text
    assert "Don’t" in page
    assert "1 open place of this clip is held back" in page


def test_an_admin_writes_an_example_for_any_clip(project, ada):
    clip = make_clip(project)
    client = client_of(ada)
    link = f"{address(project, 'new_example')}?clip={clip.pk}"
    assert link in client.get(address(project), {"q": clip.name}).text
    refused = client.post(link, {"tone": "good", "comment": "", "part-0": "My words"})
    assert refused.status_code == 422
    assert "My words" in refused.text
    assert "Say what is good or bad about it." in refused.text
    assert client.post(link, {"tone": "good", "comment": "x"}).status_code == 422
    client.post(link, {"tone": "good", "comment": "Short.", "part-0": "My words"})
    assert [example.clip for example in shown_examples(project, "write")] == [clip]


def test_a_clip_in_hand_is_refused_and_nothing_typed_is_lost(project, anna, ada):
    held = hold(anna, make_work(make_clip(project)))
    link = f"{address(project, 'new_example')}?clip={held.item.clip_id}"
    page = client_of(ada).post(link, {"tone": "good", "comment": "Why", "part-0": "My words"})
    assert page.status_code == 422
    assert "Anna is working on" in page.text
    assert "My words" in page.text


def test_examples_are_changed_moved_removed_and_restored(project, ada):
    first, second = add(project, ada), add(project, ada)
    client = client_of(ada)
    client.post(address(project, "move_example", second.pk), {"to": "up"})
    assert list(shown_examples(project, "write")) == [second, first]
    change = address(project, "example", first.pk)
    assert "A diver." in client.get(change).text
    client.post(change, {"tone": "good", "comment": "New reason", "part-0": "New"})
    changed = GuidelineExample.objects.latest("pk")
    assert list(shown_examples(project, "write")) == [second, changed]
    assert client.post(change, {"tone": "good", "comment": "x", "part-0": "y"}).status_code == 422
    removed = client.post(address(project, "remove_example", second.pk), follow=True)
    assert "Version 4 below still has it" in removed.text
    version = GuidelineVersion.objects.get(number=4)
    client.post(address(project, "restore_examples", version.pk))
    assert list(shown_examples(project, "write")) == [second, changed]


def test_nothing_of_another_project_is_reached(project, ada):
    other = make_project("Other")
    example, clip = add(other, ada), make_clip(other)
    client = client_of(ada)
    for name in ("example", "move_example", "remove_example"):
        assert client.post(address(project, name, example.pk)).status_code == 404
    version = GuidelineVersion.objects.get()
    assert client.post(address(project, "restore_examples", version.pk)).status_code == 404
    new = address(project, "new_example")
    assert client.get(f"{new}?clip={clip.pk}").status_code == 404
    assert client.get(f"{new}?clip=x").status_code == 404
    assert client.get(address(project, "guideline", "verify")).status_code == 404


def test_the_work_page_shows_examples_beside_the_guideline(project, anna, ada):
    example = add(project, ada)
    held = hold(anna, make_work(make_clip(project)))
    page = client_of(anna).get(reverse("annotate:work", args=[held.pk])).text
    playback = reverse("annotate:media_playback", args=[project.slug, example.clip.video_id])
    assert f'data-src="{playback}#t=0.000,10.000"' in page
    assert 'preload="none"' in page
    assert "A diver. &lt;script&gt;" in page
    assert HOSTILE not in page
    assert "js/queue/examples.js" in page


def test_a_guideline_without_examples_loads_no_script(project, anna):
    held = hold(anna, make_work(make_clip(project)))
    assert "examples.js" not in client_of(anna).get(reverse("annotate:work", args=[held.pk])).text


def test_the_page_costs_the_same_queries_for_one_and_three(project, anna, ada):
    client, url = client_of(ada), address(project)

    def queries():
        add(project, ada)
        submit_write_up(anna, make_work(make_clip(project)))
        client.get(url)
        with count_queries() as count:
            client.get(url)
        return int(count)

    first = queries()
    queries()
    assert queries() == first
