"""An author's way through a LoVR project: a long video is cut, captioned, scored and refined;
people verify and write by hand; captions are fused, and the release holds every word of theirs.

Everything is done in the browser by the people who would do it; only the worker's part is called
directly, and the models are a server on this machine that reads the pictures it is sent.
"""

import base64
import io
import json
import re
import zipfile
from collections.abc import Iterator
from itertools import chain, repeat
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from annotate.corpus.pieces import pieces_of
from annotate.corpus.precedence import current_caption
from annotate.jobs.services.working import work_on
from annotate.models import Job, Project, WorkItem
from config.environment import Secret
from inference.backends.opencv_draft import describe_frame
from inference.loading import forget_models
from inference.models import InferenceRun, QualityScore, RefineAttempt
from inference.specs.services import place_model
from tests.browser.work_pages import SAVED
from tests.hand_work import DYNAMIC, judge
from tests.import_work import run_imports
from tests.inference.backends.loopback import KEY, Received, running, says
from tests.inference.scenes import render_scenes
from tests.review.capst.capst_runs import server_model
from tests.work import hold

# Just over LoVR's 900 s and 40 clips, at a rate that makes the video quick to read.
FPS, SECONDS, CLIPS = 2, 902, 41
CUTS = [number * SECONDS * FPS // CLIPS for number in range(1, CLIPS)]
WRONG = "A cat sleeps on a sofa under a lamp."
# With the two texts of `sees` in place.
BRIEF, DETAILED, HALF_WRONG = "{0}", "{1}", f"{WRONG} {{0}}"
MISSING = "A white square moves to the right."
SENTENCE = "All of it is green, or purple."
CORRECTED = f"{MISSING} {SENTENCE}"
LAST = "In the end, everything is red; “97 %”, one might say."
WRITTEN = "A white square crosses a yellow picture – slowly, and without a “stop”."
UNSEEN = "Nothing can be told of this clip."


def sees(received: Received) -> tuple[str, str]:
    """What a model says about its first picture: in one sentence, and in all that it can tell."""
    sent = next(part for part in received.body["messages"][-1]["content"] if "image_url" in part)
    _, _, picture = sent["image_url"]["url"].partition("base64,")
    frame = np.array(Image.open(io.BytesIO(base64.b64decode(picture))).convert("RGB"))
    text = describe_frame(frame)
    return text.partition("). ")[2].partition(". ")[0] + ".", text


class Captioner:
    """Says what it sees, unless `instead` has another text for the next request."""

    def __init__(self) -> None:
        self.instead: Iterator[str] = iter(())
        self.asked: list[str] = []

    def __call__(self, received: Received, out: BinaryIO) -> None:
        self.asked.append(received.prompt)
        text = next(self.instead, BRIEF).format(*sees(received))
        says(text)(received, out)


@pytest.fixture
def captioner(settings):
    with running() as loopback:
        loopback.answers = [captioner := Captioner()]
        settings.VERICAP_MODEL_SERVERS = {"here": {"url": loopback.url, "key": Secret(KEY)}}
        forget_models()
        yield captioner
        forget_models()


@pytest.fixture
def film(tmp_path) -> Path:
    return render_scenes(tmp_path / "market.mp4", cuts=CUTS, frames=SECONDS * FPS, fps=FPS)


@pytest.fixture
def lovr(project):
    Project.objects.filter(pk=project.pk).update(
        protocol=Project.Protocol.LOVR, min_frame_side=100, min_clip_seconds=3
    )
    project.refresh_from_db()
    return project


def run_to_the_end(page, kind, *, model=None, choices=None, says="") -> InferenceRun:
    page.goto(f"/p/dives/runs/new/?kind={kind}")
    if model:
        page.get_by_label(model).check()
    for label, value in (choices or {}).items():
        page.get_by_label(label, exact=True).select_option(label=value)
    expect(page.locator("#preview")).to_contain_text(says)
    page.get_by_role("button", name="Start the run").click()
    expect(page.get_by_role("heading", name=re.compile(" run "))).to_be_visible()
    run = InferenceRun.objects.latest("pk")
    work_on(job_id=run.pk)
    run.refresh_from_db()
    assert run.state == "done"
    assert not run.items.exclude(state__in=["done", "skipped"]).exists()
    return run


def adopt(page, value: str, then: str | None = None, *, of_videos: bool = False) -> None:
    """Adopt a threshold of the captions of clips, or of those of whole videos."""
    page.goto("/p/dives/threshold/")
    title = page.get_by_role("heading", level=2, name="of whole videos")
    which = {"has": title} if of_videos else {"has_not": title}
    section = page.locator("section.threshold").filter(**which)
    section.get_by_label("Try another value").fill(value)
    section.get_by_role("button", name=f"Adopt {value}").click()
    expect(page.get_by_role("heading", name=f"Adopt {value}?")).to_be_visible()
    if then:
        page.get_by_role("radio", name=then).check()
    page.get_by_role("button", name=f"Adopt {value}").click()
    page.wait_for_url("**/threshold/")


def take(page, button: str) -> None:
    page.goto("/p/dives/")
    with page.expect_navigation(url="**/assignments/*/"):  # until its scripts have run
        page.get_by_role("button", name=button).first.click()


def submit(page) -> None:
    expect(page.locator("#save-state")).to_have_text(SAVED)
    page.get_by_role("button", name="Submit", exact=True).click()
    page.wait_for_url("**/p/*/")


def refine_attempts(clip) -> int:
    return RefineAttempt.objects.filter(item__clip=clip).count()


def text_of(clip, kind="general") -> str:
    return current_caption(clip, kind).text


def film_is_dynamic(page) -> None:
    take(page, "Next: dynamics check")
    page.keyboard.press("d")
    expect(page.locator("#save-state")).to_have_text(SAVED)
    page.keyboard.press("ControlOrMeta+Enter")
    expect(page.locator("#unwatched")).to_be_focused()  # asked once
    page.keyboard.press("ControlOrMeta+Enter")
    page.wait_for_url("**/p/*/")


def verify_half_wrong_caption(page) -> None:
    """Delete the first sentence (B and D), correct the second (A), and insert one before it (C)."""
    take(page, "Verify next")
    keys = page.keyboard
    for key in ("b", "Alt+4"):
        keys.press(key)
    expect(page.get_by_label("Verdict of sentence 1")).to_have_value("B#D")
    page.get_by_label("Delete sentence").first.check()
    for key in ("Alt+ArrowDown", "a", "ControlOrMeta+a"):
        keys.press(key)
    keys.type(SENTENCE)
    keys.press("Alt+3")
    keys.type(MISSING)
    keys.press("Alt+g")
    keys.type("f4")
    for key in ("Enter", "Alt+7", "Tab", "Tab"):
        keys.press(key)
    keys.type("40")
    keys.press("Alt+9")  # the theme is right
    submit(page)


def verify_whole_video(page) -> None:
    """Leave every sentence but the last, which is corrected."""
    take(page, "Verify next")
    for _ in range(page.locator("li.verify-row").count() - 1):
        page.keyboard.press("o")
    for key in ("a", "ControlOrMeta+a"):
        page.keyboard.press(key)
    page.keyboard.type(LAST)
    page.keyboard.press("Alt+9")
    submit(page)


def lines_of(release: zipfile.ZipFile, name: str) -> list[dict]:
    text = release.read(f"dives-0.1.0-lovr/caption_data/{name}").decode()
    return [json.loads(line) for line in text.split("\n") if line]


def build_release(page) -> zipfile.ZipFile:
    page.goto("/p/dives/releases/next/")
    page.get_by_label("Version").fill("0.1.0")
    page.get_by_label("I have looked at").check()
    page.get_by_role("button", name="Build and freeze").click()
    expect(page.locator("#release-build strong")).to_be_visible()
    work_on(job_id=Job.objects.get(kind="release").pk)
    page.get_by_role("link", name="0.1.0", exact=True).first.click()
    page.wait_for_url("**/releases/0.1.0/")
    work_on(job_id=Job.objects.get(kind="release_archive").pk)
    with page.expect_download() as download:
        page.locator("#archive-lovr").get_by_role("link", name="Download").click()
    return zipfile.ZipFile(io.BytesIO(Path(download.value.path()).read_bytes()))


def test_what_people_wrote_is_in_the_release_word_for_word(
    page_of, lovr, film, captioner, ada, anna, ben, rita, screenshot
):
    server_model(lovr, "Qwen2.5-VL-7B")
    place_model(spec=server_model(lovr, "Qwen2.5-VL-72B"), move="in", admin=ada)
    admin = page_of(ada)
    admin.goto("/p/dives/models/")
    admin.get_by_role("button", name="Add the built-in models").click()
    expect(admin.get_by_role("row", name=re.compile("Plain joiner"))).to_be_visible()
    admin.goto("/p/dives/videos/upload/")
    admin.set_input_files("input[type=file]", film)
    admin.get_by_role("button", name=re.compile("^Upload")).click()
    admin.get_by_text("Waiting for a worker").wait_for()
    run_imports()

    run_to_the_end(admin, "segment")
    clips = list(pieces_of(lovr).order_by("start_frame"))
    assert [clip.start_frame for clip in clips] == [0, *CUTS]
    judge(hold(anna, WorkItem.objects.get(kind="dynamics")), DYNAMIC)
    film_is_dynamic(page_of(ben))
    theme = run_to_the_end(admin, "theme", model="Qwen2.5-VL-7B").items.get().note
    wrong, half_wrong = clips[3:5], clips[8:10]
    captioner.instead = chain(
        repeat(BRIEF, 3), repeat(WRONG, 2), repeat(BRIEF, 3), repeat(HALF_WRONG, 2)
    )
    run_to_the_end(admin, "caption", model="Qwen2.5-VL-7B")
    assert captioner.asked[-1].endswith(f"is about: {theme}")
    run_to_the_end(admin, "score", model="Lexical vectors")

    # Captions below LoVR's 0.2 go to a better model; people write what it fails at three times.
    adopt(admin, "0.2")
    assert not WorkItem.objects.exclude(kind="dynamics").exists()
    captioner.instead = chain([DETAILED], repeat(UNSEEN, 3))
    run_to_the_end(admin, "refine")
    [by_hand] = {item.clip for item in WorkItem.objects.filter(kind="hand")}
    assert by_hand in wrong
    assert refine_attempts(by_hand) == 3
    hers = page_of(ben)
    take(hers, "Write by hand next")
    hers.get_by_label("Caption", exact=True).fill(WRITTEN)
    submit(hers)

    # Of those that a higher threshold sends back, people verify one before models are asked again.
    adopt(admin, "0.32", then="People verify them now")
    verify_half_wrong_caption(page_of(anna))
    [verified] = {item.clip for item in WorkItem.objects.filter(kind="verify", state="done")}
    assert verified in half_wrong
    run_to_the_end(admin, "score", model="Lexical vectors")
    by_people = QualityScore.objects.filter(caption__source__in=["corrected", "human"])
    assert [score.value < 0.32 for score in by_people] == [True, True]
    captioner.instead = repeat(DETAILED)
    run_to_the_end(admin, "refine", says="0 of 2 human captions change.")
    assert (refine_attempts(verified), refine_attempts(by_hand)) == (0, 3)
    [other] = {*half_wrong} - {verified}
    assert "picture" in text_of(other)
    people_wrote = {verified: CORRECTED, by_hand: WRITTEN}
    assert {clip: text_of(clip) for clip in people_wrote} == people_wrote

    fused = run_to_the_end(admin, "fuse", model="Plain joiner").items.get().result
    assert set(fused.parents.all()) == {current_caption(clip) for clip in clips}
    # The joiner puts a connective before a paragraph, and changes no more than its first letter.
    assert all(text[1:] in fused.text for text in people_wrote.values())
    whole_videos = {"What to score": "Captions of whole videos"}
    run_to_the_end(admin, "score", model="Lexical vectors", choices=whole_videos)
    adopt(admin, "0.9", then="People verify them now", of_videos=True)
    verify_whole_video(page_of(rita))
    whole = fused.text.rpartition("\n\n")[0] + f"\n\n{LAST}"
    assert text_of(fused.clip, "full_video") == whole

    admin.goto("/p/dives/runs/")
    admin.locator("main").get_by_role("link", name="Device hours").click()
    captioned = admin.get_by_role("row", name=re.compile("^Caption"))
    expect(captioned).to_contain_text(f"Server here {CLIPS}", use_inner_text=True)
    screenshot(admin, "device-hours", full_page=True)

    release = build_release(admin)
    texts = [line["cap"] for line in lines_of(release, "all_clip.jsonl")]
    assert texts == [text_of(clip) for clip in clips]
    assert {clip: texts[clips.index(clip)] for clip in people_wrote} == people_wrote
    assert lines_of(release, "all_video.jsonl") == [{"vid": "market", "cap": whole}]
