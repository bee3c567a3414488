"""What WCAG 2.2 AA asks of whole pages: focus in sight, no sideways scrolling, forced colors.

Each test signs in once and visits many pages.
"""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from annotate.models import Assignment, Clip, Membership, Project, Video, WorkItem
from annotate.protocols import protocol_choices
from review.elements.services import hand_out_elements
from tests.browser.test_compare import start_long_round
from tests.cast import make_person
from tests.hand_work import attempt, hold_check, machine_caption, open_hand
from tests.merge_work import BIKES_A, open_merge
from tests.one_of_everything import make_world
from tests.review.capst.capst_runs import (
    described_clip,
    judge,
    start,
    word_overlap,
)
from tests.review.capst.judging import modify_item, pair_item
from tests.review.comparisons.comparing import next_caption_pair
from tests.review.ratings.rating import make_examples, train
from tests.review.triplets.triplets import make_label, make_pair, make_triplet, modify
from tests.review.triplets.verifying_triplets import hold_query
from tests.review.verification.verifying import hold_verification
from tests.split_work import hold_split
from tests.test_permissions import ADMIN, BY_ROLE, REVIEWER, address
from tests.work import WRITE_UP, hold, make_work

PROTOCOLS = [key for key, _ in protocol_choices()]

LONG = " ".join(BIKES_A.values())
# Parts of one sentence each, as long as ever: each row of the merge has eight places for the focus.
FEW_ROWS = WRITE_UP | {part: WRITE_UP[part].replace(". ", ", ") for part in ("objects", "actions")}
MAX_STOPS = 250
SIZES = [(1280, 800), (390, 844), (320, 256)]  # the last is the first at 400 %, nearly
# What a page fetches into itself or offers as a file.
NO_PAGES = (
    "_live", "_csv", "_json", "_file", "_archive", "_statistics", "_figure", "_faults",
    "_deliveries", "release_checks", "import_rows", "import_item", "import_state", "project_menu",
    "try_threshold",
    "try_threshold",
)  # fmt: skip

# What lies over the focused element, or null. A small one has to be free at its middle and inside
# its corners; one of more than half the window, or a text, which scrolls to its caret, at one of
# these. An element that is nowhere in the window is hidden too.
HIDDEN_FOCUS = """
() => {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const target = element.closest("label") ?? element;
  const look = () => {
    const box = target.getClientRects()[0];
    const [left, right] = [Math.max(box.left, 0), Math.min(box.right, innerWidth)];
    const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)];
    if (right - left < 1 || bottom - top < 1) return "is out of the window";
    const points = [[(left + right) / 2, (top + bottom) / 2]];
    for (const x of [left + 3, right - 3]) points.push([x, top + 3], [x, bottom - 3]);
    const covers = points.map(([x, y]) => document.elementFromPoint(x, y))
      .filter((over) => over && !target.contains(over) && !over.contains(target));
    const isLarge = box.height > innerHeight / 2 || element.matches("textarea");
    if (covers.length <= (isLarge ? points.length - 1 : 0)) return null;
    const [{ id, tagName, classList }] = covers;
    return `has ${covers.length} of 5 points behind ${tagName} ${id || classList}`;
  };
  const fault = look();
  const name = element.getAttribute("aria-label") ?? target.textContent.trim().slice(0, 30);
  return [`${element.tagName.toLowerCase()} “${name}”`, fault];
}
"""
# Each Tab looks at what the last one led to. Rows that come into the window are laid out a moment
# later, so a fault keeps the focus where it is until it has been looked at a few times.
WATCH_FOCUS = f"""
() => {{
  const hiddenFocus = {HIDDEN_FOCUS};
  const TRIES = 6;
  const walk = window.focusWalk = {{ stops: -1, faults: [], hasLeft: false }};
  let tries = 0;
  window.onTab ??= addEventListener("keydown", (event) => {{
    if (event.key === "Tab") window.lookBeforeTab(event);
  }}, {{ capture: true }}) ?? true;
  window.lookBeforeTab = (event) => {{
    const stop = hiddenFocus();
    walk.hasLeft ||= stop === null;
    tries = stop?.[1] ? tries + 1 : 0;
    if (walk.hasLeft || (tries > 0 && tries < TRIES)) {{
      event.preventDefault();
      return;
    }}
    walk.stops += 1;
    // The walk starts at the first stop, which nobody has come to.
    if (tries === TRIES && walk.stops > 0) walk.faults.push(stop.join(" "));
    tries = 0;
  }};
}}
"""

# A page that is wider than the window, or whose first heading isn't its only h1, or whose
# navigation counts work that nobody waits for.
FAULTS_OF_PAGE = """
() => {
  const faults = [];
  const { clientWidth, scrollWidth } = document.documentElement;
  if (scrollWidth > clientWidth) faults.push(`is ${scrollWidth} px wide`);
  const headings = [...document.querySelectorAll("h1, h2, h3, h4")];
  const levels = headings.filter((heading) => heading.checkVisibility()).map((h) => h.tagName);
  if (levels.indexOf("H1") !== 0 || levels.lastIndexOf("H1") !== 0) {
    faults.push(`has the headings ${levels}`);
  }
  if (document.querySelector(".sidebar .badge")) faults.push("counts what doesn't wait");
  return faults;
}
"""


# Show the page at an address in place of the one that is open, without running its scripts again;
# return whether that is all there is to it. A page with another script has to be loaded.
SHOW_IN_PLACE = """
async (address) => {
  const answer = await fetch(address);
  const next = new DOMParser().parseFromString(await answer.text(), "text/html");
  const scriptsOf = (page) => [...page.querySelectorAll("script[src]")].map((each) => each.src);
  const own = new Set(scriptsOf(document));
  if (scriptsOf(next).some((source) => !own.has(source))) return false;
  const sheetsOf = (page) => [...page.querySelectorAll("link[rel=stylesheet]")];
  const needed = new Set(sheetsOf(next).map((sheet) => sheet.href));
  const there = new Set(sheetsOf(document).map((sheet) => sheet.href));
  const missing = sheetsOf(next).filter((sheet) => !there.has(sheet.href));
  await Promise.all(missing.map((sheet) => new Promise((resolve, reject) => {
    const copy = document.importNode(sheet);
    Object.assign(copy, { onload: resolve, onerror: reject });
    document.head.append(copy);
  })));
  for (const sheet of sheetsOf(document)) sheet.disabled = !needed.has(sheet.href);
  document.body = document.adoptNode(next.body);
  const detail = { elt: document.body };
  document.body.dispatchEvent(new CustomEvent("htmx:load", { bubbles: true, detail }));
  return true;
}
"""


# What of the header lies beyond its edge or over its neighbor; each menu is opened for this.
CUT_OFF_IN_HEADER = """
() => {
  const faults = [];
  const header = document.querySelector(".app-header");
  const { right, bottom } = header.getBoundingClientRect();
  const isInside = (box) => box.left >= 0 && box.right <= right;
  const parts = [...header.querySelectorAll("summary, .wordmark, button")]
    .filter((part) => part.checkVisibility());
  const boxes = parts.map((part) => part.getBoundingClientRect());
  boxes.forEach((box, at) => {
    if (!isInside(box) || box.bottom > bottom + 1) {
      faults.push(`${parts[at].textContent.trim()} is cut off`);
    }
    const over = boxes.findIndex((other, place) => place > at && box.left < other.right - 1
      && other.left < box.right - 1 && box.top < other.bottom - 1 && other.top < box.bottom - 1);
    if (over > 0) {
      const below = parts[over].textContent.trim();
      faults.push(`${parts[at].textContent.trim()} lies over ${below}`);
    }
  });
  for (const menu of header.querySelectorAll("details")) {
    menu.open = true;
    if (!isInside(menu.querySelector(".menu-panel").getBoundingClientRect())) {
      faults.push(`${menu.textContent.trim().slice(0, 20)} opens beyond the edge`);
    }
    menu.open = false;
  }
  return faults;
}
"""
# What of the sidebar is wider than it, beside the page or as a drawer.
CUT_OFF_IN_SIDEBAR = """
() => {
  const sidebar = document.querySelector(".sidebar");
  const isDrawer = !sidebar.checkVisibility();
  if (isDrawer) sidebar.showPopover();
  for (const group of sidebar.querySelectorAll("details")) group.open = true;
  const { left, right } = sidebar.getBoundingClientRect();
  const isCutOff = (box) => box.left < left || box.right > right || !box.width;
  const cutOff = [...sidebar.querySelectorAll("a, summary")]
    .filter((link) => isCutOff(link.getBoundingClientRect()) || link.scrollWidth > link.clientWidth)
    .map((link) => `${link.textContent.trim()} is cut off in the sidebar`);
  if (isDrawer) sidebar.hidePopover();
  return right > innerWidth ? [...cutOff, "the sidebar is cut off"] : cutOff;
}
"""


@pytest.fixture
def everyone(project):
    Project.objects.filter(pk=project.pk).update(protocol="lovr")
    return make_person("Emil", project, "annotator", "expert", "reviewer")


@pytest.fixture
def held(project, everyone, anna, ben, make_playable_clip):
    """One person's holds on work of many kinds, each with more than a screen can show."""
    person, clip = everyone, make_playable_clip
    start_long_round(project, [clip(project)])
    make_examples(project, 5, 3, 0, make=clip)
    train(person, project)
    rated = machine_caption(clip(project), LONG)
    tried = machine_caption(clip(project), LONG)
    return {
        "write": hold(person, make_work(clip(project))),
        "merge": hold(person, open_merge(clip(project), (anna, FEW_ROWS), (ben, FEW_ROWS))),
        "split": hold_split(clip(project), person, **BIKES_A),
        "verify": hold_verification(person, machine_caption(clip(project), LONG)),
        "hand": hold(person, open_hand(tried.clip, attempt(tried, 0.1))),
        "compare": next_caption_pair(project, person)[0],
        "rate": hold(person, make_work(rated.clip, "rate", needed=1, subject=rated.pk)),
    }


@pytest.fixture
def held_elements(project, everyone, make_playable_clip):
    """A hold on the elements of a caption that names some."""
    clip = described_clip(project, make=make_playable_clip)
    judge(run=start(project, None, word_overlap(project)))
    hand_out_elements(project=project, preset="default", admin=None)
    temporal = clip.captions.get(kind="temporal")
    return hold(everyone, WorkItem.objects.get(kind="elements", subject=temporal.pk))


@pytest.fixture
def held_labels(project, everyone, make_playable_clip):
    """One person's holds on work about labels, and on the check of a whole video."""
    clips = [make_playable_clip(project) for _ in range(6)]
    labels = make_label(project, "107b", "Forward 1.5"), make_label(project, "109b", "Forward 2.5")
    for clip, label in zip(clips, [labels[0]] + [labels[1]] * 5, strict=True):
        Video.objects.filter(pk=clip.video_id).update(split="test")
        Clip.objects.filter(pk=clip.pk).update(label=label)
        clip.refresh_from_db()
    modification = modify(*labels, "show with 2.5 somersaults")
    for place, target in enumerate(clips[1:4]):
        triplet = make_triplet(clips[0], modification, target, place=place)
    undecided = [make_label(project, key, f"Inward {key}") for key in ("401b", "403b")]
    for clip, label in zip([make_playable_clip(project) for _ in labels], undecided, strict=True):
        Clip.objects.filter(pk=clip.pk).update(label=label)
    return {
        "dynamics": hold_check(everyone, make_playable_clip(project).video),
        "triplet": hold_query(everyone, triplet.query),
        "modify": hold(everyone, modify_item(modification.pair)),
        "pair": hold(everyone, pair_item(make_pair(*undecided, ""))),
    }


def walk(page, start: str) -> list[str]:
    """Press Tab from `start` until the focus leaves the page; return what was hidden."""
    page.evaluate(WATCH_FOCUS)
    page.locator(start).focus()  # a page may have put the focus elsewhere
    walked = {"stops": 0, "faults": [], "hasLeft": False}
    while walked["stops"] < MAX_STOPS and not walked["hasLeft"]:
        for _ in range(10):
            page.keyboard.down("Tab")  # held down, which walks on just so
        walked = page.evaluate("focusWalk")
    page.keyboard.up("Tab")
    hint = "The focus never left the page, or hardly entered it."
    assert 4 < walked["stops"] < MAX_STOPS, hint
    return walked["faults"]


def walk_through(page, held: dict[str, Assignment]) -> list[str]:
    """Walk each page of work at each size; return every fault with the width and the kind.

    The header and the sidebar are the same on every page, so one walk takes them in.
    """
    faults = []
    for kind, assignment in held.items():
        start = ".skip-link" if kind == "write" else "#main"
        page.goto(reverse("annotate:work", args=[assignment.pk]))
        page.wait_for_selector("#save-state")
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            faults += [f"{width} {kind}: {fault}" for fault in walk(page, start)]
            faults += [f"{width} {kind}: {fault}" for fault in page.evaluate(FAULTS_OF_PAGE)]
    return faults


def test_no_focus_is_hidden(page_of, everyone, held):
    assert walk_through(page_of(everyone), held) == []


def test_no_focus_is_hidden_where_labels_and_videos_are_judged(page_of, everyone, held_labels):
    assert walk_through(page_of(everyone), held_labels) == []


def test_no_focus_is_hidden_where_elements_are_checked(page_of, everyone, held_elements):
    assert walk_through(page_of(everyone), {"elements": held_elements}) == []


def test_what_was_opened_closes_when_tab_leaves_it(page_of, everyone, held):
    page = page_of(everyone)
    page.goto(reverse("annotate:work", args=[held["write"].pk]))
    account = page.locator("details.menu").last
    account.locator("summary").press("Enter")
    expect(account).to_have_attribute("open", "")
    page.keyboard.press("Tab")
    expect(account).to_have_attribute("open", "")
    account.get_by_role("button", name="Sign out").focus()
    page.keyboard.press("Tab")
    expect(account).not_to_have_attribute("open", "")
    keys = page.locator("#page-keys")
    page.get_by_role("button", name="Keys").press("Enter")
    expect(keys).to_be_visible()
    page.keyboard.press("Tab")
    expect(keys.get_by_role("button", name="Close")).to_be_focused()
    page.keyboard.press("Tab")
    expect(keys.get_by_role("button", name="Change keys")).to_be_focused()
    page.keyboard.press("Tab")
    expect(keys.locator("input").first).to_be_focused()
    page.keyboard.press("Tab")
    expect(keys.locator("select")).to_be_focused()
    page.keyboard.press("Tab")
    expect(keys).to_be_hidden()


@pytest.mark.urls("config.urls")
def test_no_page_scrolls_sideways_at_320_px(page_of, console_errors, db):
    console_errors.expect("404|422")  # its videos have no files, and no threshold is chosen
    world = make_world()
    ada = world["people"]["ada"]
    Membership.objects.filter(user=ada).update(is_reviewer=True)
    page = page_of(ada, width=320, height=640)
    pages = [
        name
        for name, (method, roles) in BY_ROLE.items()
        if method == "get" and {ADMIN, REVIEWER} & roles
        if not name.partition(" ")[0].endswith(NO_PAGES) and ":download_" not in name
    ]
    assert len(pages) > 50
    page.goto("/p/dives/")
    faults = []
    for name in pages:
        if not page.evaluate(SHOW_IN_PLACE, address(name, world)):
            page.goto(address(name, world))
        faults += [f"{name} {fault}" for fault in page.evaluate(FAULTS_OF_PAGE)]
    assert faults == []


def test_no_link_of_the_header_is_cut_off_at_any_width(page_of, project, everyone):
    name = "A simulated study with a rather long name"
    Project.objects.filter(pk=project.pk).update(is_simulated=True, name=name)
    Membership.objects.filter(user=everyone).update(is_admin=True)
    page = page_of(everyone)
    faults = []
    for protocol in PROTOCOLS:
        Project.objects.filter(pk=project.pk).update(protocol=protocol)
        page.goto("/p/dives/")
        for width in (320, 390, 768, 769, 1024, 1280, 1281, 1440, 1920):
            page.set_viewport_size({"width": width, "height": 800})
            cut_off = page.evaluate(CUT_OFF_IN_HEADER) + page.evaluate(CUT_OFF_IN_SIDEBAR)
            faults += [f"{protocol}, {width}: {fault}" for fault in cut_off]
    assert faults == []


def test_the_current_page_can_be_told_in_forced_colors(page_of, project, ada):
    page = page_of(ada, forced_colors="active")
    page.goto("/p/dives/corpus/")
    line = "link => getComputedStyle(link).borderBottom"
    links = page.locator(".sidebar a:visible")
    drawn = [link.evaluate(line) for link in links.all()]
    [current] = [place for place, style in enumerate(drawn) if drawn.count(style) == 1]
    assert links.nth(current).inner_text() == "Clips"
    page.goto("/p/dives/")
    page.locator("details.menu summary").last.click()
    ground = "choice => getComputedStyle(choice).backgroundColor"
    choices = page.locator(".menu-panel .segmented span")
    drawn = [choice.evaluate(ground) for choice in choices.all()]
    assert sorted(drawn.count(color) for color in drawn) == [1, 2, 2]
