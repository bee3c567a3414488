"""axe on a page, with less work for the rule that takes most of its time."""

from __future__ import annotations

from axe_playwright_python.base import AxeResults
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

# The contrast of text is looked at in three of all elements that look alike: those of the same tag,
# classes, states, attributes for styles and place (first, last, between) that are in elements which
# look alike. A table of 20 models repeats a few cells 2,500 times. Every other rule looks at all.
LOOK_AT_THREE_OF_A_KIND = """
() => {
  const ENOUGH = 3;
  const names = ["class", "type", "open", "hidden", "disabled", "readonly", "role", "tabindex"];
  const styled = (name) => names.includes(name) || /^(data-|aria-(?!label|describedby))/.test(name);
  const kinds = new Map();
  const kindOf = new Map();
  const counts = new Map();
  const chosen = new Set();
  for (const element of document.querySelectorAll("*")) {
    const attributes = [...element.attributes].filter(({ name }) => styled(name));
    const key = JSON.stringify([
      kindOf.get(element.parentElement),
      element.localName,
      /[0-9]/.test(element.id) ? "" : element.id,
      attributes.map(({ name, value }) => `${name}=${value}`),
      element.matches(":first-child"),
      element.matches(":last-child"),
      element.checked,
      element === document.activeElement,
    ]);
    if (!kinds.has(key)) kinds.set(key, kinds.size);
    const kind = kinds.get(key);
    kindOf.set(element, kind);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    if (counts.get(kind) <= ENOUGH) chosen.add(element);
  }
  const rule = axe._audit.getRule("color-contrast");
  rule.matchesAll ??= rule.matches;
  rule.matches = function (element, ...others) {
    return chosen.has(element) && rule.matchesAll.call(this, element, ...others);
  };
}
"""


# Where nothing but the color scheme has changed since the last look, only colors can be at fault.
RUN = """
() => {
  const page = [innerWidth, innerHeight, document.documentElement.outerHTML].join();
  const isSame = window.pageOfLastLook === page;
  window.pageOfLastLook = page;
  const options = { resultTypes: ["violations"] };
  return axe.run(isSame ? { ...options, runOnly: ["color-contrast"] } : options);
}
"""


def faults_of(page: Page) -> AxeResults:
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(Axe().axe_script)
    page.evaluate(LOOK_AT_THREE_OF_A_KIND)
    return AxeResults(page.evaluate(RUN))
